package io.millrace.cluster.cli.output;

import io.millrace.core.batch.Batch;
import io.millrace.core.text.CellText;
import io.millrace.core.text.JsonText;
import io.millrace.core.type.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One JSON object a line. A column name that occurs twice gets a number the second time, for most
 * readers keep only one of two equal keys. Results follow each other without a separator.
 */
final class JsonWriter implements ResultWriter {
  private final TextSink sink;
  private List<String> keys = List.of();

  JsonWriter(OutputStream out) {
    this.sink = new TextSink(out);
  }

  @Override
  public void begin(Schema schema) {
    Set<String> used = new HashSet<>(schema.names());
    Set<String> seen = new HashSet<>();
    keys = new ArrayList<>();
    for (String name : schema.names()) {
      String unique = name;
      for (int number = 1; !seen.add(unique); number++) {
        unique = used.contains(name + "_" + number) ? unique : name + "_" + number;
      }
      StringBuilder key = new StringBuilder(keys.isEmpty() ? "{" : ",");
      JsonText.appendString(key, unique);
      keys.add(key.append(':').toString());
    }
  }

  @Override
  public void write(Batch batch) throws IOException {
    StringBuilder text = sink.text();
    for (int row = 0; row < batch.rowCount(); row++) {
      int physical = batch.physicalRow(row);
      text.append(keys.isEmpty() ? "{" : "");
      for (int index = 0; index < keys.size(); index++) {
        text.append(keys.get(index));
        CellText.appendJson(text, batch.column(index), physical);
      }
      text.append("}\n");
      sink.passOn();
    }
  }

  @Override
  public void end() throws IOException {
    sink.flush();
  }
}
