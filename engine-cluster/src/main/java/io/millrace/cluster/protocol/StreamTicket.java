package io.millrace.cluster.protocol;

import io.millrace.cluster.schedule.AttemptId;
import java.util.List;

/** What a reader asks a data server to stream. */
public sealed interface StreamTicket {

  /** Partitions of outputs that a worker keeps, in the order given, as one stream. */
  record Pieces(List<Part> parts) implements StreamTicket {
    public Pieces {
      parts = List.copyOf(parts);
    }
  }

  /** One partition of one output. */
  record Part(AttemptId attempt, int partition) {}

  /** One empty frame, then nothing until the process ends: shows that it lives. */
  record Presence() implements StreamTicket {}

  /** Runs a query and streams its rows; a reader that leaves cancels it. */
  record RunQuery(QuerySubmission submission) implements StreamTicket {}

  /** Runs a submitted job and streams what it prints; a reader that leaves ends it. */
  record RunJob(byte[] request) implements StreamTicket {}

  /** The bytes of a jar by the hash of its content. */
  record Jar(String hash) implements StreamTicket {}

  int PIECES = 1;
  int PRESENCE = 2;
  int RUN_QUERY = 3;
  int RUN_JOB = 4;
  int JAR = 5;

  /** The ticket as bytes. */
  default byte[] encode() {
    MessageWriter out = new MessageWriter();
    switch (this) {
      case Pieces(List<Part> parts) ->
          out.putByte(PIECES)
              .putList(
                  parts,
                  (writer, part) -> {
                    ProtocolValues.putAttempt(writer, part.attempt());
                    writer.putInt(part.partition());
                  });
      case Presence() -> out.putByte(PRESENCE);
      case RunQuery(QuerySubmission submission) ->
          out.putByte(RUN_QUERY).putBytes(submission.encode());
      case RunJob(byte[] request) -> out.putByte(RUN_JOB).putBytes(request);
      case Jar(String hash) -> out.putByte(JAR).putString(hash);
    }
    return out.toBytes();
  }

  /**
   * The ticket in the bytes.
   *
   * @throws IllegalArgumentException when they are not exactly one ticket
   */
  static StreamTicket decode(byte[] bytes) {
    MessageReader in = new MessageReader(bytes);
    int tag = in.takeByte();
    StreamTicket ticket =
        switch (tag) {
          case PIECES ->
              new Pieces(
                  in.takeList(
                      reader -> new Part(ProtocolValues.takeAttempt(reader), reader.takeInt())));
          case PRESENCE -> new Presence();
          case RUN_QUERY -> new RunQuery(QuerySubmission.decode(in.takeBytes()));
          case RUN_JOB -> new RunJob(in.takeBytes());
          case JAR -> new Jar(in.takeString());
          default -> throw new IllegalArgumentException("unknown ticket: tag " + tag);
        };
    in.end();
    return ticket;
  }
}
