package io.millrace.lance.jni;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes data files of fragments that will not be committed. */
public final class FragmentCleanup {
  private static final Logger LOG = LoggerFactory.getLogger(FragmentCleanup.class);

  private FragmentCleanup() {}

  /**
   * Removes the fragments' files, and the dataset's folders when they are left empty. In an object
   * store the files stay, invisible, until the table is cleaned up: the library has no way to
   * delete them.
   */
  public static void remove(LanceLocation location, List<FragmentFile> fragments) {
    Path folder = location.localFolder().orElse(null);
    if (folder == null) {
      if (!fragments.isEmpty()) {
        LOG.warn(
            "A write to {} was given up; {} invisible files stay until the table is cleaned up",
            location,
            fragments.size());
      }
      return;
    }
    Path data = folder.resolve("data");
    for (FragmentFile fragment : fragments) {
      for (String path : fragment.paths()) {
        Path file = data.resolve(path).normalize();
        if (file.startsWith(data)) {
          delete(file);
        }
      }
    }
    delete(data);
    delete(folder);
  }

  private static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (DirectoryNotEmptyException | NoSuchFileException kept) {
      LOG.trace("Not removed: {}", path, kept); // The table has other files, or none ever.
    } catch (IOException failure) {
      LOG.warn("A file of a write that was given up could not be removed: {}", path, failure);
    }
  }
}
