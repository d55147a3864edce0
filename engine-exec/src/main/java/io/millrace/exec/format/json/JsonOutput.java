package io.millrace.exec.format.json;

import io.millrace.core.batch.Batch;
import io.millrace.core.spi.ByteSource;
import io.millrace.core.text.CellText;
import io.millrace.core.text.JsonText;
import io.millrace.core.type.Schema;
import io.millrace.exec.format.output.FileFormat;
import io.millrace.exec.format.text.TextJoin;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** JSON lines as an output: one object a row, null members included. */
final class JsonOutput implements FileFormat {
  private static final int PIECE_CHARS = 1 << 16;

  private final Schema schema;

  JsonOutput(Schema schema) {
    this.schema = schema;
  }

  @Override
  public String suffix() {
    return ".jsonl";
  }

  @Override
  public RowOutput open(OutputStream stream) {
    return new Rows(stream);
  }

  @Override
  public void join(List<ByteSource> parts, OutputStream target) throws IOException {
    TextJoin.join(parts, 0, target);
  }

  private final class Rows implements RowOutput {
    private final OutputStream stream;
    private final StringBuilder text = new StringBuilder();
    private final List<String> keys = new ArrayList<>();

    Rows(OutputStream stream) {
      this.stream = stream;
      for (String name : schema.names()) {
        StringBuilder key = new StringBuilder(keys.isEmpty() ? "{" : ",");
        JsonText.appendString(key, name);
        keys.add(key.append(':').toString());
      }
    }

    @Override
    public void write(Batch batch) throws IOException {
      try (batch) {
        for (int row = 0; row < batch.rowCount(); row++) {
          int physical = batch.physicalRow(row);
          for (int index = 0; index < keys.size(); index++) {
            text.append(keys.get(index));
            CellText.appendJson(text, batch.column(index), physical);
          }
          text.append(keys.isEmpty() ? "{}\n" : "}\n");
          if (text.length() >= PIECE_CHARS) {
            flush();
          }
        }
      }
    }

    @Override
    public void finish() throws IOException {
      flush();
    }

    private void flush() throws IOException {
      stream.write(text.toString().getBytes(StandardCharsets.UTF_8));
      text.setLength(0);
    }
  }
}
