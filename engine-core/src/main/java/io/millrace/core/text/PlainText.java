package io.millrace.core.text;

import io.millrace.core.batch.ImageValue;
import io.millrace.core.batch.IntervalValue;
import io.millrace.core.batch.SparseTensorValue;
import io.millrace.core.batch.TensorValue;
import io.millrace.core.type.DataType;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;

/**
 * Java values of the engine as text without quotes: what CSV fields and table cells hold. Dates and
 * times are ISO 8601, timestamps with a zone in UTC with {@code Z}; floats have the fewest digits
 * that read back exactly; nested values are JSON.
 */
public final class PlainText {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private PlainText() {}

  /** Appends a value as {@code ColumnVector.valueAt} gives it, which is not null. */
  public static void append(StringBuilder out, DataType type, Object value) {
    switch (type) {
      case DataType.Null any -> {}
      case DataType.Bool any -> out.append(value);
      case DataType.Int any -> out.append(value);
      case DataType.Float any -> out.append(value);
      case DataType.Decimal any -> out.append(((BigDecimal) value).toPlainString());
      case DataType.Text any -> out.append((String) value);
      case DataType.Date any -> out.append(value);
      case DataType.Time any -> DateTimeFormatter.ISO_LOCAL_TIME.formatTo((LocalTime) value, out);
      case DataType.Timestamp any -> appendTimestamp(out, value);
      case DataType.Duration any -> out.append(value);
      case DataType.Interval any -> appendInterval(out, (IntervalValue) value);
      case DataType.Binary any -> appendBase64(out, (byte[]) value);
      case DataType.FixedBinary any -> appendBase64(out, (byte[]) value);
      case DataType.Uuid any -> out.append(value);
      case DataType.ListOf any -> JsonText.append(out, type, value);
      case DataType.FixedList any -> JsonText.append(out, type, value);
      case DataType.Struct any -> JsonText.append(out, type, value);
      case DataType.MapOf any -> JsonText.append(out, type, value);
      case DataType.Embedding any -> JsonText.append(out, type, value);
      case DataType.File any -> JsonText.append(out, type, value);
      case DataType.Image any -> out.append(imageShape((ImageValue) value));
      case DataType.FixedShapeImage any -> out.append(imageShape((ImageValue) value));
      case DataType.Tensor any -> appendTensor(out, type, value);
      case DataType.FixedShapeTensor any -> appendTensor(out, type, value);
      case DataType.SparseTensor any -> appendTensor(out, type, value);
      case DataType.Reference any -> out.append(value);
    }
  }

  private static void appendTimestamp(StringBuilder out, Object value) {
    boolean zoned = value instanceof Instant;
    LocalDateTime local =
        zoned ? LocalDateTime.ofInstant((Instant) value, ZoneOffset.UTC) : (LocalDateTime) value;
    DateTimeFormatter.ISO_LOCAL_DATE_TIME.formatTo(local, out);
    out.append(zoned ? "Z" : "");
  }

  private static void appendInterval(StringBuilder out, IntervalValue interval) {
    BigDecimal seconds =
        BigDecimal.valueOf(interval.nanoseconds())
            .divide(BigDecimal.valueOf(NANOS_PER_SECOND))
            .stripTrailingZeros();
    boolean empty = interval.months() == 0 && interval.days() == 0;
    out.append('P');
    out.append(interval.months() == 0 ? "" : interval.months() + "M");
    out.append(interval.days() == 0 ? "" : interval.days() + "D");
    out.append(empty || seconds.signum() != 0 ? "T" + seconds.toPlainString() + "S" : "");
  }

  private static void appendBase64(StringBuilder out, byte[] bytes) {
    out.append(Base64.getEncoder().encodeToString(bytes));
  }

  private static String imageShape(ImageValue image) {
    return "image(" + image.mode() + ", " + image.height() + "x" + image.width() + ")";
  }

  private static void appendTensor(StringBuilder out, DataType type, Object value) {
    switch (value) {
      case TensorValue tensor -> out.append(type).append('[').append(join(tensor.shape()));
      case SparseTensorValue tensor -> out.append(type).append('[').append(join(tensor.shape()));
      default -> out.append(type).append('[');
    }
    out.append(']');
  }

  private static String join(int[] extents) {
    StringBuilder text = new StringBuilder();
    for (int extent : extents) {
      text.append(text.isEmpty() ? "" : "x").append(extent);
    }
    return text.toString();
  }
}
