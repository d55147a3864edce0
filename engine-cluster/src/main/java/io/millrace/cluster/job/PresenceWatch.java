package io.millrace.cluster.job;

import io.millrace.cluster.protocol.StreamTicket;
import io.millrace.cluster.shuffle.DataClient;
import io.millrace.cluster.shuffle.FrameSource;
import io.millrace.core.error.MillraceException;

/**
 * Notices at once when another process ends: its open connection breaks. A machine that falls
 * silent without breaking connections is noticed by the cluster's heartbeats instead.
 */
final class PresenceWatch {
  private static final long CONFIRM_MILLIS = 3_000;

  private PresenceWatch() {}

  /** Blocks until the process behind the client is gone, then runs the action. */
  static void awaitEnd(DataClient client, Runnable onGone) {
    do {
      try (FrameSource presence = client.stream(new StreamTicket.Presence().encode())) {
        while (presence.next().isPresent()) {
          // Nothing comes after the greeting until the end.
        }
      } catch (RuntimeException connectionBroke) {
        // Looked into below.
      }
    } while (!Thread.currentThread().isInterrupted() && answers(client));
    if (!Thread.currentThread().isInterrupted()) {
      onGone.run();
    }
  }

  /** Whether the process still answers: then only the connection was lost. */
  private static boolean answers(DataClient client) {
    try {
      client.call(CallNames.PING, new byte[0], CONFIRM_MILLIS);
      return true;
    } catch (MillraceException unreachable) {
      return false;
    }
  }
}
