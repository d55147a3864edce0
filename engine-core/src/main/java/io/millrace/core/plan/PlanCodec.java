package io.millrace.core.plan;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Plans as bytes: a magic number, the format version, then tagged nodes. A reader refuses another
 * version, so that coordinator and workers of different builds fail clearly and at once. Tags are
 * never used again for another node.
 */
public final class PlanCodec {
  /** Raised when the meaning of any tag changes. */
  public static final int VERSION = 1;

  private static final int MAGIC = 0x4D52_504C; // "MRPL"

  private PlanCodec() {}

  public static byte[] encode(PhysicalPlan plan) {
    return write(output -> new PlanWriter(output).plan(plan));
  }

  /**
   * @throws MillraceException PLAN_VERSION_MISMATCH or INVALID_PLAN
   */
  public static PhysicalPlan decode(byte[] bytes) {
    return read(bytes, input -> new PlanReader(input).plan());
  }

  public static byte[] encodeStages(StageGraph graph) {
    return write(
        output -> {
          PlanWriter writer = new PlanWriter(output);
          output.writeInt(graph.stages().size());
          for (StageGraph.Stage stage : graph.stages()) {
            output.writeInt(stage.id());
            writer.plan(stage.root());
            writer.partitioning(stage.output());
            writer.integers(stage.inputs());
            output.writeBoolean(stage.singleTask());
          }
        });
  }

  /**
   * @throws MillraceException PLAN_VERSION_MISMATCH or INVALID_PLAN
   */
  public static StageGraph decodeStages(byte[] bytes) {
    return read(
        bytes,
        input -> {
          PlanReader reader = new PlanReader(input);
          int count = reader.count();
          List<StageGraph.Stage> stages = new ArrayList<>();
          for (int index = 0; index < count; index++) {
            stages.add(
                new StageGraph.Stage(
                    input.readInt(),
                    reader.plan(),
                    reader.partitioning(),
                    reader.integers(),
                    input.readBoolean()));
          }
          return new StageGraph(stages);
        });
  }

  /** Writes to a stream; declared to throw so that bodies stay plain. */
  private interface Body {
    void accept(DataOutputStream output) throws IOException;
  }

  /** Reads from a stream. */
  private interface Source<T> {
    T read(DataInputStream input) throws IOException;
  }

  private static byte[] write(Body body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream output = new DataOutputStream(bytes)) {
      output.writeInt(MAGIC);
      output.writeInt(VERSION);
      body.accept(output);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    return bytes.toByteArray();
  }

  private static <T> T read(byte[] bytes, Source<T> source) {
    try (DataInputStream input = new DataInputStream(new ByteArrayInputStream(bytes))) {
      if (input.readInt() != MAGIC) {
        throw new MillraceException(ErrorCode.INVALID_PLAN, "These bytes are no plan.");
      }
      int version = input.readInt();
      if (version != VERSION) {
        throw new MillraceException(
            ErrorCode.PLAN_VERSION_MISMATCH,
            "The plan has another format; run the same Millrace version everywhere: "
                + version
                + ", expected "
                + VERSION);
      }
      T value = source.read(input);
      if (input.read() != -1) {
        throw new MillraceException(ErrorCode.INVALID_PLAN, "Bytes follow after the plan.");
      }
      return value;
    } catch (MillraceException known) {
      throw known;
    } catch (IOException | RuntimeException problem) {
      // Damaged bytes can break any constructor's rules, so every kind of exception ends here.
      throw new MillraceException(
          ErrorCode.INVALID_PLAN, "The plan's bytes are damaged: " + problem.getMessage(), problem);
    }
  }
}
