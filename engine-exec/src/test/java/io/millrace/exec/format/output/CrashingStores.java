package io.millrace.exec.format.output;

import io.millrace.core.spi.ByteSource;
import io.millrace.core.spi.ObjectStore;
import io.millrace.core.spi.ObjectStores;
import io.millrace.exec.store.LocalObjectStore;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;

/** Local files of a process that dies at one of its changes: from then on every call fails. */
final class CrashingStores implements ObjectStores, ObjectStore {
  private final LocalObjectStore local = new LocalObjectStore();
  private final boolean movesFolders;
  private final Runnable beforeChange;
  private int left;

  /**
   * @param changes how many changes are made before the crash
   * @param beforeChange told of each
   */
  CrashingStores(int changes, boolean movesFolders, Runnable beforeChange) {
    this.left = changes;
    this.movesFolders = movesFolders;
    this.beforeChange = beforeChange;
  }

  @Override
  public ObjectStore of(String uri) {
    return this;
  }

  boolean hasCrashed() {
    return left < 0;
  }

  private synchronized void change() throws IOException {
    beforeChange.run();
    if (left >= 0) {
      left--;
    }
    requireAlive();
  }

  private void requireAlive() throws IOException {
    if (left < 0) {
      throw new IOException("the process is gone");
    }
  }

  @Override
  public Optional<ObjectStatus> status(String uri) throws IOException {
    requireAlive();
    return local.status(uri);
  }

  @Override
  public boolean isDirectory(String uri) throws IOException {
    requireAlive();
    return local.isDirectory(uri);
  }

  @Override
  public List<ObjectStatus> list(String uri) throws IOException {
    requireAlive();
    return local.list(uri);
  }

  @Override
  public ByteSource open(String uri) throws IOException {
    requireAlive();
    return local.open(uri);
  }

  @Override
  public OutputStream create(String uri) throws IOException {
    change();
    return local.create(uri);
  }

  @Override
  public void move(String fromUri, String toUri) throws IOException {
    change();
    local.move(fromUri, toUri);
  }

  @Override
  public boolean movesFoldersAtOnce() {
    return movesFolders;
  }

  @Override
  public void delete(String uri) throws IOException {
    change();
    local.delete(uri);
  }
}
