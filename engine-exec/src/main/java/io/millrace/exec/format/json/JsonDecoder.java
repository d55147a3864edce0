package io.millrace.exec.format.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.ScanSpecification.ScanColumn;
import io.millrace.core.type.Field;
import io.millrace.exec.format.text.RecordDecoder;
import io.millrace.exec.format.text.RecordFault;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;

/** Turns lines of JSON into batches. */
final class JsonDecoder implements RecordDecoder {
  private static final int UNKNOWN = -2;
  private static final int NOT_READ = -1;

  private final ScanSpecification specification;
  private final boolean mayLackColumns;
  private final int batchRows;
  private final long batchBytes;
  private final BufferAllocator allocator;
  private final Map<String, Integer> positions = new HashMap<>();
  private final List<JsonValueReader> readers = new ArrayList<>();
  private final JsonRecords records;
  private RecordFault fault;

  /**
   * @param form of the split's file
   * @param mayLackColumns whether objects may have names that are no columns
   */
  JsonDecoder(
      ScanSpecification specification,
      JsonForm form,
      boolean mayLackColumns,
      int batchRows,
      long batchBytes,
      BufferAllocator allocator) {
    this.specification = specification;
    this.records = form.records();
    this.mayLackColumns = mayLackColumns;
    this.batchRows = batchRows;
    this.batchBytes = batchBytes;
    this.allocator = allocator;
    for (Field field : specification.tableSchema().fields()) {
      positions.put(field.name(), NOT_READ);
    }
    for (ScanColumn column : specification.columns()) {
      positions.put(column.sourceColumn(), readers.size());
      readers.add(JsonValueReader.of(column.output().type(), mayLackColumns));
    }
  }

  @Override
  public void accept(byte[] bytes, int length, boolean last) {
    records.accept(bytes, length, last);
  }

  @Override
  public Batch next() throws RecordFault {
    if (fault != null) {
      throw fault;
    }
    List<VectorBuilder> builders = new ArrayList<>();
    List<ColumnVector> columns = new ArrayList<>();
    try {
      for (ScanColumn column : specification.columns()) {
        builders.add(new VectorBuilder(column.output().type(), allocator));
      }
      int rows = fill(builders);
      if (rows == 0) {
        if (fault != null) {
          throw fault;
        }
        return null;
      }
      for (VectorBuilder builder : builders) {
        // A faulty line may have left a part of itself.
        try (FlatVector built = builder.finish()) {
          columns.add(built.slice(0, rows));
        }
      }
      List<ColumnVector> given = List.copyOf(columns);
      columns.clear();
      return new Batch(specification.outputSchema(), given, rows);
    } finally {
      builders.forEach(VectorBuilder::close);
      columns.forEach(ColumnVector::close);
    }
  }

  private int fill(List<VectorBuilder> builders) {
    int rows = 0;
    long bytes = 0;
    while (rows < batchRows && bytes < batchBytes) {
      try {
        if (!records.next()) {
          break;
        }
        bytes += records.end() - records.start();
        row(builders, rows);
        rows++;
      } catch (JsonMisfitException problem) {
        fault = new RecordFault(ErrorCode.MALFORMED_VALUE, problem.getMessage(), records.offset());
        break;
      } catch (IOException problem) {
        String reason =
            problem instanceof JsonProcessingException json
                ? json.getOriginalMessage()
                : problem.getMessage();
        fault =
            new RecordFault(
                ErrorCode.INVALID_FILE,
                "A record is no JSON object: " + reason + ".",
                records.offset());
        break;
      }
    }
    return rows;
  }

  private void row(List<VectorBuilder> builders, int row) throws IOException {
    try (JsonParser parser = JsonLines.parser(records.bytes(), records.start(), records.end())) {
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        int column = positions.getOrDefault(name, UNKNOWN);
        if (column == UNKNOWN) {
          JsonLines.skipUnknown(parser, mayLackColumns);
        } else if (column == NOT_READ) {
          JsonLines.skipUnknown(parser, true);
        } else {
          VectorBuilder target = builders.get(column);
          JsonLines.requireFirst(parser, target.length() > row);
          parser.nextToken();
          value(parser, column, target, name);
        }
      }
      JsonLines.requireEnd(parser);
    }
    for (VectorBuilder builder : builders) {
      if (builder.length() == row) {
        builder.appendNull();
      }
    }
  }

  private void value(JsonParser parser, int column, VectorBuilder target, String name)
      throws IOException {
    try {
      readers.get(column).appendNullable(parser, target);
    } catch (JsonMisfitException problem) {
      throw new JsonMisfitException(problem.getMessage() + " Column '" + name + "'.");
    }
  }

  @Override
  public void close() {}
}
