package io.millrace.core.spi;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;

/** Objects or files under a URI scheme. Calls may block. Paths are full URIs or local paths. */
public interface ObjectStore {

  /** What is known of an object without reading it. */
  record ObjectStatus(String uri, long sizeBytes, long modifiedMillis, Optional<String> etag) {}

  /** Empty when there is no such object. */
  Optional<ObjectStatus> status(String uri) throws IOException;

  /** True for a folder (or prefix with objects below). */
  boolean isDirectory(String uri) throws IOException;

  /** All objects under a folder, recursively, in name order. */
  List<ObjectStatus> list(String uri) throws IOException;

  ByteSource open(String uri) throws IOException;

  /** Creates an object that becomes visible, whole, when the stream is closed. */
  OutputStream create(String uri) throws IOException;

  /**
   * Moves an object, replacing the target, or a folder to a place where there is none; atomic where
   * the store can.
   */
  void move(String fromUri, String toUri) throws IOException;

  /** Whether {@link #move} of a folder shows all of it at once, or nothing. */
  default boolean movesFoldersAtOnce() {
    return false;
  }

  /** Removes an object or everything under a folder; nothing when there is none. */
  void delete(String uri) throws IOException;
}
