package io.millrace.exec.operator.join;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.Gather;
import io.millrace.core.plan.JoinType;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.Step;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Schema;
import io.millrace.exec.bridge.JoinBridge;
import io.millrace.exec.expression.CompiledPredicate;
import io.millrace.exec.expression.ExpressionCompiler;
import io.millrace.exec.pipeline.Operator;
import io.millrace.exec.pipeline.OperatorContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Probes the table of a {@link JoinBridge}. One step gives at most one batch of pairs, however many
 * matches a row has. Where each probe row has at most one match, the probe columns pass through
 * uncopied; rows without a match get constant null columns.
 */
public final class HashJoinOperator implements Operator {
  private final PhysicalPlan.HashJoin plan;
  private final JoinType type;
  private final JoinBridge<BuildSide> bridge;
  private final JoinSpill spill;
  private final ExpressionCompiler expressions;
  private final Schema pairSchema;
  private OperatorContext context;
  private KeyNumbers.Scratch keys;
  private CompiledPredicate residual;
  private JoinTable table;

  /** Of a join on disk; null otherwise. */
  private SpilledProbe spilled;

  private boolean joinsPartitions;
  private CompletableFuture<Void> awaited;
  private boolean inputEnded;
  private boolean probeCounted;
  private boolean closed;

  // The batch that is probed.
  private Batch probe;
  private int[] numbers = new int[0];
  private boolean[] matched = new boolean[0];
  private boolean probed;
  private int probeRow;
  private int place;

  // Of each pair made last: the position among the probe batch's selected rows, and the build row.
  private int[] pairPositions;
  private int[] pairBuildRows;

  // Build rows without a match, after the end of the input.
  private boolean givingUnmatched;
  private int buildRow;

  public HashJoinOperator(
      PhysicalPlan.HashJoin plan,
      JoinBridge<BuildSide> bridge,
      JoinSpill spill,
      ExpressionCompiler expressions) {
    this.plan = plan;
    this.spill = spill;
    this.type = plan.joinType();
    this.bridge = bridge;
    this.expressions = expressions;
    this.pairSchema = plan.probe().outputSchema().concat(plan.build().outputSchema());
  }

  @Override
  public Schema outputSchema() {
    return plan.outputSchema();
  }

  @Override
  public void open(OperatorContext operatorContext) {
    context = operatorContext;
    keys = new KeyNumbers.Scratch(JoinKeys.ofProbe(plan));
    if (plan.residual().isPresent()) {
      residual = expressions.compilePredicate(plan.residual().get(), context.allocator());
    }
  }

  @Override
  public void addInput(Batch input) {
    probe = input;
    probed = false;
  }

  @Override
  public void noMoreInput() {
    inputEnded = true;
  }

  @Override
  public Step advance() {
    if (spilled != null) {
      return advanceSpilled();
    }
    if (table == null) {
      if (!bridge.built().isDone()) {
        if (awaited == null) {
          awaited = bridge.built().thenApply(ready -> null);
        }
        return new Step.Blocked(awaited, Step.BlockReason.UPSTREAM);
      }
      switch (bridge.built().join()) {
        case JoinTable inMemory -> table = inMemory;
        case SpilledBuild onDisk -> {
          spilled = new SpilledProbe(plan, spill, context);
          return CONTINUE;
        }
      }
    }
    if (probe != null) {
      return probe();
    }
    if (!inputEnded) {
      return needsNoProbe() ? Step.FINISHED : Step.NEED_INPUT;
    }
    return unmatchedBuildRows();
  }

  /** First the probe rows go to disk; then the last driver joins partition by partition. */
  private Step advanceSpilled() {
    if (!joinsPartitions) {
      if (probe != null) {
        Batch batch = probe;
        probe = null;
        return spilled.write(batch);
      }
      if (!inputEnded) {
        return Step.NEED_INPUT;
      }
      probeCounted = true;
      if (!bridge.probeEnded() || !spilled.next()) {
        return Step.FINISHED;
      }
      joinsPartitions = true;
    }
    if (probe != null) {
      return probe();
    }
    if (table == null) {
      Step.Blocked loading = spilled.load();
      if (loading != null) {
        return loading;
      }
      table = spilled.table();
      buildRow = 0;
      givingUnmatched = false;
    }
    if (givingUnmatched) {
      Step step = unmatchedRows();
      return step instanceof Step.Finished ? nextPartition() : step;
    }
    Step.Blocked reading = spilled.readProbe();
    if (reading != null) {
      return reading;
    }
    spilled.takeProbe().ifPresentOrElse(this::addInput, () -> givingUnmatched = true);
    return CONTINUE;
  }

  private Step nextPartition() {
    table = null;
    return spilled.next() ? CONTINUE : Step.FINISHED;
  }

  /** Over no build rows most joins give nothing: the probe side need not even start. */
  private boolean needsNoProbe() {
    return table.rowCount() == 0
        && (type == JoinType.INNER || type == JoinType.RIGHT || type == JoinType.SEMI);
  }

  private Step probe() {
    if (!probed) {
      int rowCount = probe.rowCount();
      if (numbers.length < rowCount) {
        numbers = new int[rowCount];
        matched = new boolean[rowCount];
      }
      table.find(probe, plan.probeKeys(), keys, numbers);
      Arrays.fill(matched, 0, rowCount, false);
      probed = true;
      probeRow = 0;
      place = 0;
      if (canPassThrough()) {
        return passThrough();
      }
    }
    Batch pairs = needsPairs() ? pairs() : null;
    if (pairs != null) {
      Batch passed = applyResidual(pairs);
      return passed == null ? CONTINUE : new Step.Output(passed);
    }
    return probeEnd();
  }

  /** SEMI and ANTI without residual only ask whether there is a match. */
  private boolean needsPairs() {
    return residual != null || type != JoinType.SEMI && type != JoinType.ANTI;
  }

  private boolean canPassThrough() {
    if (!table.isUnique()) {
      return false;
    }
    return type == JoinType.INNER || type == JoinType.LEFT && residual == null;
  }

  /** At most one match per row: selects probe rows and brings the build columns beside them. */
  private Step passThrough() {
    Batch batch = probe;
    probe = null;
    int rowCount = batch.rowCount();
    int[] selection = batch.selection();
    int[] kept = new int[rowCount];
    int count = 0;
    int[] buildRows = new int[batch.physicalRowCount()];
    if (type == JoinType.LEFT) {
      Arrays.fill(buildRows, -1);
    }
    for (int row = 0; row < rowCount; row++) {
      if (numbers[row] >= 0) {
        int physical = selection == null ? row : selection[row];
        kept[count++] = physical;
        buildRows[physical] = table.row(table.start(numbers[row]));
      }
    }
    if (type == JoinType.LEFT) {
      return new Step.Output(beside(batch, buildRows));
    }
    if (count == 0) {
      batch.close();
      return CONTINUE;
    }
    Batch selected = count == rowCount ? batch : batch.withSelection(kept, count);
    if (2L * count < selected.physicalRowCount()) {
      selected = selected.compact(context.allocator());
      int[] compacted = new int[count];
      for (int index = 0; index < count; index++) {
        compacted[index] = buildRows[kept[index]];
      }
      buildRows = compacted;
    }
    Batch passed = applyResidualToPairs(beside(selected, buildRows));
    return passed == null ? CONTINUE : new Step.Output(passed);
  }

  /** The batch with build columns appended, one build row per physical row; consumes the batch. */
  private Batch beside(Batch batch, int[] buildRows) {
    List<ColumnVector> columns = new ArrayList<>();
    try {
      for (ColumnVector column : batch.columns()) {
        columns.add(column.retain());
      }
      for (ColumnVector column : table.rows().columns()) {
        columns.add(Gather.rows(column, buildRows, batch.physicalRowCount(), context.allocator()));
      }
    } catch (RuntimeException | Error failure) {
      columns.forEach(ColumnVector::close);
      batch.close();
      throw failure;
    }
    return batch.withColumns(outputSchema(), columns);
  }

  /** The next pairs of the probe batch; null when there are no more. */
  private Batch pairs() {
    int limit = pairLimit();
    int[] probeRows = new int[limit];
    int[] buildRows = new int[limit];
    pairPositions = new int[limit];
    int count = 0;
    int rowCount = probe.rowCount();
    int[] selection = probe.selection();
    while (probeRow < rowCount && count < limit) {
      int number = numbers[probeRow];
      boolean decided = type == JoinType.SEMI && matched[probeRow];
      int end = number < 0 || decided ? 0 : table.end(number);
      int from = number < 0 || decided ? 0 : table.start(number) + place;
      int taken = Math.min(end - from, limit - count);
      int physical = selection == null ? probeRow : selection[probeRow];
      for (int index = 0; index < taken; index++) {
        probeRows[count] = physical;
        buildRows[count] = table.row(from + index);
        pairPositions[count++] = probeRow;
      }
      if (from + taken < end) {
        place += taken;
      } else {
        probeRow++;
        place = 0;
      }
    }
    if (count == 0) {
      return null;
    }
    return gatherPairs(probeRows, buildRows, count);
  }

  private Batch gatherPairs(int[] probeRows, int[] buildRows, int count) {
    pairBuildRows = buildRows;
    List<ColumnVector> columns = new ArrayList<>(pairSchema.size());
    try {
      for (ColumnVector column : probe.columns()) {
        columns.add(Gather.rows(column, probeRows, count, context.allocator()));
      }
      for (ColumnVector column : table.rows().columns()) {
        columns.add(Gather.rows(column, buildRows, count, context.allocator()));
      }
    } catch (RuntimeException | Error failure) {
      columns.forEach(ColumnVector::close);
      throw failure;
    }
    return new Batch(pairSchema, columns, count);
  }

  private int pairLimit() {
    long probeBytes = probe.retainedBytes() / Math.max(1, probe.physicalRowCount());
    long buildBytes = table.rows().retainedBytes() / Math.max(1, table.rowCount());
    return context.rowsPerBatch(probeBytes + buildBytes);
  }

  /** Marks the matches among the pairs; gives those to be put out, or null. Consumes the pairs. */
  private Batch applyResidual(Batch pairs) {
    int count = pairs.rowCount();
    int[] passing = null;
    if (residual != null) {
      passing = new int[count];
      try {
        count = residual.select(pairs, passing);
      } catch (RuntimeException | Error failure) {
        pairs.close();
        throw failure;
      }
    }
    for (int index = 0; index < count; index++) {
      int pair = passing == null ? index : passing[index];
      matched[pairPositions[pair]] = true;
      if (type == JoinType.RIGHT || type == JoinType.FULL) {
        table.mark(pairBuildRows[pair]);
      }
    }
    if (count == 0 || type == JoinType.SEMI || type == JoinType.ANTI) {
      pairs.close();
      return null;
    }
    Batch named = pairs.withSchema(outputSchema());
    return count == named.rowCount() ? named : named.withSelection(passing, count);
  }

  private Batch applyResidualToPairs(Batch pairs) {
    if (residual == null) {
      return pairs;
    }
    int[] passing = new int[pairs.rowCount()];
    int count;
    try {
      count = residual.select(pairs, passing);
    } catch (RuntimeException | Error failure) {
      pairs.close();
      throw failure;
    }
    if (count == 0) {
      pairs.close();
      return null;
    }
    return count == pairs.rowCount() ? pairs : pairs.withSelection(passing, count);
  }

  /** All pairs were given: what is left are the rows with, or without, a match. */
  private Step probeEnd() {
    Batch batch = probe;
    probe = null;
    boolean wanted = type == JoinType.SEMI;
    switch (type) {
      case INNER, RIGHT -> {
        batch.close();
        return CONTINUE;
      }
      case LEFT, FULL, SEMI, ANTI -> {}
    }
    int rowCount = batch.rowCount();
    int[] selection = batch.selection();
    int[] kept = new int[rowCount];
    int count = 0;
    for (int row = 0; row < rowCount; row++) {
      boolean match = needsPairs() ? matched[row] : numbers[row] >= 0;
      if (match == wanted) {
        kept[count++] = selection == null ? row : selection[row];
      }
    }
    if (count == 0) {
      batch.close();
      return CONTINUE;
    }
    Batch rows = count == rowCount ? batch : batch.withSelection(kept, count);
    if (type == JoinType.SEMI || type == JoinType.ANTI) {
      return new Step.Output(rows.withSchema(outputSchema()));
    }
    return new Step.Output(withNulls(rows));
  }

  /** The probe rows with nulls for the build columns; consumes the batch. */
  private Batch withNulls(Batch batch) {
    List<ColumnVector> columns = new ArrayList<>();
    for (ColumnVector column : batch.columns()) {
      columns.add(column.retain());
    }
    for (ColumnVector column : table.rows().columns()) {
      columns.add(
          ConstantVector.ofNull(column.type(), batch.physicalRowCount(), context.allocator()));
    }
    return batch.withColumns(outputSchema(), columns);
  }

  private Step unmatchedBuildRows() {
    if (!probeCounted) {
      probeCounted = true;
      boolean last = bridge.probeEnded();
      givingUnmatched = last;
    }
    return givingUnmatched ? unmatchedRows() : Step.FINISHED;
  }

  private Step unmatchedRows() {
    if (type != JoinType.RIGHT && type != JoinType.FULL) {
      return Step.FINISHED;
    }
    int limit = context.rowsPerBatch(table.rows().retainedBytes() / Math.max(1, table.rowCount()));
    int[] rows = new int[limit];
    int count = 0;
    while (buildRow < table.rowCount() && count < limit) {
      if (!table.isMarked(buildRow)) {
        rows[count++] = buildRow;
      }
      buildRow++;
    }
    if (count == 0) {
      return Step.FINISHED;
    }
    return new Step.Output(withoutProbe(rows, count));
  }

  /** Build rows with nulls for the probe columns. */
  private Batch withoutProbe(int[] buildRows, int count) {
    List<ColumnVector> columns = new ArrayList<>(pairSchema.size());
    try {
      for (DataType nullType : plan.probe().outputSchema().types()) {
        columns.add(ConstantVector.ofNull(nullType, count, context.allocator()));
      }
      for (ColumnVector column : table.rows().columns()) {
        columns.add(Gather.rows(column, buildRows, count, context.allocator()));
      }
    } catch (RuntimeException | Error failure) {
      columns.forEach(ColumnVector::close);
      throw failure;
    }
    return new Batch(outputSchema(), columns, count);
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (probe != null) {
      probe.close();
      probe = null;
    }
    if (residual != null) {
      residual.close();
      residual = null;
    }
    if (!probeCounted) {
      probeCounted = true;
      bridge.probeAbandoned();
    }
    table = null;
    if (spilled != null) {
      spilled.close();
    }
  }
}
