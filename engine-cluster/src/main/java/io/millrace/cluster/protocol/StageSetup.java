package io.millrace.cluster.protocol;

import java.util.List;

/**
 * What all tasks of a stage share.
 *
 * @param fragment an Exchange over the stage's operators, encoded as a plan; its Scan nodes hold no
 *     splits: each task gets its own
 * @param partitionCount partitions that each task writes
 * @param inputs for each stage that is read an Exchange over its StageInput, encoded as a plan: it
 *     says how the rows that come are ordered
 */
public record StageSetup(byte[] fragment, int partitionCount, List<byte[]> inputs) {
  public StageSetup {
    inputs = List.copyOf(inputs);
  }

  public byte[] encode() {
    return new MessageWriter()
        .putBytes(fragment)
        .putInt(partitionCount)
        .putList(inputs, MessageWriter::putBytes)
        .toBytes();
  }

  public static StageSetup decode(byte[] bytes) {
    MessageReader in = new MessageReader(bytes);
    StageSetup setup =
        new StageSetup(in.takeBytes(), in.takeInt(), in.takeList(MessageReader::takeBytes));
    in.end();
    return setup;
  }
}
