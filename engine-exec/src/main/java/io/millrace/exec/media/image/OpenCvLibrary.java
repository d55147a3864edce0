package io.millrace.exec.media.image;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import nu.pattern.OpenCV;
import org.opencv.core.Core;

/** Loads OpenCV's native library once per process, when the first image kernel is bound. */
final class OpenCvLibrary {
  private OpenCvLibrary() {}

  /** Runs on first use; the JVM makes sure that it runs once. */
  private static final class Loaded {
    static {
      OpenCV.loadLocally();
      // Drivers are the threads; OpenCV's own would compete with them.
      Core.setNumThreads(1);
    }

    static void touch() {}
  }

  /**
   * @throws MillraceException NATIVE_LIBRARY_FAILED when this machine cannot load it
   */
  static void load() {
    try {
      Loaded.touch();
    } catch (LinkageError | RuntimeException problem) {
      throw new MillraceException(
          ErrorCode.NATIVE_LIBRARY_FAILED,
          "OpenCV cannot be loaded; it needs Linux, macOS or Windows on x86-64 or ARM64 and a"
              + " writable temporary folder: "
              + problem.getMessage(),
          problem);
    }
  }
}
