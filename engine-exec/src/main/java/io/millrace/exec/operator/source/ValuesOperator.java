package io.millrace.exec.operator.source;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.spi.Step;
import io.millrace.core.type.Schema;
import io.millrace.exec.pipeline.OperatorContext;
import io.millrace.exec.pipeline.SourceOperator;
import java.util.ArrayList;
import java.util.List;

/** Gives constant rows. */
public final class ValuesOperator implements SourceOperator {
  private final Schema schema;
  private final List<List<Object>> rows;
  private OperatorContext context;
  private int position;

  public ValuesOperator(Schema schema, List<List<Object>> rows) {
    this.schema = schema;
    this.rows = rows;
  }

  @Override
  public Schema outputSchema() {
    return schema;
  }

  @Override
  public void open(OperatorContext operatorContext) {
    context = operatorContext;
  }

  @Override
  public Step advance() {
    if (position >= rows.size()) {
      return Step.FINISHED;
    }
    int end = Math.min(rows.size(), position + context.batchRows());
    List<ColumnVector> columns = new ArrayList<>(schema.size());
    try {
      for (int column = 0; column < schema.size(); column++) {
        try (VectorBuilder builder =
            new VectorBuilder(schema.field(column).type(), context.allocator())) {
          for (List<Object> row : rows.subList(position, end)) {
            builder.appendValue(row.get(column));
          }
          columns.add(builder.finish());
        }
      }
    } catch (RuntimeException | Error failure) {
      columns.forEach(ColumnVector::close);
      throw failure;
    }
    int count = end - position;
    position = end;
    return new Step.Output(new Batch(schema, columns, count));
  }

  @Override
  public void close() {
    position = rows.size();
  }
}
