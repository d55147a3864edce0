package io.millrace.core.type;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * The type of a column's values. Every type allows null; whether a column has nulls is said by its
 * {@link Field}. The text form ({@link Object#toString}) is the SQL spelling.
 *
 * <p>The multimodal types (image, tensor, embedding, file, reference) have a plain storage type,
 * see {@link StorageTypes}; in Arrow they are extension types over it.
 */
public sealed interface DataType {

  /** Only null values. */
  record Null() implements DataType {
    @Override
    public String toString() {
      return "null";
    }
  }

  /** True or false; one bit a value. */
  record Bool() implements DataType {
    @Override
    public String toString() {
      return "boolean";
    }
  }

  /**
   * An exact integer.
   *
   * @param bits 8, 16, 32 or 64
   * @param signed two's complement when true
   */
  record Int(int bits, boolean signed) implements DataType {
    public Int {
      if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
        throw new IllegalArgumentException("An integer has 8, 16, 32 or 64 bits: " + bits);
      }
    }

    public int byteWidth() {
      return bits / 8;
    }

    @Override
    public String toString() {
      return (signed ? "int" : "uint") + bits;
    }
  }

  /**
   * An IEEE 754 number. NaN equals NaN and sorts after +infinity; −0.0 equals 0.0.
   *
   * @param bits 16, 32 or 64
   */
  record Float(int bits) implements DataType {
    public Float {
      if (bits != 16 && bits != 32 && bits != 64) {
        throw new IllegalArgumentException("A float has 16, 32 or 64 bits: " + bits);
      }
    }

    @Override
    public String toString() {
      return "float" + bits;
    }
  }

  /**
   * An exact decimal number, stored as a 128-bit little-endian integer of 10^-scale units.
   *
   * @param precision digits in all, 1 to 38
   * @param scale digits after the point, 0 to precision
   */
  record Decimal(int precision, int scale) implements DataType {
    public static final int PRECISION_LIMIT = 38;

    public Decimal {
      if (precision < 1 || precision > PRECISION_LIMIT || scale < 0 || scale > precision) {
        throw new IllegalArgumentException(
            "A decimal has 1 to 38 digits and a scale within them: " + precision + ", " + scale);
      }
    }

    @Override
    public String toString() {
      return "decimal(" + precision + ", " + scale + ")";
    }
  }

  /** Days since 1970-01-01 as int32, proleptic Gregorian. */
  record Date() implements DataType {
    @Override
    public String toString() {
      return "date";
    }
  }

  /** Time of day as a count of units since midnight: int32 for s and ms, int64 for us and ns. */
  record Time(TimeUnit unit) implements DataType {
    public Time {
      Objects.requireNonNull(unit, "unit");
    }

    @Override
    public String toString() {
      return "time(" + unit.digits() + ")";
    }
  }

  /**
   * A count of units since 1970-01-01T00:00:00 as int64: UTC when a zone is given (the zone is for
   * display and field extraction only), a local date-time otherwise.
   */
  record Timestamp(TimeUnit unit, Optional<String> zone) implements DataType {
    public Timestamp {
      Objects.requireNonNull(unit, "unit");
      Objects.requireNonNull(zone, "zone");
    }

    @Override
    public String toString() {
      return "timestamp(" + unit.digits() + zone.map(name -> ", '" + name + "'").orElse("") + ")";
    }
  }

  /** An elapsed time as a count of units, int64. */
  record Duration(TimeUnit unit) implements DataType {
    public Duration {
      Objects.requireNonNull(unit, "unit");
    }

    @Override
    public String toString() {
      return "duration(" + unit.digits() + ")";
    }
  }

  /** A calendar interval: months int32, days int32, nanoseconds int64 (Arrow's month-day-nano). */
  record Interval() implements DataType {
    @Override
    public String toString() {
      return "interval";
    }
  }

  /** UTF-8 text of any length. */
  record Text() implements DataType {
    @Override
    public String toString() {
      return "string";
    }
  }

  /** Bytes of any length up to 1 GiB. */
  record Binary() implements DataType {
    @Override
    public String toString() {
      return "binary";
    }
  }

  /** Exactly {@code byteWidth} bytes. */
  record FixedBinary(int byteWidth) implements DataType {
    public FixedBinary {
      if (byteWidth < 0) {
        throw new IllegalArgumentException("A width is not negative: " + byteWidth);
      }
    }

    @Override
    public String toString() {
      return "binary(" + byteWidth + ")";
    }
  }

  /** A 128-bit identifier, 16 bytes in network order. */
  record Uuid() implements DataType {
    @Override
    public String toString() {
      return "uuid";
    }
  }

  /** A list of any length. */
  record ListOf(Field element) implements DataType {
    public ListOf {
      Objects.requireNonNull(element, "element");
    }

    @Override
    public String toString() {
      return "list<" + element.type() + ">";
    }
  }

  /** A list of exactly {@code length} elements. */
  record FixedList(Field element, int length) implements DataType {
    public FixedList {
      Objects.requireNonNull(element, "element");
      if (length < 0) {
        throw new IllegalArgumentException("A length is not negative: " + length);
      }
    }

    @Override
    public String toString() {
      return "list<" + element.type() + ", " + length + ">";
    }
  }

  /** Named members. */
  record Struct(List<Field> fields) implements DataType {
    public Struct {
      fields = List.copyOf(fields);
    }

    @Override
    public String toString() {
      return fields.stream()
          .map(field -> field.name() + " " + field.type())
          .collect(Collectors.joining(", ", "struct<", ">"));
    }
  }

  /** Key-value pairs; keys are not null. */
  record MapOf(Field key, Field value) implements DataType {
    public MapOf {
      Objects.requireNonNull(key, "key");
      Objects.requireNonNull(value, "value");
    }

    @Override
    public String toString() {
      return "map<" + key.type() + ", " + value.type() + ">";
    }
  }

  /** A decoded image of any size; of one mode when given. */
  record Image(Optional<ImageMode> mode) implements DataType {
    public Image {
      Objects.requireNonNull(mode, "mode");
    }

    @Override
    public String toString() {
      return mode.map(value -> "image('" + value + "')").orElse("image");
    }
  }

  /** Decoded images of one mode and size, stored densely row after row, channels last. */
  record FixedShapeImage(ImageMode mode, int height, int width) implements DataType {
    public FixedShapeImage {
      Objects.requireNonNull(mode, "mode");
      if (height <= 0 || width <= 0) {
        throw new IllegalArgumentException(
            "Height and width are positive: " + height + ", " + width);
      }
    }

    /** Samples (not bytes) in one image. */
    public int sampleCount() {
      return Math.multiplyExact(Math.multiplyExact(height, width), mode.channels());
    }

    @Override
    public String toString() {
      return "image('" + mode + "', " + height + ", " + width + ")";
    }
  }

  /** A dense array of any shape; of a fixed number of dimensions when given. */
  record Tensor(DataType element, OptionalInt dimensions) implements DataType {
    public Tensor {
      Objects.requireNonNull(element, "element");
      Objects.requireNonNull(dimensions, "dimensions");
    }

    @Override
    public String toString() {
      return "tensor<" + element + ">";
    }
  }

  /** A dense array of one shape, row-major. */
  record FixedShapeTensor(DataType element, List<Integer> shape) implements DataType {
    public FixedShapeTensor {
      Objects.requireNonNull(element, "element");
      shape = List.copyOf(shape);
    }

    /** Elements in one value. */
    public int elementCount() {
      return shape.stream().reduce(1, Math::multiplyExact);
    }

    @Override
    public String toString() {
      return "tensor<"
          + element
          + ", "
          + shape.stream().map(String::valueOf).collect(Collectors.joining(", "))
          + ">";
    }
  }

  /** Non-zero elements with their row-major flat indexes, and the shape. */
  record SparseTensor(DataType element) implements DataType {
    public SparseTensor {
      Objects.requireNonNull(element, "element");
    }

    @Override
    public String toString() {
      return "sparse_tensor<" + element + ">";
    }
  }

  /** A vector of exactly {@code length} numbers, made by a model. */
  record Embedding(DataType element, int length) implements DataType {
    public Embedding {
      Objects.requireNonNull(element, "element");
      if (length <= 0) {
        throw new IllegalArgumentException("An embedding has at least one element: " + length);
      }
    }

    @Override
    public String toString() {
      return "embedding<" + element + ", " + length + ">";
    }
  }

  /** A range of bytes in a file or object: (uri, offset, size, etag), opened when read. */
  record File(FileKind kind) implements DataType {
    public File {
      Objects.requireNonNull(kind, "kind");
    }

    @Override
    public String toString() {
      return kind == FileKind.ANY ? "file" : "file('" + kind.sqlName() + "')";
    }
  }

  /**
   * A row reference: the int64 address of a row in the source with this id in the plan; stands for
   * the heavy value of type {@code target}. References never leave the engine.
   *
   * @param sourceId the id of the source within one plan
   * @param column name of the heavy column in that source
   * @param target the type of the value that Fetch brings
   */
  record Reference(int sourceId, String column, DataType target) implements DataType {
    public Reference {
      Objects.requireNonNull(column, "column");
      Objects.requireNonNull(target, "target");
    }

    @Override
    public String toString() {
      return "reference(" + sourceId + ", '" + column + "', " + target + ")";
    }
  }

  Null NULL = new Null();
  Bool BOOLEAN = new Bool();
  Int INT8 = new Int(8, true);
  Int INT16 = new Int(16, true);
  Int INT32 = new Int(32, true);
  Int INT64 = new Int(64, true);
  Int UINT8 = new Int(8, false);
  Int UINT16 = new Int(16, false);
  Int UINT32 = new Int(32, false);
  Int UINT64 = new Int(64, false);
  Float FLOAT16 = new Float(16);
  Float FLOAT32 = new Float(32);
  Float FLOAT64 = new Float(64);
  Date DATE = new Date();
  Interval INTERVAL = new Interval();
  Text STRING = new Text();
  Binary BINARY = new Binary();
  Uuid UUID = new Uuid();

  static Decimal decimal(int precision, int scale) {
    return new Decimal(precision, scale);
  }

  /** A date-time without zone. */
  static Timestamp timestamp(TimeUnit unit) {
    return new Timestamp(unit, Optional.empty());
  }

  /** An instant shown in the given zone. */
  static Timestamp timestamp(TimeUnit unit, String zone) {
    return new Timestamp(unit, Optional.of(zone));
  }

  /** A list whose elements may be null. */
  static ListOf list(DataType element) {
    return new ListOf(Field.nullable("item", element));
  }

  static FixedList fixedList(DataType element, int length) {
    return new FixedList(Field.nullable("item", element), length);
  }

  static Struct struct(Field... fields) {
    return new Struct(List.of(fields));
  }

  static MapOf map(DataType key, DataType value) {
    return new MapOf(Field.required("key", key), Field.nullable("value", value));
  }

  static Embedding embedding(DataType element, int length) {
    return new Embedding(element, length);
  }

  /** True for integers and decimals. */
  default boolean isExactNumeric() {
    return this instanceof Int || this instanceof Decimal;
  }

  default boolean isNumeric() {
    return isExactNumeric() || this instanceof Float;
  }
}
