package io.millrace.exec.operator.join;

import io.millrace.core.batch.Batch;
import io.millrace.core.plan.JoinType;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.Step;
import io.millrace.exec.bridge.JoinBridge;
import io.millrace.exec.operator.row.RowBuffer;
import io.millrace.exec.pipeline.OperatorContext;
import io.millrace.exec.pipeline.SinkOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Gathers build rows; the last driver of them makes the table. When memory is short the rows of all
 * drivers go to disk instead, see {@link JoinSpill}.
 */
public final class HashJoinBuildSink implements SinkOperator {
  /** Rows that a driver gathers before it writes them, once the join is on disk. */
  private static final long WRITE_BYTES = 1L << 20;

  private final PhysicalPlan.HashJoin plan;
  private final JoinBridge<BuildSide> bridge;
  private final JoinSpill spill;
  private final RuntimeFilters filters;
  private final RowBuffer rows = new RowBuffer();
  private OperatorContext context;
  private JoinSpill.Writer writer;
  private CompletableFuture<Void> spilling;
  private boolean inputEnded;
  private boolean handedOver;
  private boolean last;
  private boolean closed;
  private long reservedBytes;
  private JoinTableBuilder builder;

  /**
   * @param filters promised to scans of the probe side
   */
  public HashJoinBuildSink(
      PhysicalPlan.HashJoin plan,
      JoinBridge<BuildSide> bridge,
      JoinSpill spill,
      RuntimeFilters filters) {
    this.plan = plan;
    this.bridge = bridge;
    this.spill = spill;
    this.filters = filters;
  }

  @Override
  public void open(OperatorContext operatorContext) {
    context = operatorContext;
    rows.open(operatorContext);
    writer = spill.buildWriter(plan.build().outputSchema(), plan.buildKeys(), operatorContext);
  }

  @Override
  public boolean gathersInput() {
    return true;
  }

  @Override
  public void addInput(Batch input) {
    rows.add(input);
  }

  @Override
  public void noMoreInput() {
    inputEnded = true;
  }

  @Override
  public Step advance() {
    if (bridge.isAbandoned()) {
      return Step.FINISHED;
    }
    if (spilling != null) {
      if (!spilling.isDone() || spilling.isCompletedExceptionally()) {
        return new Step.Blocked(spilling, Step.BlockReason.IO);
      }
      spilling = null;
    }
    if (!inputEnded) {
      rows.settleLast();
      return spill.isBegun() && context.memory().stateBytes() > WRITE_BYTES
          ? spillRows()
          : Step.NEED_INPUT;
    }
    if (!handedOver) {
      Step.Blocked blocked = handOver();
      if (blocked != null) {
        return blocked;
      }
    }
    if (builder != null) {
      return build();
    }
    if (last) {
      filters.withdraw();
      bridge.publish(new SpilledBuild());
    }
    return Step.FINISHED;
  }

  /** Moves the rows and their bytes to the bridge, which outlives this driver, or to disk. */
  private Step.Blocked handOver() {
    rows.settleLast();
    if (rows.rowCount() > 0) {
      long bytes = context.memory().stateBytes();
      context.memory().settle(0);
      if (spill.isBegun() || !bridge.reservation().tryReserve(bytes)) {
        return spillRows();
      }
    }
    handedOver = true;
    List<Batch> moved = new ArrayList<>();
    rows.take().forEach(batch -> moved.add(batch.transferTo(bridge.allocator())));
    Optional<List<Batch>> all = bridge.buildEnded(moved);
    if (all.isEmpty()) {
      return null;
    }
    last = true;
    if (spill.isBegun()) {
      return spillHandedOver(all.get());
    }
    builder = builder(plan, all.get(), bridge.allocator());
    reservedBytes = builder.extraBytes();
    if (!bridge.reservation().tryReserve(reservedBytes)) {
      List<Batch> back = builder.takeBack();
      builder = null;
      return spillHandedOver(back);
    }
    return null;
  }

  /** What makes the table of build rows; takes ownership of them. */
  static JoinTableBuilder builder(
      PhysicalPlan.HashJoin plan, List<Batch> rows, BufferAllocator allocator) {
    JoinType type = plan.joinType();
    return new JoinTableBuilder(
        plan.build().outputSchema(),
        rows,
        plan.buildKeys(),
        JoinKeys.ofBuild(plan),
        type == JoinType.RIGHT || type == JoinType.FULL,
        plan.residual().isEmpty() && (type == JoinType.SEMI || type == JoinType.ANTI),
        allocator);
  }

  private Step build() {
    JoinTable table = builder.step();
    if (table == null) {
      return CONTINUE;
    }
    context.metrics().recordHeldBytes(bridge.reservation().reservedBytes());
    builder = null;
    // What the making took beside the table comes back.
    long surplus = reservedBytes - table.extraBytes();
    if (surplus > 0) {
      bridge.reservation().release(surplus);
    }
    try {
      filters.fulfil(table, plan.buildKeys());
    } catch (RuntimeException | Error failure) {
      table.close();
      throw failure;
    }
    bridge.publish(table);
    return Step.FINISHED;
  }

  private Step.Blocked spillRows() {
    spill.begin();
    List<Batch> taken = rows.take();
    spilling = write(taken).whenComplete((nothing, failure) -> context.memory().settle(0));
    return new Step.Blocked(spilling, Step.BlockReason.IO);
  }

  private Step.Blocked spillHandedOver(List<Batch> all) {
    spill.begin();
    long bytes = bridge.reservation().reservedBytes();
    spilling = write(all).whenComplete((nothing, failure) -> bridge.reservation().tryResize(0));
    return bytes == 0 && all.isEmpty() ? null : new Step.Blocked(spilling, Step.BlockReason.IO);
  }

  private CompletableFuture<Void> write(List<Batch> taken) {
    return context.supplyBlocking(
        () -> {
          try {
            taken.forEach(writer::write);
            return (Void) null;
          } finally {
            taken.forEach(Batch::close);
          }
        });
  }

  @Override
  public long revocableBytes() {
    boolean gathering = !handedOver && spilling == null && !closed && rows.rowCount() > 0;
    return gathering ? context.memory().stateBytes() : 0;
  }

  @Override
  public CompletableFuture<Void> revoke(long targetBytes) {
    if (revocableBytes() == 0) {
      return CompletableFuture.completedFuture(null);
    }
    rows.settleLast();
    spillRows();
    return spilling;
  }

  @Override
  public void close() {
    closed = true;
    rows.close();
    if (builder != null) {
      builder.close();
      builder = null;
    }
  }
}
