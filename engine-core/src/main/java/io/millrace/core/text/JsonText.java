package io.millrace.core.text;

import io.millrace.core.batch.FileValue;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import java.lang.reflect.Array;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Java values of the engine as JSON (RFC 8259). Decimals are numbers with their scale, NaN and
 * infinities strings, binary base64 strings, images and tensors strings of type and shape, nested
 * values objects and arrays.
 */
public final class JsonText {
  private static final String HEX_DIGITS = "0123456789abcdef";

  private JsonText() {}

  /** Appends a value as {@code ColumnVector.valueAt} gives it; null as {@code null}. */
  public static void append(StringBuilder out, DataType type, Object value) {
    if (value == null) {
      out.append("null");
      return;
    }
    switch (type) {
      case DataType.Null any -> out.append("null");
      case DataType.Bool any -> out.append(value);
      case DataType.Int any -> out.append(value);
      case DataType.Float any -> appendFloat(out, (Number) value);
      case DataType.Decimal any -> PlainText.append(out, type, value);
      case DataType.Text any -> appendString(out, (String) value);
      case DataType.ListOf list -> appendElements(out, list.element().type(), value);
      case DataType.FixedList list -> appendElements(out, list.element().type(), value);
      case DataType.Embedding embedding -> appendElements(out, embedding.element(), value);
      case DataType.Struct struct -> appendStruct(out, struct.fields(), (Map<?, ?>) value);
      case DataType.MapOf map -> appendMap(out, map, (Map<?, ?>) value);
      case DataType.File any -> appendFile(out, (FileValue) value);
      case DataType.Date any -> appendQuoted(out, type, value);
      case DataType.Time any -> appendQuoted(out, type, value);
      case DataType.Timestamp any -> appendQuoted(out, type, value);
      case DataType.Duration any -> appendQuoted(out, type, value);
      case DataType.Interval any -> appendQuoted(out, type, value);
      case DataType.Binary any -> appendQuoted(out, type, value);
      case DataType.FixedBinary any -> appendQuoted(out, type, value);
      case DataType.Uuid any -> appendQuoted(out, type, value);
      case DataType.Image any -> appendQuoted(out, type, value);
      case DataType.FixedShapeImage any -> appendQuoted(out, type, value);
      case DataType.Tensor any -> appendQuoted(out, type, value);
      case DataType.FixedShapeTensor any -> appendQuoted(out, type, value);
      case DataType.SparseTensor any -> appendQuoted(out, type, value);
      case DataType.Reference any -> out.append(value);
    }
  }

  /** Appends a text as a JSON string. */
  public static void appendString(StringBuilder out, String text) {
    out.append('"');
    for (int index = 0; index < text.length(); index++) {
      char unit = text.charAt(index);
      switch (unit) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        default -> {
          if (unit < 0x20) {
            out.append("\\u00").append(HEX_DIGITS.charAt(unit >> 4));
            out.append(HEX_DIGITS.charAt(unit & 15));
          } else {
            out.append(unit);
          }
        }
      }
    }
    out.append('"');
  }

  private static void appendQuoted(StringBuilder out, DataType type, Object value) {
    StringBuilder text = new StringBuilder();
    PlainText.append(text, type, value);
    appendString(out, text.toString());
  }

  private static void appendFloat(StringBuilder out, Number value) {
    if (Double.isFinite(value.doubleValue())) {
      out.append(value);
    } else {
      out.append('"').append(value).append('"');
    }
  }

  private static void appendElements(StringBuilder out, DataType element, Object value) {
    out.append('[');
    boolean first = true;
    if (value instanceof Collection<?> elements) {
      for (Object item : elements) {
        out.append(first ? "" : ",");
        append(out, element, item);
        first = false;
      }
    } else {
      for (int index = 0; index < Array.getLength(value); index++) {
        out.append(first ? "" : ",");
        append(out, element, Array.get(value, index));
        first = false;
      }
    }
    out.append(']');
  }

  private static void appendStruct(StringBuilder out, List<Field> fields, Map<?, ?> members) {
    out.append('{');
    boolean first = true;
    for (Field field : fields) {
      out.append(first ? "" : ",");
      appendString(out, field.name());
      out.append(':');
      append(out, field.type(), members.get(field.name()));
      first = false;
    }
    out.append('}');
  }

  private static void appendMap(StringBuilder out, DataType.MapOf type, Map<?, ?> entries) {
    out.append('{');
    boolean first = true;
    for (Map.Entry<?, ?> entry : entries.entrySet()) {
      out.append(first ? "" : ",");
      StringBuilder key = new StringBuilder();
      PlainText.append(key, type.key().type(), entry.getKey());
      appendString(out, key.toString());
      out.append(':');
      append(out, type.value().type(), entry.getValue());
      first = false;
    }
    out.append('}');
  }

  private static void appendFile(StringBuilder out, FileValue file) {
    out.append("{\"uri\":");
    appendString(out, file.uri());
    out.append(",\"offset\":").append(file.offset());
    out.append(",\"size\":").append(file.size());
    out.append(",\"etag\":");
    append(out, DataType.STRING, file.etag());
    out.append('}');
  }
}
