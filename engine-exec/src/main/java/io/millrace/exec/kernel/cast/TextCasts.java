package io.millrace.exec.kernel.cast;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** Conversions of text; blanks around a value are skipped. */
final class TextCasts {
  /** A decimal with an exponent beyond this is no number of 38 digits. */
  private static final int EXPONENT_LIMIT = 1_000;

  private TextCasts() {}

  static Optional<ScalarKernel> of(CastRequest request) {
    return switch (request.to()) {
      case DataType.Int to -> Optional.of(new TextToInteger(to, request));
      case DataType.Bool to -> Optional.of(new RowCast(request, TextCasts::appendBoolean));
      case DataType.Float to ->
          Optional.of(
              new RowCast(request, (source, row, target) -> appendFloat(to, source, row, target)));
      case DataType.Decimal to ->
          Optional.of(
              new RowCast(
                  request, (source, row, target) -> appendDecimal(to, source, row, target)));
      case DataType.Uuid to -> Optional.of(new RowCast(request, TextCasts::appendUuid));
      case DataType.Binary to -> Optional.of(new RetypeKernel(to));
      case DataType.FixedBinary to -> BinaryCasts.of(request);
      default -> TextToTemporal.of(request);
    };
  }

  private static boolean appendBoolean(FlatVector source, int row, VectorBuilder target) {
    switch (source.textAt(row).strip().toLowerCase(Locale.ROOT)) {
      case "true", "t", "yes", "y", "on", "1" -> target.appendBoolean(true);
      case "false", "f", "no", "n", "off", "0" -> target.appendBoolean(false);
      default -> {
        return false;
      }
    }
    return true;
  }

  private static boolean appendFloat(
      DataType.Float type, FlatVector source, int row, VectorBuilder target) {
    String text = source.textAt(row).strip();
    Double special =
        switch (text.toLowerCase(Locale.ROOT)) {
          case "nan" -> Double.NaN;
          case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
          case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
          default -> null;
        };
    if (special != null) {
      target.appendDouble(special);
      return true;
    }
    if (!isNumber(text)) {
      return false;
    }
    // A float32 is read as one: rounding twice could give a neighbour.
    target.appendDouble(type.bits() == 64 ? Double.parseDouble(text) : Float.parseFloat(text));
    return true;
  }

  private static boolean appendDecimal(
      DataType.Decimal type, FlatVector source, int row, VectorBuilder target) {
    String text = source.textAt(row).strip();
    if (!isNumber(text)) {
      return false;
    }
    BigDecimal value;
    try {
      value = new BigDecimal(text);
    } catch (NumberFormatException hugeExponent) {
      return false;
    }
    if (value.signum() == 0 || value.scale() > EXPONENT_LIMIT + value.precision()) {
      target.appendDecimal(0, 0);
      return true;
    }
    if (value.scale() < -EXPONENT_LIMIT) {
      return false;
    }
    BigDecimal rounded = value.setScale(type.scale(), RoundingMode.HALF_UP);
    if (rounded.precision() > type.precision()) {
      return false;
    }
    target.appendDecimal(rounded);
    return true;
  }

  /** Digits with one point at most, a sign before and an exponent after; nothing that Java adds. */
  static boolean isNumber(String text) {
    int position = 0;
    int length = text.length();
    if (position < length && (text.charAt(position) == '-' || text.charAt(position) == '+')) {
      position++;
    }
    int digits = 0;
    boolean point = false;
    while (position < length) {
      char next = text.charAt(position);
      if (next == '.' && !point) {
        point = true;
      } else if (next >= '0' && next <= '9') {
        digits++;
      } else {
        break;
      }
      position++;
    }
    if (digits == 0 || position == length) {
      return digits > 0;
    }
    return (text.charAt(position) | 0x20) == 'e' && isExponent(text, position + 1);
  }

  private static boolean isExponent(String text, int from) {
    int position = from;
    if (position < text.length()
        && (text.charAt(position) == '-' || text.charAt(position) == '+')) {
      position++;
    }
    int start = position;
    while (position < text.length()
        && text.charAt(position) >= '0'
        && text.charAt(position) <= '9') {
      position++;
    }
    return position > start && position == text.length();
  }

  private static boolean appendUuid(FlatVector source, int row, VectorBuilder target) {
    String text = source.textAt(row).strip();
    if (text.length() != 36) {
      return false;
    }
    try {
      target.appendValue(UUID.fromString(text));
      return true;
    } catch (IllegalArgumentException malformed) {
      return false;
    }
  }
}
