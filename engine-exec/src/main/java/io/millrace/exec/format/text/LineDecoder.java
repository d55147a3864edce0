package io.millrace.exec.format.text;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.spi.ScanSpecification;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Each line is a row, without its line end. */
final class LineDecoder implements RecordDecoder {
  private final ScanSpecification specification;
  private final int batchRows;
  private final long batchBytes;
  private final BufferAllocator allocator;
  private final LineBuffer lines = new LineBuffer();

  LineDecoder(
      ScanSpecification specification, int batchRows, long batchBytes, BufferAllocator allocator) {
    this.specification = specification;
    this.batchRows = batchRows;
    this.batchBytes = batchBytes;
    this.allocator = allocator;
  }

  @Override
  public void accept(byte[] bytes, int length, boolean last) {
    lines.accept(bytes, length, last);
  }

  @Override
  public Batch next() throws RecordFault {
    try (VectorBuilder text = new VectorBuilder(LineConnector.TEXT.type(), allocator)) {
      while (text.length() < batchRows && text.bytes() < batchBytes && lines.next()) {
        int from = lines.start();
        int to = lines.end();
        if (to > from && lines.bytes()[to - 1] == '\r') {
          to--;
        }
        if (!Utf8Text.isValid(lines.bytes(), from, to)) {
          throw new RecordFault(ErrorCode.MALFORMED_VALUE, "A line is not UTF-8.", lines.offset());
        }
        text.appendBytes(lines.bytes(), from, to - from);
      }
      int rows = text.length();
      if (rows == 0) {
        return null;
      }
      List<ColumnVector> columns = new ArrayList<>();
      try (ColumnVector column = text.finish()) {
        specification.columns().forEach(wanted -> columns.add(column.retain()));
      }
      return new Batch(specification.outputSchema(), columns, rows);
    }
  }

  @Override
  public void close() {
    lines.close();
  }
}
