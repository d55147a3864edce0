package io.millrace.cluster.cli;

import java.io.IOException;
import java.io.InputStream;

/** Standard input as a sign of life of the parent process, which never writes to it. */
final class ParentPipe {
  private ParentPipe() {}

  /** Runs the action when the parent closes the pipe or dies. */
  static void watch(InputStream parent, Runnable onEnd) {
    Thread.ofPlatform()
        .daemon()
        .name("parent")
        .start(
            () -> {
              try {
                while (parent.read() >= 0) {
                  // Nothing is meant to come.
                }
              } catch (IOException pipeBroke) {
                // The same as its end.
              }
              onEnd.run();
            });
  }
}
