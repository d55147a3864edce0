package io.millrace.cluster.job;

import io.millrace.cluster.protocol.MessageReader;
import io.millrace.cluster.protocol.MessageWriter;

/** Something a running job does that its submitter hears of. */
sealed interface JobEvent {

  /** Bytes that it printed. */
  record Printed(boolean toErrors, byte[] bytes) implements JobEvent {}

  /** Its end. Nothing follows. */
  record Ended(int exitCode) implements JobEvent {}

  int OUT = 1;
  int ERRORS = 2;
  int END = 3;

  default byte[] encode() {
    MessageWriter out = new MessageWriter();
    switch (this) {
      case Printed(boolean toErrors, byte[] bytes) ->
          out.putByte(toErrors ? ERRORS : OUT).putBytes(bytes);
      case Ended(int exitCode) -> out.putByte(END).putInt(exitCode);
    }
    return out.toBytes();
  }

  static JobEvent decode(byte[] bytes) {
    MessageReader in = new MessageReader(bytes);
    int tag = in.takeByte();
    return switch (tag) {
      case OUT -> new Printed(false, in.takeBytes());
      case ERRORS -> new Printed(true, in.takeBytes());
      case END -> new Ended(in.takeInt());
      default -> throw new IllegalArgumentException("unknown event: tag " + tag);
    };
  }
}
