package io.millrace.cluster.shuffle;

import io.millrace.cluster.protocol.StreamTicket;

/**
 * Reads the parts that a ticket names from this process's store, without a copy over the network.
 */
public final class StoredPieces {
  private StoredPieces() {}

  /** The frames of all parts; each part is opened when the one before has ended. */
  public static FrameSource open(StreamTicket.Pieces ticket, ShuffleStore store) {
    return new ChainedFrames(
        ticket.parts().stream()
            .<ChainedFrames.Opener>map(part -> () -> store.open(part.attempt(), part.partition()))
            .toList());
  }
}
