package io.millrace.exec.format.parquet.read;

import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.TimeUnit;
import io.millrace.exec.format.parquet.encoding.LittleEndian;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Type;

/**
 * What a column chunk's statistics say for sure. Bounds are {@link BigDecimal} for exact numbers,
 * booleans and counts of time units, {@link Double} for floats (which NaN values may exceed), bytes
 * of UTF-8 for text.
 *
 * @param lower no value is less; null when unknown
 * @param upper no value other than NaN is greater; null when unknown
 * @param nullCount null rows; −1 when unknown
 * @param rowCount rows
 */
public record ColumnBounds(Object lower, Object upper, long nullCount, long rowCount) {

  /** A column that a file lacks. */
  static ColumnBounds allNull(long rows) {
    return new ColumnBounds(null, null, rows, rows);
  }

  public boolean isAllNull() {
    return nullCount == rowCount;
  }

  /**
   * The bounds of a chunk.
   *
   * @param trusted whether the footer says that bounds follow the types' own order
   */
  static ColumnBounds of(ColumnMetaData chunk, LeafColumn leaf, boolean trusted) {
    Statistics statistics = chunk.statistics;
    long rows = chunk.num_values;
    if (statistics == null) {
      return new ColumnBounds(null, null, -1, rows);
    }
    long nulls = statistics.isSetNull_count() ? statistics.null_count : -1;
    if (nulls > rows) {
      nulls = -1;
    }
    byte[] least = null;
    byte[] greatest = null;
    if (trusted && (statistics.isSetMin_value() || statistics.isSetMax_value())) {
      least = statistics.isSetMin_value() ? statistics.getMin_value() : null;
      greatest = statistics.isSetMax_value() ? statistics.getMax_value() : null;
    } else if (isSignedInteger(leaf)) {
      // Old writers compared all else as signed bytes or not at all.
      least = statistics.isSetMin() ? statistics.getMin() : null;
      greatest = statistics.isSetMax() ? statistics.getMax() : null;
    }
    Object lower = bound(least, leaf);
    Object upper = bound(greatest, leaf);
    if (lower != null && upper != null && compare(lower, upper) > 0) {
      return new ColumnBounds(null, null, nulls, rows);
    }
    return new ColumnBounds(lower, upper, nulls, rows);
  }

  private static boolean isSignedInteger(LeafColumn leaf) {
    Type physical = leaf.element().type;
    boolean unsigned =
        leaf.conversion().type() instanceof DataType.Int integer && !integer.signed();
    return (physical == Type.INT32 || physical == Type.INT64) && !unsigned;
  }

  private static Object bound(byte[] bytes, LeafColumn leaf) {
    if (bytes == null) {
      return null;
    }
    return switch (leaf.conversion().rule()) {
      case COPY, NARROW, DECIMAL_OF_INTEGER -> fixedBound(bytes, leaf);
      case DECIMAL_OF_BYTES -> {
        boolean fits = bytes.length > 0 && bytes.length <= 16;
        yield fits ? new BigDecimal(new BigInteger(bytes), scale(leaf.conversion().type())) : null;
      }
      case BOOLEAN -> bytes.length == 1 ? BigDecimal.valueOf(bytes[0] & 1) : null;
      case VARIABLE -> leaf.conversion().type() instanceof DataType.Text ? bytes : null;
      case INT96, INTERVAL -> null;
    };
  }

  private static Object fixedBound(byte[] bytes, LeafColumn leaf) {
    Type physical = leaf.element().type;
    int width = physical == Type.INT32 || physical == Type.FLOAT ? 4 : 8;
    if (bytes.length != width) {
      return null;
    }
    long value = width == 4 ? LittleEndian.int32(bytes, 0) : LittleEndian.int64(bytes, 0);
    return switch (physical) {
      case FLOAT -> real(Float.intBitsToFloat((int) value));
      case DOUBLE -> real(Double.longBitsToDouble(value));
      case INT32, INT64 -> {
        if (leaf.conversion().type() instanceof DataType.Int integer && !integer.signed()) {
          yield new BigDecimal(
              width == 4
                  ? BigInteger.valueOf(value & 0xFFFF_FFFFL)
                  : new BigInteger(Long.toUnsignedString(value)));
        }
        yield BigDecimal.valueOf(value, scale(leaf.conversion().type()));
      }
      case BOOLEAN, INT96, BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY -> null;
    };
  }

  private static Double real(double value) {
    return Double.isNaN(value) ? null : Double.valueOf(value);
  }

  private static int scale(DataType type) {
    return type instanceof DataType.Decimal decimal ? decimal.scale() : 0;
  }

  /** Compares two bounds of one kind; −0.0 equals 0.0. */
  static int compare(Object left, Object right) {
    return switch (left) {
      case BigDecimal number -> number.compareTo((BigDecimal) right);
      case Double real -> Double.compare(real + 0.0, (Double) right + 0.0);
      case byte[] text -> Arrays.compareUnsigned(text, (byte[]) right);
      default -> throw new IllegalArgumentException("a bound of " + left.getClass());
    };
  }

  /** A value of a type in the form of its bounds; null when it has none. */
  static Object of(Object value, DataType type) {
    return switch (type) {
      case DataType.Bool any -> BigDecimal.valueOf((Boolean) value ? 1 : 0);
      case DataType.Int any -> new BigDecimal(value.toString());
      case DataType.Decimal any -> value;
      case DataType.Float any -> real(((Number) value).doubleValue());
      case DataType.Text any -> ((String) value).getBytes(StandardCharsets.UTF_8);
      case DataType.Date any -> BigDecimal.valueOf(((LocalDate) value).toEpochDay());
      case DataType.Time time -> units(0, ((LocalTime) value).toNanoOfDay(), time.unit());
      case DataType.Timestamp timestamp -> {
        Instant instant =
            value instanceof LocalDateTime local
                ? local.toInstant(ZoneOffset.UTC)
                : (Instant) value;
        yield units(instant.getEpochSecond(), instant.getNano(), timestamp.unit());
      }
      default -> null;
    };
  }

  private static BigDecimal units(long seconds, long nanos, TimeUnit unit) {
    return BigDecimal.valueOf(seconds)
        .add(BigDecimal.valueOf(nanos, 9))
        .multiply(BigDecimal.valueOf(unit.unitsPerSecond()));
  }

  /** The Java value, as vectors give it, of an exact bound; null when it has none. */
  public static Object javaValue(Object bound, Field column) {
    if (!(bound instanceof BigDecimal number)) {
      return null;
    }
    return switch (column.type()) {
      case DataType.Int integer -> javaInteger(number, integer);
      case DataType.Decimal decimal -> number;
      case DataType.Date date -> LocalDate.ofEpochDay(number.longValue());
      case DataType.Timestamp timestamp -> {
        long perSecond = timestamp.unit().unitsPerSecond();
        long count = number.longValue();
        long nanos = Math.floorMod(count, perSecond) * (1_000_000_000L / perSecond);
        Instant instant = Instant.ofEpochSecond(Math.floorDiv(count, perSecond), nanos);
        yield timestamp.zone().isPresent()
            ? instant
            : LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
      }
      default -> null;
    };
  }

  private static Object javaInteger(BigDecimal number, DataType.Int type) {
    int bits = type.signed() ? type.bits() : 2 * type.bits();
    return switch (bits) {
      case 8 -> number.byteValue();
      case 16 -> number.shortValue();
      case 32 -> number.intValue();
      case 64 -> number.longValue();
      default -> number.toBigInteger();
    };
  }
}
