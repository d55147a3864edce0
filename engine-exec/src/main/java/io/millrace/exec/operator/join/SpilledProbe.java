package io.millrace.exec.operator.join;

import io.millrace.core.batch.Batch;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.Step;
import io.millrace.exec.pipeline.OperatorContext;
import io.millrace.exec.spill.SpillFile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A probe driver's part of a join on disk: it writes its rows by partition; the driver that ends
 * last then joins one partition after the other. Blocking calls run elsewhere; each method that
 * gives a blocked step is asked again when that is done.
 */
final class SpilledProbe implements AutoCloseable {
  private final PhysicalPlan.HashJoin plan;
  private final JoinSpill spill;
  private final OperatorContext context;
  private final JoinSpill.Writer writer;
  private final Deque<SpillFile> probeFiles = new ArrayDeque<>();
  private CompletableFuture<Void> writing;
  private CompletableFuture<List<Batch>> buildRows;
  private CompletableFuture<Optional<Batch>> probeRows;
  private JoinTableBuilder builder;
  private JoinTable table;
  private long neededBytes;
  private int partition = -1;
  private boolean closed;

  SpilledProbe(PhysicalPlan.HashJoin plan, JoinSpill spill, OperatorContext context) {
    this.plan = plan;
    this.spill = spill;
    this.context = context;
    this.writer = spill.probeWriter(plan.probe().outputSchema(), plan.probeKeys(), context);
  }

  /** Takes a batch of the input to disk. */
  Step.Blocked write(Batch batch) {
    writing =
        context.supplyBlocking(
            () -> {
              writer.write(batch);
              return (Void) null;
            });
    return new Step.Blocked(writing, Step.BlockReason.IO);
  }

  /** Goes to the next partition; false after the last. */
  boolean next() {
    release();
    partition++;
    if (partition == JoinSpill.PARTITIONS) {
      return false;
    }
    probeFiles.addAll(spill.probeFiles(partition));
    return true;
  }

  /** Null when {@link #table} has the partition's build rows. */
  Step.Blocked load() {
    if (builder == null) {
      Step.Blocked reading = read();
      if (reading != null) {
        return reading;
      }
    }
    Step.Blocked lacking = context.memory().require(neededBytes);
    if (lacking != null) {
      return lacking;
    }
    table = builder.step();
    if (table == null) {
      return io.millrace.exec.pipeline.PipelineStage.CONTINUE;
    }
    builder = null;
    return null;
  }

  private Step.Blocked read() {
    if (buildRows == null) {
      Step.Blocked lacking = context.memory().require(spill.buildBytes(partition) * 2);
      if (lacking != null) {
        return lacking;
      }
      List<SpillFile> files = spill.buildFiles(partition);
      buildRows = context.supplyBlocking(() -> read(files));
    }
    if (!buildRows.isDone() || buildRows.isCompletedExceptionally()) {
      return new Step.Blocked(buildRows.thenApply(rows -> null), Step.BlockReason.IO);
    }
    builder = HashJoinBuildSink.builder(plan, buildRows.join(), context.allocator());
    buildRows = null;
    neededBytes = spill.buildBytes(partition) * 2 + builder.extraBytes();
    return null;
  }

  private List<Batch> read(List<SpillFile> files) {
    List<Batch> rows = new ArrayList<>();
    try {
      for (SpillFile file : files) {
        for (Optional<Batch> batch = file.read(context.allocator());
            batch.isPresent();
            batch = file.read(context.allocator())) {
          rows.add(batch.get());
        }
      }
      return rows;
    } catch (RuntimeException | Error failure) {
      rows.forEach(Batch::close);
      throw failure;
    }
  }

  /** The partition's build rows; stay owned by this. */
  JoinTable table() {
    return table;
  }

  /** Null when {@link #takeProbe} has an answer. */
  Step.Blocked readProbe() {
    if (probeRows == null) {
      probeRows = context.supplyBlocking(this::nextProbe);
    }
    return probeRows.isDone() && !probeRows.isCompletedExceptionally()
        ? null
        : new Step.Blocked(probeRows.thenApply(rows -> null), Step.BlockReason.IO);
  }

  private Optional<Batch> nextProbe() {
    while (!probeFiles.isEmpty()) {
      Optional<Batch> batch = probeFiles.getFirst().read(context.allocator());
      if (batch.isPresent()) {
        return batch;
      }
      probeFiles.removeFirst();
    }
    return Optional.empty();
  }

  /** The next probe rows of the partition, owned by the caller; empty after the last. */
  Optional<Batch> takeProbe() {
    Optional<Batch> taken = probeRows.join();
    probeRows = null;
    return taken;
  }

  private void release() {
    if (builder != null) {
      builder.close();
      builder = null;
    }
    if (table != null) {
      table.close();
      table = null;
    }
    if (partition >= 0 && partition < JoinSpill.PARTITIONS && !closed) {
      spill.discard(partition);
      context.memory().settle(0);
    }
  }

  /** What is still read is released when it arrives. */
  @Override
  public void close() {
    closed = true;
    if (buildRows != null) {
      buildRows.thenAccept(rows -> rows.forEach(Batch::close));
      buildRows = null;
    }
    if (probeRows != null) {
      probeRows.thenAccept(rows -> rows.ifPresent(Batch::close));
      probeRows = null;
    }
    release();
  }
}
