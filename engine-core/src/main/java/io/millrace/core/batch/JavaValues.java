package io.millrace.core.batch;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.ImageMode;
import io.millrace.core.type.TimeUnit;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** Stored rows as Java objects and back; the classes are listed at {@link ColumnVector#valueAt}. */
final class JavaValues {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private JavaValues() {}

  /** The row, which is not null. */
  static Object read(FlatVector vector, int row) {
    return switch (vector.type()) {
      case DataType.Null type -> null;
      case DataType.Bool type -> vector.booleanAt(row);
      case DataType.Int type -> readInteger(type, vector.longAt(row));
      case DataType.Float type ->
          type.bits() == 64 ? (Object) vector.doubleAt(row) : (Object) (float) vector.doubleAt(row);
      case DataType.Decimal type -> new BigDecimal(readInt128(vector, row), type.scale());
      case DataType.Date type -> LocalDate.ofEpochDay(vector.longAt(row));
      case DataType.Time type ->
          LocalTime.ofNanoOfDay(
              vector.longAt(row) * (NANOS_PER_SECOND / type.unit().unitsPerSecond()));
      case DataType.Timestamp type -> readTimestamp(type, vector.longAt(row));
      case DataType.Duration type -> readDuration(type.unit(), vector.longAt(row));
      case DataType.Interval type -> readInterval(vector, row);
      case DataType.Text type -> vector.textAt(row);
      case DataType.Binary type -> vector.bytesAt(row);
      case DataType.FixedBinary type -> vector.bytesAt(row);
      case DataType.Uuid type -> {
        ByteBuffer bytes = ByteBuffer.wrap(vector.bytesAt(row));
        yield new UUID(bytes.getLong(), bytes.getLong());
      }
      case DataType.ListOf type ->
          readList(vector.child(0), vector.startAt(row), vector.endAt(row));
      case DataType.FixedList type -> readFixedList(vector, row);
      case DataType.Struct type -> readStruct(type, vector, row);
      case DataType.MapOf type -> readMap(vector, row);
      case DataType.Image type -> readImage(vector, row);
      case DataType.FixedShapeImage type ->
          new ImageValue(type.mode(), type.height(), type.width(), fixedListBytes(vector, row));
      case DataType.Tensor type ->
          new TensorValue(readShape(vector.child(1), row), listAt(vector.child(0), row));
      case DataType.FixedShapeTensor type ->
          new TensorValue(
              type.shape().stream().mapToInt(Integer::intValue).toArray(),
              readFixedList(vector, row));
      case DataType.SparseTensor type ->
          new SparseTensorValue(
              readShape(vector.child(2), row),
              listAt(vector.child(1), row).stream()
                  .mapToLong(index -> ((BigInteger) index).longValue())
                  .toArray(),
              listAt(vector.child(0), row));
      case DataType.Embedding type -> readEmbedding(type, vector, row);
      case DataType.File type ->
          new FileValue(
              vector.child(0).textAt(row),
              (Long) vector.child(1).valueAt(row),
              (Long) vector.child(2).valueAt(row),
              (String) vector.child(3).valueAt(row));
      case DataType.Reference type -> vector.longAt(row);
    };
  }

  private static Object readInteger(DataType.Int type, long value) {
    if (type.signed()) {
      return switch (type.bits()) {
        case 8 -> (Object) (byte) value;
        case 16 -> (Object) (short) value;
        case 32 -> (Object) (int) value;
        default -> (Object) value;
      };
    }
    return switch (type.bits()) {
      case 8 -> (Object) (short) value;
      case 16 -> (Object) (int) value;
      case 32 -> (Object) value;
      default -> unsigned(value);
    };
  }

  private static BigInteger unsigned(long bits) {
    return new BigInteger(Long.toUnsignedString(bits));
  }

  private static BigInteger readInt128(FlatVector vector, int row) {
    MemorySegment values = vector.values();
    long low = values.get(Layouts.INT64, 16L * row);
    long high = values.get(Layouts.INT64, 16L * row + 8);
    return BigInteger.valueOf(high).shiftLeft(64).or(unsigned(low));
  }

  private static Object readTimestamp(DataType.Timestamp type, long value) {
    long perSecond = type.unit().unitsPerSecond();
    long seconds = Math.floorDiv(value, perSecond);
    long nanos = Math.floorMod(value, perSecond) * (NANOS_PER_SECOND / perSecond);
    return type.zone().isPresent()
        ? (Object) Instant.ofEpochSecond(seconds, nanos)
        : (Object) LocalDateTime.ofEpochSecond(seconds, (int) nanos, ZoneOffset.UTC);
  }

  private static Duration readDuration(TimeUnit unit, long value) {
    long perSecond = unit.unitsPerSecond();
    return Duration.ofSeconds(
        Math.floorDiv(value, perSecond),
        Math.floorMod(value, perSecond) * (NANOS_PER_SECOND / perSecond));
  }

  private static IntervalValue readInterval(FlatVector vector, int row) {
    MemorySegment values = vector.values();
    return new IntervalValue(
        values.get(Layouts.INT32, 16L * row),
        values.get(Layouts.INT32, 16L * row + 4),
        values.get(Layouts.INT64, 16L * row + 8));
  }

  private static List<Object> listAt(FlatVector list, int row) {
    return readList(list.child(0), list.startAt(row), list.endAt(row));
  }

  private static List<Object> readFixedList(FlatVector vector, int row) {
    int size = vector.layout().listSize();
    return readList(vector.child(0), row * size, row * size + size);
  }

  private static List<Object> readList(FlatVector elements, int from, int to) {
    Objects.checkFromToIndex(from, to, elements.length());
    List<Object> list = new ArrayList<>(to - from);
    for (int index = from; index < to; index++) {
      list.add(elements.valueAt(index));
    }
    return list;
  }

  private static Map<String, Object> readStruct(DataType.Struct type, FlatVector vector, int row) {
    Map<String, Object> members = new LinkedHashMap<>();
    for (int index = 0; index < type.fields().size(); index++) {
      members.put(type.fields().get(index).name(), vector.child(index).valueAt(row));
    }
    return members;
  }

  private static Map<Object, Object> readMap(FlatVector vector, int row) {
    FlatVector entries = vector.child(0);
    Map<Object, Object> map = new LinkedHashMap<>();
    for (int index = vector.startAt(row); index < vector.endAt(row); index++) {
      map.put(entries.child(0).valueAt(index), entries.child(1).valueAt(index));
    }
    return map;
  }

  private static ImageValue readImage(FlatVector vector, int row) {
    int mode = (int) vector.child(3).longAt(row);
    if (mode >= ImageMode.values().length) {
      throw new MillraceException(
          ErrorCode.MALFORMED_VALUE, "An image has an unknown mode number: " + mode);
    }
    return new ImageValue(
        ImageMode.values()[mode],
        (int) vector.child(1).longAt(row),
        (int) vector.child(2).longAt(row),
        vector.child(0).bytesAt(row));
  }

  private static byte[] fixedListBytes(FlatVector vector, int row) {
    FlatVector elements = vector.child(0);
    int bytes = vector.layout().listSize() * elements.layout().byteWidth();
    byte[] copy = new byte[bytes];
    MemorySegment.copy(elements.values(), Layouts.INT8, (long) row * bytes, copy, 0, bytes);
    return copy;
  }

  private static int[] readShape(FlatVector shapes, int row) {
    Objects.checkFromToIndex(shapes.startAt(row), shapes.endAt(row), shapes.child(0).length());
    int[] shape = new int[shapes.endAt(row) - shapes.startAt(row)];
    MemorySegment.copy(
        shapes.child(0).values(), Layouts.INT32, 4L * shapes.startAt(row), shape, 0, shape.length);
    return shape;
  }

  private static Object readEmbedding(DataType.Embedding type, FlatVector vector, int row) {
    FlatVector elements = vector.child(0);
    int length = type.length();
    long from = (long) row * length * elements.layout().byteWidth();
    return switch (type.element()) {
      case DataType.Float number when number.bits() == 32 -> {
        float[] copy = new float[length];
        MemorySegment.copy(elements.values(), Layouts.FLOAT32, from, copy, 0, length);
        yield copy;
      }
      case DataType.Float number when number.bits() == 64 -> {
        double[] copy = new double[length];
        MemorySegment.copy(elements.values(), Layouts.FLOAT64, from, copy, 0, length);
        yield copy;
      }
      case DataType.Float number -> {
        float[] copy = new float[length];
        for (int index = 0; index < length; index++) {
          copy[index] = (float) elements.doubleAt(row * length + index);
        }
        yield copy;
      }
      case DataType.Int number when number.bits() == 8 && number.signed() -> {
        byte[] copy = new byte[length];
        MemorySegment.copy(elements.values(), Layouts.INT8, from, copy, 0, length);
        yield copy;
      }
      default -> readFixedList(vector, row);
    };
  }

  /** Appends a value that is not null. */
  static void append(VectorBuilder builder, Object value) {
    try {
      appendUnchecked(builder, value);
    } catch (ClassCastException mismatch) {
      throw new MillraceException(
          ErrorCode.TYPE_MISMATCH,
          "A Java value does not fit its column: "
              + value.getClass().getName()
              + ", "
              + builder.type(),
          mismatch);
    } catch (ArithmeticException overflow) {
      throw new MillraceException(
          ErrorCode.NUMERIC_OVERFLOW,
          "A value does not fit its type: " + value + ", " + builder.type(),
          overflow);
    }
  }

  private static void appendUnchecked(VectorBuilder builder, Object value) {
    switch (builder.type()) {
      case DataType.Null type -> builder.appendNull();
      case DataType.Bool type -> builder.appendBoolean((Boolean) value);
      case DataType.Int type -> builder.appendLong(exactInteger(type, (Number) value));
      case DataType.Float type -> builder.appendDouble(((Number) value).doubleValue());
      case DataType.Decimal type -> builder.appendDecimal(decimal((Number) value));
      case DataType.Date type -> builder.appendLong(((LocalDate) value).toEpochDay());
      case DataType.Time type ->
          builder.appendLong(
              ((LocalTime) value).toNanoOfDay()
                  / (NANOS_PER_SECOND / type.unit().unitsPerSecond()));
      case DataType.Timestamp type -> builder.appendLong(timestamp(type, value));
      case DataType.Duration type -> {
        Duration duration = (Duration) value;
        builder.appendLong(units(type.unit(), duration.getSeconds(), duration.getNano()));
      }
      case DataType.Interval type -> {
        IntervalValue interval = (IntervalValue) value;
        builder.appendInterval(interval.months(), interval.days(), interval.nanoseconds());
      }
      case DataType.Text type -> builder.appendText(((CharSequence) value).toString());
      case DataType.Binary type -> builder.appendBytes((byte[]) value);
      case DataType.FixedBinary type -> builder.appendBytes((byte[]) value);
      case DataType.Uuid type -> {
        UUID uuid = (UUID) value;
        builder.appendBytes(
            ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array());
      }
      case DataType.ListOf type -> appendList(builder, value);
      case DataType.FixedList type -> appendList(builder, value);
      case DataType.Embedding type -> appendList(builder, value);
      case DataType.Struct type -> appendStruct(builder, type, (Map<?, ?>) value);
      case DataType.MapOf type -> appendMap(builder, (Map<?, ?>) value);
      case DataType.Image type -> appendImage(builder, type, (ImageValue) value);
      case DataType.FixedShapeImage type -> appendFixedImage(builder, type, (ImageValue) value);
      case DataType.Tensor type -> {
        TensorValue tensor = (TensorValue) value;
        appendList(builder.child(0), tensor.elements());
        appendList(builder.child(1), tensor.shape());
        builder.endStruct();
      }
      case DataType.FixedShapeTensor type -> appendFixedTensor(builder, type, value);
      case DataType.SparseTensor type -> {
        SparseTensorValue tensor = (SparseTensorValue) value;
        appendList(builder.child(0), tensor.values());
        appendList(
            builder.child(1),
            Arrays.stream(tensor.indices()).mapToObj(JavaValues::unsigned).toList());
        appendList(builder.child(2), tensor.shape());
        builder.endStruct();
      }
      case DataType.File type -> {
        FileValue file = (FileValue) value;
        builder.child(0).appendText(file.uri());
        builder.child(1).appendValue(file.offset());
        builder.child(2).appendValue(file.size());
        builder.child(3).appendValue(file.etag());
        builder.endStruct();
      }
      case DataType.Reference type -> builder.appendLong((Long) value);
    }
  }

  private static long exactInteger(DataType.Int type, Number number) {
    BigInteger value =
        number instanceof Byte
                || number instanceof Short
                || number instanceof Integer
                || number instanceof Long
            ? BigInteger.valueOf(number.longValue())
            : decimal(number).toBigIntegerExact();
    int bits = type.signed() ? value.bitLength() + 1 : value.bitLength();
    if (bits > type.bits() || !type.signed() && value.signum() < 0) {
      throw new ArithmeticException("out of range");
    }
    return value.longValue();
  }

  private static BigDecimal decimal(Number number) {
    return switch (number) {
      case BigDecimal exact -> exact;
      case BigInteger exact -> new BigDecimal(exact);
      case Double inexact when Double.isFinite(inexact) -> BigDecimal.valueOf(inexact);
      case Float inexact when Float.isFinite(inexact) -> new BigDecimal(inexact.toString());
      case Double inexact -> throw new ArithmeticException("not finite");
      case Float inexact -> throw new ArithmeticException("not finite");
      default -> BigDecimal.valueOf(number.longValue());
    };
  }

  private static long timestamp(DataType.Timestamp type, Object value) {
    if (type.zone().isPresent()) {
      Instant instant = (Instant) value;
      return units(type.unit(), instant.getEpochSecond(), instant.getNano());
    }
    LocalDateTime local = (LocalDateTime) value;
    return units(type.unit(), local.toEpochSecond(ZoneOffset.UTC), local.getNano());
  }

  private static long units(TimeUnit unit, long seconds, int nanos) {
    long perSecond = unit.unitsPerSecond();
    long fraction = nanos / (NANOS_PER_SECOND / perSecond);
    if (seconds < 0 && fraction > 0) {
      // Near the lowest value the product alone would overflow.
      return Math.addExact(
          Math.multiplyExact(Math.addExact(seconds, 1), perSecond), fraction - perSecond);
    }
    return Math.addExact(Math.multiplyExact(seconds, perSecond), fraction);
  }

  private static void appendList(VectorBuilder builder, Object value) {
    VectorBuilder elements = builder.child(0);
    if (value instanceof Collection<?> collection) {
      collection.forEach(elements::appendValue);
    } else if (value instanceof float[] numbers) {
      for (float number : numbers) {
        elements.appendDouble(number);
      }
    } else if (value.getClass().isArray()) {
      for (int index = 0; index < Array.getLength(value); index++) {
        elements.appendValue(Array.get(value, index));
      }
    } else {
      throw new ClassCastException("not a list");
    }
    builder.endList();
  }

  private static void appendStruct(VectorBuilder builder, DataType.Struct type, Map<?, ?> members) {
    for (int index = 0; index < type.fields().size(); index++) {
      builder.child(index).appendValue(members.get(type.fields().get(index).name()));
    }
    builder.endStruct();
  }

  private static void appendMap(VectorBuilder builder, Map<?, ?> map) {
    VectorBuilder entries = builder.child(0);
    map.forEach(
        (key, item) -> {
          entries.child(0).appendValue(key);
          entries.child(1).appendValue(item);
          entries.endStruct();
        });
    builder.endList();
  }

  private static void appendImage(VectorBuilder builder, DataType.Image type, ImageValue image) {
    boolean otherMode = type.mode().isPresent() && type.mode().get() != image.mode();
    if (otherMode || image.data().length != expectedBytes(image)) {
      throw wrongImage(builder.type(), image);
    }
    builder.child(0).appendBytes(image.data());
    builder.child(1).appendLong(image.height());
    builder.child(2).appendLong(image.width());
    builder.child(3).appendLong(image.mode().ordinal());
    builder.endStruct();
  }

  private static long expectedBytes(ImageValue image) {
    return (long) image.height()
        * image.width()
        * image.mode().channels()
        * image.mode().sampleBytes();
  }

  private static MillraceException wrongImage(DataType type, ImageValue image) {
    return new MillraceException(
        ErrorCode.MALFORMED_VALUE,
        "An image does not fit its column: "
            + image
            + ", "
            + image.data().length
            + " bytes, "
            + type);
  }

  private static void appendFixedImage(
      VectorBuilder builder, DataType.FixedShapeImage type, ImageValue image) {
    if (image.mode() != type.mode()
        || image.height() != type.height()
        || image.width() != type.width()
        || image.data().length != expectedBytes(image)) {
      throw wrongImage(type, image);
    }
    VectorBuilder samples = builder.child(0);
    MemorySegment data = MemorySegment.ofArray(image.data());
    int width = type.mode().sampleBytes();
    for (long from = 0; from < image.data().length; from += width) {
      samples.appendBytes(data, from, width);
    }
    builder.endList();
  }

  private static void appendFixedTensor(
      VectorBuilder builder, DataType.FixedShapeTensor type, Object value) {
    if (value instanceof TensorValue tensor) {
      int[] shape = type.shape().stream().mapToInt(Integer::intValue).toArray();
      if (!Arrays.equals(shape, tensor.shape())) {
        throw new MillraceException(
            ErrorCode.MALFORMED_VALUE,
            "A tensor has another shape than its column: " + tensor + ", " + type);
      }
      appendList(builder, tensor.elements());
    } else {
      appendList(builder, value);
    }
  }
}
