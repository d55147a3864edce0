package io.millrace.exec.format.text;

import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.UUID;

/** Reads values of one type from text. Not thread-safe. */
@FunctionalInterface
public interface ValueParser {

  /**
   * Appends the value that a range of bytes spells.
   *
   * @return false, with nothing appended, when it spells none of the type
   */
  boolean append(byte[] text, int from, int to, VectorBuilder target);

  /**
   * A parser of text forms: integers in decimal, floats with exponent, {@code NaN} and {@code
   * Infinity}; dates and times in ISO 8601; {@code true} and {@code false} in any case; binary as
   * base64; text as it is, if it is UTF-8.
   *
   * @throws MillraceException UNSUPPORTED_TYPE for types without a text form
   */
  static ValueParser of(DataType type) {
    NumberText number = new NumberText();
    TemporalText temporal = new TemporalText();
    return switch (type) {
      case DataType.Bool bool -> ValueParser::appendBoolean;
      case DataType.Int integer -> ofInteger(integer, number);
      case DataType.Float real ->
          (text, from, to, target) -> {
            boolean fits = number.readReal(text, from, to);
            if (fits) {
              target.appendDouble(number.real());
            }
            return fits;
          };
      case DataType.Decimal decimal -> ofDecimal(decimal);
      case DataType.Date date ->
          (text, from, to, target) -> {
            boolean fits = temporal.readDate(text, from, to);
            if (fits) {
              target.appendLong(temporal.epochDay());
            }
            return fits;
          };
      case DataType.Time time ->
          (text, from, to, target) -> {
            boolean fits = temporal.readTime(text, from, to);
            if (fits) {
              target.appendLong(temporal.count(time.unit()));
            }
            return fits;
          };
      case DataType.Timestamp timestamp -> ofTimestamp(timestamp, temporal);
      case DataType.Text string -> ValueParser::appendText;
      case DataType.Binary binary -> ValueParser::appendBase64;
      case DataType.Uuid uuid -> ValueParser::appendUuid;
      default ->
          throw new MillraceException(
              ErrorCode.UNSUPPORTED_TYPE, "Values of this type are not read from text: " + type);
    };
  }

  private static boolean appendBoolean(byte[] text, int from, int to, VectorBuilder target) {
    if (isWord(text, from, to, "true")) {
      target.appendBoolean(true);
      return true;
    }
    if (isWord(text, from, to, "false")) {
      target.appendBoolean(false);
      return true;
    }
    return false;
  }

  /** Whether the range is a lower-case word in any case. */
  static boolean isWord(byte[] text, int from, int to, String word) {
    if (to - from != word.length()) {
      return false;
    }
    for (int index = 0; index < word.length(); index++) {
      if ((text[from + index] | 0x20) != word.charAt(index)) {
        return false;
      }
    }
    return true;
  }

  private static ValueParser ofInteger(DataType.Int type, NumberText number) {
    if (!type.signed() && type.bits() == 64) {
      return ValueParser::appendUnsigned;
    }
    int bits = type.bits();
    long most = type.signed() ? -1L >>> (65 - bits) : -1L >>> (64 - bits);
    long least = type.signed() ? -most - 1 : 0;
    return (text, from, to, target) -> {
      boolean fits = number.readInteger(text, from, to);
      if (fits && number.integer() >= least && number.integer() <= most) {
        target.appendLong(number.integer());
        return true;
      }
      return false;
    };
  }

  private static boolean appendUnsigned(byte[] text, int from, int to, VectorBuilder target) {
    if (!NumberText.isInteger(text, from, to) || to - from > 40) {
      return false;
    }
    BigInteger value =
        new BigInteger(new String(text, from, to - from, StandardCharsets.ISO_8859_1));
    if (value.signum() < 0 || value.bitLength() > 64) {
      return false;
    }
    target.appendLong(value.longValue());
    return true;
  }

  private static ValueParser ofDecimal(DataType.Decimal type) {
    return (text, from, to, target) -> {
      BigDecimal value = NumberText.decimal(text, from, to);
      if (value == null) {
        return false;
      }
      BigDecimal scaled = value.setScale(type.scale(), RoundingMode.HALF_UP);
      if (scaled.precision() > type.precision()) {
        return false;
      }
      target.appendDecimal(scaled);
      return true;
    };
  }

  private static ValueParser ofTimestamp(DataType.Timestamp type, TemporalText temporal) {
    boolean zoned = type.zone().isPresent();
    return (text, from, to, target) -> {
      // Without a zone in the type, an offset in the text would be lost.
      if (!temporal.readTimestamp(text, from, to) || temporal.isZoned() && !zoned) {
        return false;
      }
      try {
        target.appendLong(temporal.count(type.unit()));
        return true;
      } catch (ArithmeticException beyond) {
        return false;
      }
    };
  }

  private static boolean appendText(byte[] text, int from, int to, VectorBuilder target) {
    if (!Utf8Text.isValid(text, from, to)) {
      return false;
    }
    target.appendBytes(text, from, to - from);
    return true;
  }

  private static boolean appendBase64(byte[] text, int from, int to, VectorBuilder target) {
    try {
      target.appendBytes(
          Base64.getDecoder()
              .decode(new String(text, from, to - from, StandardCharsets.ISO_8859_1)));
      return true;
    } catch (IllegalArgumentException none) {
      return false;
    }
  }

  private static boolean appendUuid(byte[] text, int from, int to, VectorBuilder target) {
    if (to - from != 36) {
      return false;
    }
    try {
      target.appendValue(
          UUID.fromString(new String(text, from, to - from, StandardCharsets.ISO_8859_1)));
      return true;
    } catch (IllegalArgumentException none) {
      return false;
    }
  }
}
