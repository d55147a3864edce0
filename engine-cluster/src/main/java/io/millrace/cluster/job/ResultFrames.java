package io.millrace.cluster.job;

import io.millrace.cluster.actor.CoordinatorNode;
import io.millrace.cluster.protocol.ProfileCodec;
import io.millrace.cluster.protocol.StreamTicket;
import io.millrace.cluster.schedule.AttemptId;
import io.millrace.cluster.shuffle.DataClients;
import io.millrace.cluster.shuffle.FrameSource;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.ErrorInfo;
import io.millrace.core.error.MillraceException;
import java.util.List;
import java.util.Optional;

/**
 * The rows of a query as they become ready, read from the workers that keep them and passed on
 * without decoding. The last frame is the query's profile. Closing before the end cancels.
 */
final class ResultFrames implements FrameSource {
  /** First byte of each frame. */
  static final byte KIND_BATCH = 0;

  static final byte KIND_PROFILE = 1;

  private final ClusterQuery query;
  private final CoordinatorNode node;
  private final DataClients clients;
  private final Runnable onEnd;
  private ClusterQuery.ReadyResult current;
  private int framesOfCurrent;
  private boolean profileSent;
  private volatile FrameSource reading;
  private volatile boolean closed;
  private boolean ended;

  /**
   * The result of a query that was started.
   *
   * @param onEnd called once when the query has ended and its profile was read or will not be
   */
  ResultFrames(ClusterQuery query, CoordinatorNode node, DataClients clients, Runnable onEnd) {
    this.query = query;
    this.node = node;
    this.clients = clients;
    this.onEnd = onEnd;
  }

  @Override
  public Optional<byte[]> next() {
    try {
      while (!profileSent) {
        if (current == null && !openNext()) {
          query.awaitReleased();
          profileSent = true;
          return Optional.of(tagged(KIND_PROFILE, ProfileCodec.encode(query.profile())));
        }
        Optional<byte[]> frame = readCurrent();
        if (frame.isPresent()) {
          return frame;
        }
      }
      return Optional.empty();
    } catch (InterruptedException interrupted) {
      close();
      Thread.currentThread().interrupt();
      throw new MillraceException(ErrorCode.CANCELLED, "The query was cancelled", interrupted);
    }
  }

  /** False when all results were read. */
  private boolean openNext() throws InterruptedException {
    Optional<ClusterQuery.ReadyResult> result = query.awaitResult();
    if (result.isEmpty()) {
      return false;
    }
    current = result.get();
    framesOfCurrent = 0;
    return true;
  }

  private Optional<byte[]> readCurrent() {
    AttemptId attempt = current.output().attempt();
    try {
      Optional<byte[]> frame = Optional.empty();
      if (current.output().totalBytes() > 0) {
        if (reading == null) {
          StreamTicket ticket = new StreamTicket.Pieces(List.of(new StreamTicket.Part(attempt, 0)));
          reading = clients.to(current.endpoint()).stream(ticket.encode());
        }
        frame = reading.next();
      }
      if (frame.isPresent()) {
        framesOfCurrent++;
        return Optional.of(tagged(KIND_BATCH, frame.get()));
      }
      leaveCurrent();
      node.delivered(attempt);
    } catch (MillraceException failure) {
      resultFailed(attempt, failure);
    }
    return Optional.empty();
  }

  private void resultFailed(AttemptId attempt, MillraceException failure) {
    if (closed) {
      throw new MillraceException(ErrorCode.CANCELLED, "The query was cancelled", failure);
    }
    if (framesOfCurrent == 0) {
      node.resultUnreadable(attempt, current.output().worker());
    } else {
      // Some rows are with the client; a second try may give them in another order.
      node.end(
          query.id(),
          ErrorInfo.of(
                  ErrorCode.WORKER_LOST,
                  "A worker was lost while its rows were read; run the query again: "
                      + failure.getMessage())
              .inTask(
                  query.id(),
                  attempt.task().stage(),
                  attempt.task().task(),
                  current.output().worker().value()));
    }
    leaveCurrent();
  }

  private void leaveCurrent() {
    if (reading != null) {
      reading.close();
      reading = null;
    }
    current = null;
  }

  private static byte[] tagged(byte kind, byte[] frame) {
    byte[] tagged = new byte[frame.length + 1];
    tagged[0] = kind;
    System.arraycopy(frame, 0, tagged, 1, frame.length);
    return tagged;
  }

  /** Cancels the query unless it has ended; returns when no worker runs anything of it. */
  @Override
  public void close() {
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      closed = true;
    }
    node.finishEarly(query.id());
    FrameSource open = reading;
    if (open != null) {
      open.close();
    }
    boolean interrupted = Thread.interrupted();
    try {
      query.awaitReleased();
    } catch (InterruptedException again) {
      interrupted = true;
    }
    onEnd.run();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
