package io.millrace.exec.operator.transform;

import io.millrace.core.batch.Batch;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.Step;
import io.millrace.core.type.Schema;
import io.millrace.exec.operator.key.KeyRows;
import io.millrace.exec.pipeline.Operator;
import io.millrace.exec.pipeline.OperatorContext;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Keeps a random share of the rows, by selection. */
public final class SampleOperator implements Operator {
  private static final long GOLDEN = 0x9e37_79b9_7f4a_7c15L;

  private final PhysicalPlan.Sample plan;
  private final List<Integer> columns;
  private KeyRows keys;
  private SplittableRandom random;
  private Batch pending;
  private boolean inputEnded;

  public SampleOperator(PhysicalPlan.Sample plan) {
    this.plan = plan;
    this.columns = IntStream.range(0, plan.outputSchema().size()).boxed().toList();
  }

  @Override
  public Schema outputSchema() {
    return plan.outputSchema();
  }

  @Override
  public void open(OperatorContext context) {
    random = new SplittableRandom();
    keys = KeyRows.ofGroups(plan.outputSchema().types());
  }

  @Override
  public void addInput(Batch input) {
    pending = input;
  }

  @Override
  public void noMoreInput() {
    inputEnded = true;
  }

  @Override
  public Step advance() {
    if (pending == null) {
      return inputEnded ? Step.FINISHED : Step.NEED_INPUT;
    }
    Batch batch = pending;
    pending = null;
    int[] rows = new int[batch.rowCount()];
    int count = choose(batch, rows);
    if (count == 0) {
      batch.close();
      return inputEnded ? Step.FINISHED : Step.NEED_INPUT;
    }
    return new Step.Output(count == batch.rowCount() ? batch : batch.withSelection(rows, count));
  }

  private int choose(Batch batch, int[] rows) {
    boolean seeded = plan.seed().isPresent();
    boolean all = plan.blocks() && !seeded && random.nextDouble() < plan.share();
    if (plan.blocks() && !seeded && !all) {
      return 0;
    }
    if (seeded) {
      keys.encode(batch, columns);
    }
    int count = 0;
    for (int row = 0; row < rows.length; row++) {
      if (all || (seeded ? fraction(keys.hash(row)) : random.nextDouble()) < plan.share()) {
        rows[count++] = batch.physicalRow(row);
      }
    }
    return count;
  }

  /** From 0 to below 1, by the row's values and the seed. */
  private double fraction(long hash) {
    return new SplittableRandom(hash ^ plan.seed().orElse(0) * GOLDEN).nextDouble();
  }

  @Override
  public void close() {
    if (pending != null) {
      pending.close();
      pending = null;
    }
  }
}
