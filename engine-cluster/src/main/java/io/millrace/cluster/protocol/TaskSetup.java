package io.millrace.cluster.protocol;

import io.millrace.cluster.schedule.AttemptId;
import io.millrace.cluster.schedule.WorkerId;
import io.millrace.core.spi.Split;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one attempt gets beyond its {@link StageSetup}.
 *
 * @param splits what each Scan node reads in this task, by the node's id
 * @param inputs where the outputs of each input stage lie, by the stage's number
 */
public record TaskSetup(Map<Integer, List<Split>> splits, Map<Integer, List<Piece>> inputs) {
  public TaskSetup {
    splits = Map.copyOf(splits);
    inputs = Map.copyOf(inputs);
  }

  /**
   * One partition of one output.
   *
   * @param attempt the attempt that wrote it
   * @param partition the partition to read
   * @param worker the worker that keeps it
   * @param endpoint that worker's data server
   */
  public record Piece(AttemptId attempt, int partition, WorkerId worker, Endpoint endpoint) {}

  public byte[] encode() {
    MessageWriter out = new MessageWriter();
    out.putList(
        new TreeMap<>(splits).entrySet(),
        (writer, entry) ->
            writer.putInt(entry.getKey()).putList(entry.getValue(), TaskSetup::putSplit));
    out.putList(
        new TreeMap<>(inputs).entrySet(),
        (writer, entry) ->
            writer.putInt(entry.getKey()).putList(entry.getValue(), TaskSetup::putPiece));
    return out.toBytes();
  }

  public static TaskSetup decode(byte[] bytes) {
    MessageReader in = new MessageReader(bytes);
    Map<Integer, List<Split>> splits = new TreeMap<>();
    Map<Integer, List<Piece>> inputs = new TreeMap<>();
    in.takeList(
        reader -> splits.put(reader.takeInt(), reader.takeList(TaskSetup::takeSplit)) == null);
    in.takeList(
        reader -> inputs.put(reader.takeInt(), reader.takeList(TaskSetup::takePiece)) == null);
    in.end();
    return new TaskSetup(splits, inputs);
  }

  private static void putSplit(MessageWriter out, Split split) {
    out.putString(split.payload())
        .putLong(split.bytes())
        .putLong(split.rows())
        .putList(split.hosts(), MessageWriter::putString);
  }

  private static Split takeSplit(MessageReader in) {
    return new Split(
        in.takeString(), in.takeLong(), in.takeLong(), in.takeList(MessageReader::takeString));
  }

  private static void putPiece(MessageWriter out, Piece piece) {
    ProtocolValues.putAttempt(out, piece.attempt());
    out.putInt(piece.partition()).putString(piece.worker().value());
    ProtocolValues.putEndpoint(out, piece.endpoint());
  }

  private static Piece takePiece(MessageReader in) {
    return new Piece(
        ProtocolValues.takeAttempt(in),
        in.takeInt(),
        new WorkerId(in.takeString()),
        ProtocolValues.takeEndpoint(in));
  }
}
