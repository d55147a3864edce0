package io.millrace.testkit;

import io.millrace.core.batch.FileValue;
import io.millrace.core.batch.ImageValue;
import io.millrace.core.batch.IntervalValue;
import io.millrace.core.batch.SparseTensorValue;
import io.millrace.core.batch.TensorValue;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.ImageMode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/**
 * Random Java values of any type, in the classes of {@code ColumnVector.valueAt}; edge values are
 * common: extremes, NaN, infinities, zeros of both signs, empty text, text beyond ASCII.
 */
public final class RandomValues {
  private static final long SECONDS_LIMIT = 4_000_000_000L;
  private static final List<String> TEXTS =
      List.of(
          "", "a", "abc", "zebra", "Äpfel", "日本", "🙂", "a\tb\"c'd", "the quick brown fox jumps");

  private final Random random;

  public RandomValues(Random random) {
    this.random = random;
  }

  /** A value of a field; null now and then when it is nullable. */
  public Object value(Field field) {
    return field.nullable() && random.nextInt(5) == 0 ? null : value(field.type());
  }

  /** A value that is not null, but for the null type. */
  public Object value(DataType type) {
    return switch (type) {
      case DataType.Null t -> null;
      case DataType.Bool t -> random.nextBoolean();
      case DataType.Int t -> integer(t);
      case DataType.Float t -> floating(t.bits());
      case DataType.Decimal t ->
          new BigDecimal(
              new BigInteger(1 + random.nextInt(t.precision() * 3 + 1), random)
                  .mod(BigInteger.TEN.pow(t.precision()))
                  .multiply(BigInteger.valueOf(random.nextBoolean() ? 1 : -1)),
              t.scale());
      case DataType.Date t -> LocalDate.ofEpochDay(random.nextInt(200_000) - 100_000);
      case DataType.Time t -> {
        long units = random.nextLong(86_400L * t.unit().unitsPerSecond());
        yield LocalTime.ofNanoOfDay(units * (1_000_000_000L / t.unit().unitsPerSecond()));
      }
      case DataType.Timestamp t -> {
        Instant instant = instant(t.unit().unitsPerSecond());
        yield t.zone().isPresent()
            ? instant
            : LocalDateTime.ofEpochSecond(
                instant.getEpochSecond(), instant.getNano(), ZoneOffset.UTC);
      }
      case DataType.Duration t -> {
        Instant instant = instant(t.unit().unitsPerSecond());
        yield Duration.ofSeconds(instant.getEpochSecond(), instant.getNano());
      }
      case DataType.Interval t ->
          new IntervalValue(random.nextInt(), random.nextInt(100) - 50, random.nextLong());
      case DataType.Text t -> text();
      case DataType.Binary t -> bytes(random.nextInt(12));
      case DataType.FixedBinary t -> bytes(t.byteWidth());
      case DataType.Uuid t -> new UUID(random.nextLong(), random.nextLong());
      case DataType.ListOf t -> list(t.element(), random.nextInt(4));
      case DataType.FixedList t -> list(t.element(), t.length());
      case DataType.Struct t -> members(t);
      case DataType.MapOf t -> entries(t);
      case DataType.Image t ->
          image(
              t.mode().orElseGet(() -> ImageMode.values()[random.nextInt(10)]),
              1 + random.nextInt(3),
              1 + random.nextInt(3));
      case DataType.FixedShapeImage t -> image(t.mode(), t.height(), t.width());
      case DataType.Tensor t -> {
        int[] shape = {1 + random.nextInt(2), random.nextInt(3)};
        yield new TensorValue(shape, numbers(t.element(), shape[0] * shape[1]));
      }
      case DataType.FixedShapeTensor t ->
          new TensorValue(
              t.shape().stream().mapToInt(Integer::intValue).toArray(),
              numbers(t.element(), t.elementCount()));
      case DataType.SparseTensor t -> {
        int count = random.nextInt(3);
        long[] indices = random.longs(count, 0, 12).toArray();
        yield new SparseTensorValue(new int[] {3, 4}, indices, numbers(t.element(), count));
      }
      case DataType.Embedding t -> embedding(t);
      case DataType.File t ->
          new FileValue(
              "file:///" + text(),
              random.nextBoolean() ? null : random.nextLong(1000),
              random.nextBoolean() ? null : random.nextLong(1000),
              random.nextBoolean() ? null : text());
      case DataType.Reference t -> random.nextLong();
    };
  }

  private Map<String, Object> members(DataType.Struct type) {
    Map<String, Object> members = new LinkedHashMap<>();
    type.fields().forEach(member -> members.put(member.name(), value(member)));
    return members;
  }

  private Map<Object, Object> entries(DataType.MapOf type) {
    Map<Object, Object> entries = new LinkedHashMap<>();
    for (int count = random.nextInt(4); count > 0; count--) {
      entries.put(value(type.key().type()), value(type.value()));
    }
    return entries;
  }

  private Object integer(DataType.Int type) {
    BigInteger span = BigInteger.TWO.pow(type.bits());
    BigInteger lowest =
        type.signed() ? BigInteger.TWO.pow(type.bits() - 1).negate() : BigInteger.ZERO;
    BigInteger value =
        switch (random.nextInt(6)) {
          case 0 -> lowest;
          case 1 -> lowest.add(span).subtract(BigInteger.ONE);
          case 2 -> BigInteger.valueOf(random.nextInt(5));
          default -> lowest.add(new BigInteger(type.bits(), random));
        };
    int widened = type.signed() ? type.bits() : type.bits() * 2;
    return switch (widened) {
      case 8 -> (Object) value.byteValueExact();
      case 16 -> (Object) value.shortValueExact();
      case 32 -> (Object) value.intValueExact();
      case 64 -> (Object) value.longValueExact();
      default -> value;
    };
  }

  private Object floating(int bits) {
    double value =
        switch (random.nextInt(8)) {
          case 0 -> Double.NaN;
          case 1 -> Double.POSITIVE_INFINITY;
          case 2 -> Double.NEGATIVE_INFINITY;
          case 3 -> -0.0;
          case 4 -> 0.0;
          default -> random.nextGaussian() * 100;
        };
    return switch (bits) {
      case 16 -> (Object) Float.float16ToFloat(Float.floatToFloat16((float) value));
      case 32 -> (Object) (float) value;
      default -> (Object) value;
    };
  }

  private Instant instant(long unitsPerSecond) {
    long seconds = random.nextLong(2 * SECONDS_LIMIT) - SECONDS_LIMIT;
    long units = random.nextLong(unitsPerSecond);
    return Instant.ofEpochSecond(seconds, units * (1_000_000_000L / unitsPerSecond));
  }

  private String text() {
    return random.nextBoolean()
        ? TEXTS.get(random.nextInt(TEXTS.size()))
        : "t" + random.nextInt(1000);
  }

  private byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  private List<Object> list(Field element, int count) {
    List<Object> values = new ArrayList<>(count);
    for (int index = 0; index < count; index++) {
      values.add(value(element));
    }
    return values;
  }

  private List<Object> numbers(DataType element, int count) {
    return list(Field.required("item", element), count);
  }

  private ImageValue image(ImageMode mode, int height, int width) {
    return new ImageValue(
        mode, height, width, bytes(height * width * mode.channels() * mode.sampleBytes()));
  }

  private Object embedding(DataType.Embedding type) {
    List<Object> numbers = numbers(type.element(), type.length());
    if (type.element() instanceof DataType.Float number) {
      if (number.bits() == 64) {
        return numbers.stream().mapToDouble(value -> (Double) value).toArray();
      }
      float[] floats = new float[type.length()];
      for (int index = 0; index < floats.length; index++) {
        floats[index] = (Float) numbers.get(index);
      }
      return floats;
    }
    if (type.element().equals(DataType.INT8)) {
      byte[] bytes = new byte[type.length()];
      for (int index = 0; index < bytes.length; index++) {
        bytes[index] = (Byte) numbers.get(index);
      }
      return bytes;
    }
    return numbers;
  }
}
