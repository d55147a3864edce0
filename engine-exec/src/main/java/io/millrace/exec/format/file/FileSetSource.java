package io.millrace.exec.format.file;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.spi.BatchSource;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.RuntimeFilter;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.ScanSpecification.ScanColumn;
import io.millrace.core.spi.Step;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.expression.CompiledExpression;
import io.millrace.exec.expression.CompiledPredicate;
import io.millrace.exec.expression.ExpressionCompiler;
import io.millrace.exec.expression.InputRemapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Adds a file's constant columns to its rows, and gives them the table's types. */
final class FileSetSource implements BatchSource {
  private final ScanSpecification specification;
  private final FileSetSplit split;
  private final List<PhysicalExpression> residual;
  private final ScanSpecification innerSpecification;
  private final BatchSource inner;
  private final ConnectorContext context;

  /** One an inner column; null where the type is right. */
  private final List<CompiledExpression> casts = new ArrayList<>();

  private CompiledPredicate filter;
  private boolean opened;
  private boolean excluded;

  /**
   * @param residual filters over the table's columns that are applied here
   * @param innerSpecification output columns without constants, then the inputs of the residual
   * @param inner becomes this source's
   */
  FileSetSource(
      ScanSpecification specification,
      FileSetSplit split,
      List<PhysicalExpression> residual,
      ScanSpecification innerSpecification,
      BatchSource inner,
      ConnectorContext context) {
    this.specification = specification;
    this.split = split;
    this.residual = List.copyOf(residual);
    this.innerSpecification = innerSpecification;
    this.inner = inner;
    this.context = context;
  }

  /** Filters on a constant decide on the whole split at once. */
  @Override
  public boolean restrict(List<RuntimeFilter> filters) {
    List<RuntimeFilter> handedOn = new ArrayList<>();
    for (RuntimeFilter runtime : filters) {
      ScanColumn column = specification.columns().get(runtime.column());
      if (split.constants().containsKey(column.sourceColumn())) {
        try (ColumnVector value = constant(column, 1)) {
          excluded |= runtime.select(value, null, 1, new int[1]) == 0;
        }
      } else if (split.ownTypes().containsKey(column.sourceColumn())) {
        return false;
      } else {
        handedOn.add(new MovedFilter(runtime, innerPosition(runtime.column())));
      }
    }
    return handedOn.isEmpty() || inner.restrict(handedOn);
  }

  private int innerPosition(int output) {
    int position = 0;
    for (ScanColumn column : specification.columns().subList(0, output)) {
      position += split.constants().containsKey(column.sourceColumn()) ? 0 : 1;
    }
    return position;
  }

  /** A filter of a column that has another position further down. */
  private record MovedFilter(RuntimeFilter filter, int column) implements RuntimeFilter {
    @Override
    public boolean mayMatch(long least, long greatest) {
      return filter.mayMatch(least, greatest);
    }

    @Override
    public int select(ColumnVector values, int[] rows, int count, int[] passing) {
      return filter.select(values, rows, count, passing);
    }

    @Override
    public boolean isUseful() {
      return filter.isUseful();
    }
  }

  @Override
  public Step poll() {
    if (excluded) {
      return Step.FINISHED;
    }
    while (inner.poll() instanceof Step step) {
      if (!(step instanceof Step.Output output)) {
        return step;
      }
      Batch batch = complete(output.batch());
      if (batch != null) {
        return new Step.Output(batch);
      }
    }
    return Step.FINISHED;
  }

  private void open() {
    if (opened) {
      return;
    }
    opened = true;
    ExpressionCompiler compiler = ExpressionCompiler.discovered();
    List<ScanColumn> columns = innerSpecification.columns();
    for (int index = 0; index < columns.size(); index++) {
      DataType own = columns.get(index).output().type();
      DataType wanted = wantedType(index);
      casts.add(
          own.equals(wanted)
              ? null
              : compiler.compile(
                  new PhysicalExpression.Cast(
                      new PhysicalExpression.Input(index, own), wanted, false),
                  context.allocator()));
    }
    if (!residual.isEmpty()) {
      List<Integer> inputs = residualInputs();
      List<PhysicalExpression> moved =
          residual.stream().map(part -> InputRemapping.apply(part, inputs::indexOf)).toList();
      filter =
          compiler.compilePredicate(
              moved.size() == 1 ? moved.getFirst() : new PhysicalExpression.Logical(true, moved),
              context.allocator());
    }
  }

  private List<Integer> residualInputs() {
    Set<Integer> used = new TreeSet<>();
    residual.forEach(part -> InputRemapping.collect(part, used));
    return List.copyOf(used);
  }

  private DataType wantedType(int innerColumn) {
    int position = innerColumn;
    for (ScanColumn column : specification.columns()) {
      if (!split.constants().containsKey(column.sourceColumn()) && position-- == 0) {
        return column.output().type();
      }
    }
    return specification.tableSchema().field(residualInputs().get(position)).type();
  }

  /** Null when no row passes; consumes the batch. */
  private Batch complete(Batch rows) {
    try (rows) {
      open();
      List<ColumnVector> columns = new ArrayList<>();
      try {
        for (int index = 0; index < casts.size(); index++) {
          CompiledExpression cast = casts.get(index);
          columns.add(cast == null ? rows.column(index).retain() : cast.evaluate(rows));
        }
        Optional<int[]> passing = Optional.empty();
        int count = rows.rowCount();
        if (filter != null) {
          int[] found = new int[rows.rowCount()];
          count = select(rows, columns, found);
          if (count == 0) {
            return null;
          }
          passing = Optional.of(found);
        }
        return outputs(rows, columns, passing, count);
      } finally {
        columns.forEach(ColumnVector::close);
      }
    }
  }

  private int select(Batch rows, List<ColumnVector> columns, int[] found) {
    List<Integer> inputs = residualInputs();
    Schema schema = specification.tableSchema().select(inputs);
    List<ColumnVector> values = columns.subList(columns.size() - inputs.size(), columns.size());
    try (Batch candidates =
        rows.share().withColumns(schema, values.stream().map(ColumnVector::retain).toList())) {
      return filter.select(candidates, found);
    }
  }

  private Batch outputs(
      Batch rows, List<ColumnVector> columns, Optional<int[]> passing, int count) {
    List<ColumnVector> outputs = new ArrayList<>();
    List<Field> fields = new ArrayList<>();
    int length = rows.physicalRowCount();
    try {
      int next = 0;
      for (ScanColumn column : specification.columns()) {
        fields.add(column.output());
        outputs.add(
            split.constants().containsKey(column.sourceColumn())
                ? constant(column, length)
                : columns.get(next++).retain());
      }
      List<ColumnVector> given = List.copyOf(outputs);
      outputs.clear();
      if (given.isEmpty()) {
        return new Batch(new Schema(fields), given, count);
      }
      Batch batch = rows.share().withColumns(new Schema(fields), given);
      return passing.isPresent() ? batch.withSelection(passing.get(), count) : batch;
    } finally {
      outputs.forEach(ColumnVector::close);
    }
  }

  private ColumnVector constant(ScanColumn column, int length) {
    String text = split.constants().get(column.sourceColumn());
    DataType type = column.output().type();
    Object value = text == null ? null : HivePartitions.value(text, type);
    return ConstantVector.of(type, value, length, context.allocator());
  }

  @Override
  public long readBytes() {
    return inner.readBytes();
  }

  @Override
  public void close() {
    inner.close();
    casts.forEach(
        cast -> {
          if (cast != null) {
            cast.close();
          }
        });
    casts.clear();
    if (filter != null) {
      filter.close();
      filter = null;
    }
  }
}
