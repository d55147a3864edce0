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

/** Gathers build rows; the last driver of them makes the table. */
public final class HashJoinBuildSink implements SinkOperator {
  private final PhysicalPlan.HashJoin plan;
  private final JoinBridge<JoinTable> bridge;
  private final RuntimeFilters filters;
  private final RowBuffer rows = new RowBuffer();
  private OperatorContext context;
  private boolean inputEnded;
  private boolean handedOver;
  private CompletableFuture<Void> reserved;
  private long reservedBytes;
  private JoinTableBuilder builder;

  /**
   * @param filters promised to scans of the probe side
   */
  public HashJoinBuildSink(
      PhysicalPlan.HashJoin plan, JoinBridge<JoinTable> bridge, RuntimeFilters filters) {
    this.plan = plan;
    this.bridge = bridge;
    this.filters = filters;
  }

  @Override
  public void open(OperatorContext operatorContext) {
    context = operatorContext;
    rows.open(operatorContext);
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
    if (!inputEnded) {
      rows.settleLast();
      return Step.NEED_INPUT;
    }
    if (!handedOver) {
      Step.Blocked blocked = handOver();
      if (blocked != null) {
        return blocked;
      }
    }
    return builder == null ? Step.FINISHED : build();
  }

  /** Moves the rows and their bytes to the bridge, which outlives this driver. */
  private Step.Blocked handOver() {
    if (reserved == null) {
      rows.settleLast();
      long bytes = context.memory().stateBytes();
      context.memory().settle(0);
      reserved = bridge.reservation().reserve(bytes);
    }
    if (!reserved.isDone() || reserved.isCompletedExceptionally()) {
      return new Step.Blocked(reserved, Step.BlockReason.MEMORY);
    }
    handedOver = true;
    List<Batch> moved = new ArrayList<>();
    rows.take().forEach(batch -> moved.add(batch.transferTo(bridge.allocator())));
    Optional<List<Batch>> all = bridge.buildEnded(moved);
    all.ifPresent(this::startBuilding);
    return null;
  }

  private void startBuilding(List<Batch> all) {
    builder =
        new JoinTableBuilder(
            plan.build().outputSchema(),
            all,
            plan.buildKeys(),
            JoinKeys.ofBuild(plan),
            plan.joinType() == JoinType.RIGHT || plan.joinType() == JoinType.FULL,
            plan.residual().isEmpty()
                && (plan.joinType() == JoinType.SEMI || plan.joinType() == JoinType.ANTI),
            bridge.allocator());
    reservedBytes = builder.extraBytes();
    reserved = bridge.reservation().reserve(reservedBytes);
  }

  private Step build() {
    if (!reserved.isDone() || reserved.isCompletedExceptionally()) {
      return new Step.Blocked(reserved, Step.BlockReason.MEMORY);
    }
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

  @Override
  public void close() {
    rows.close();
    if (builder != null) {
      builder.close();
      builder = null;
    }
  }
}
