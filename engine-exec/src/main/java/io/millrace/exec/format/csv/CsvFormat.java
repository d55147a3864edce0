package io.millrace.exec.format.csv;

import io.millrace.core.spi.ByteSource;
import io.millrace.core.type.Schema;
import io.millrace.exec.format.output.FileFormat;
import io.millrace.exec.format.text.TextJoin;
import io.millrace.exec.format.text.TextOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Delimited text as an output. Options: {@code header} (default true), {@code delimiter} ({@code
 * sep}, {@code delim}; default the comma), {@code null_value} ({@code nullstr}; default empty).
 */
final class CsvFormat implements FileFormat {
  static final Set<String> OPTIONS =
      Set.of("header", "delimiter", "delim", "sep", "null_value", "nullstr");

  private final Schema schema;
  private final char delimiter;
  private final boolean header;
  private final String nullText;

  CsvFormat(Schema schema, Map<String, String> values, boolean isTabbed) {
    TextOptions options = new TextOptions(values);
    byte otherwise = (byte) (isTabbed ? '\t' : ',');
    this.schema = schema;
    this.delimiter = (char) (byte) options.character("delimiter", "delim", "sep").orElse(otherwise);
    this.header = options.flag("header", true);
    this.nullText = options.text("null_value", "nullstr").orElse("");
  }

  @Override
  public String suffix() {
    return ".csv";
  }

  @Override
  public RowOutput open(OutputStream stream) {
    return new CsvOutput(stream, schema, delimiter, header, nullText);
  }

  /** Every part begins with the same header; only the first one's is kept. */
  @Override
  public void join(List<ByteSource> parts, OutputStream target) throws IOException {
    int headerBytes = 0;
    if (header) {
      CountingStream counter = new CountingStream();
      open(counter).finish();
      headerBytes = counter.count;
    }
    TextJoin.join(parts, headerBytes, target);
  }

  /** Counts what is written. */
  private static final class CountingStream extends OutputStream {
    private int count;

    @Override
    public void write(int value) {
      count++;
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      count += length;
    }
  }
}
