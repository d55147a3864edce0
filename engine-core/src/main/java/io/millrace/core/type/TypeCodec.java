package io.millrace.core.type;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Types, fields and schemas as bytes: a tag byte a type, then its parameters. Tags are never reused
 * for another type; who embeds these bytes carries the version.
 */
public final class TypeCodec {
  /** Deeper nesting is refused, so that damaged bytes cannot exhaust the stack. */
  private static final int DEPTH_LIMIT = 200;

  /** A schema of more members is refused when read. */
  private static final int MEMBER_LIMIT = 1 << 20;

  private TypeCodec() {}

  public static byte[] toBytes(DataType type) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      write(type, new DataOutputStream(bytes));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return bytes.toByteArray();
  }

  /**
   * The type in bytes that {@link #toBytes} made.
   *
   * @throws MillraceException INVALID_PLAN when they hold none
   */
  public static DataType fromBytes(byte[] bytes) {
    try {
      return readType(new DataInputStream(new ByteArrayInputStream(bytes)));
    } catch (IOException failure) {
      throw new MillraceException(
          ErrorCode.INVALID_PLAN, "The bytes of a type end too early", failure);
    }
  }

  public static void write(Schema schema, DataOutput output) throws IOException {
    writeFields(schema.fields(), output);
  }

  public static Schema readSchema(DataInput input) throws IOException {
    return new Schema(readFields(input, 0));
  }

  public static void write(Field field, DataOutput output) throws IOException {
    writeText(field.name(), output);
    write(field.type(), output);
    output.writeBoolean(field.nullable());
    output.writeInt(field.metadata().size());
    for (Map.Entry<String, String> entry : new TreeMap<>(field.metadata()).entrySet()) {
      writeText(entry.getKey(), output);
      writeText(entry.getValue(), output);
    }
  }

  public static Field readField(DataInput input) throws IOException {
    return readField(input, 0);
  }

  /** Writes one type. */
  public static void write(DataType type, DataOutput output) throws IOException {
    output.writeByte(tag(type));
    switch (type) {
      case DataType.Null t -> {}
      case DataType.Bool t -> {}
      case DataType.Int t -> {
        output.writeByte(t.bits());
        output.writeBoolean(t.signed());
      }
      case DataType.Float t -> output.writeByte(t.bits());
      case DataType.Decimal t -> {
        output.writeByte(t.precision());
        output.writeByte(t.scale());
      }
      case DataType.Date t -> {}
      case DataType.Time t -> output.writeByte(t.unit().digits());
      case DataType.Timestamp t -> {
        output.writeByte(t.unit().digits());
        writeOptional(t.zone(), output);
      }
      case DataType.Duration t -> output.writeByte(t.unit().digits());
      case DataType.Interval t -> {}
      case DataType.Text t -> {}
      case DataType.Binary t -> {}
      case DataType.FixedBinary t -> output.writeInt(t.byteWidth());
      case DataType.Uuid t -> {}
      case DataType.ListOf t -> write(t.element(), output);
      case DataType.FixedList t -> {
        write(t.element(), output);
        output.writeInt(t.length());
      }
      case DataType.Struct t -> writeFields(t.fields(), output);
      case DataType.MapOf t -> {
        write(t.key(), output);
        write(t.value(), output);
      }
      case DataType.Image t -> writeOptional(t.mode().map(Enum::name), output);
      case DataType.FixedShapeImage t -> {
        writeText(t.mode().name(), output);
        output.writeInt(t.height());
        output.writeInt(t.width());
      }
      case DataType.Tensor t -> {
        write(t.element(), output);
        output.writeInt(t.dimensions().orElse(-1));
      }
      case DataType.FixedShapeTensor t -> {
        write(t.element(), output);
        output.writeInt(t.shape().size());
        for (int extent : t.shape()) {
          output.writeInt(extent);
        }
      }
      case DataType.SparseTensor t -> write(t.element(), output);
      case DataType.Embedding t -> {
        write(t.element(), output);
        output.writeInt(t.length());
      }
      case DataType.File t -> writeText(t.kind().name(), output);
      case DataType.Reference t -> {
        output.writeInt(t.sourceId());
        writeText(t.column(), output);
        write(t.target(), output);
      }
    }
  }

  private static int tag(DataType type) {
    return switch (type) {
      case DataType.Null t -> 0;
      case DataType.Bool t -> 1;
      case DataType.Int t -> 2;
      case DataType.Float t -> 3;
      case DataType.Decimal t -> 4;
      case DataType.Date t -> 5;
      case DataType.Time t -> 6;
      case DataType.Timestamp t -> 7;
      case DataType.Duration t -> 8;
      case DataType.Interval t -> 9;
      case DataType.Text t -> 10;
      case DataType.Binary t -> 11;
      case DataType.FixedBinary t -> 12;
      case DataType.Uuid t -> 13;
      case DataType.ListOf t -> 14;
      case DataType.FixedList t -> 15;
      case DataType.Struct t -> 16;
      case DataType.MapOf t -> 17;
      case DataType.Image t -> 18;
      case DataType.FixedShapeImage t -> 19;
      case DataType.Tensor t -> 20;
      case DataType.FixedShapeTensor t -> 21;
      case DataType.SparseTensor t -> 22;
      case DataType.Embedding t -> 23;
      case DataType.File t -> 24;
      case DataType.Reference t -> 25;
    };
  }

  /**
   * Reads one type.
   *
   * @throws MillraceException INVALID_PLAN when the bytes are not of this codec
   */
  public static DataType readType(DataInput input) throws IOException {
    try {
      return readType(input, 0);
    } catch (IllegalArgumentException invalid) {
      throw new MillraceException(
          ErrorCode.INVALID_PLAN, "The bytes of a type are damaged: " + invalid.getMessage());
    }
  }

  private static DataType readType(DataInput input, int depth) throws IOException {
    if (depth > DEPTH_LIMIT) {
      throw new IllegalArgumentException("nested deeper than " + DEPTH_LIMIT);
    }
    int tag = input.readByte();
    return switch (tag) {
      case 0 -> DataType.NULL;
      case 1 -> DataType.BOOLEAN;
      case 2 -> new DataType.Int(input.readByte(), input.readBoolean());
      case 3 -> new DataType.Float(input.readByte());
      case 4 -> new DataType.Decimal(input.readByte(), input.readByte());
      case 5 -> DataType.DATE;
      case 6 -> new DataType.Time(readUnit(input));
      case 7 -> new DataType.Timestamp(readUnit(input), readOptional(input));
      case 8 -> new DataType.Duration(readUnit(input));
      case 9 -> DataType.INTERVAL;
      case 10 -> DataType.STRING;
      case 11 -> DataType.BINARY;
      case 12 -> new DataType.FixedBinary(input.readInt());
      case 13 -> DataType.UUID;
      case 14 -> new DataType.ListOf(readField(input, depth + 1));
      case 15 -> new DataType.FixedList(readField(input, depth + 1), input.readInt());
      case 16 -> new DataType.Struct(readFields(input, depth + 1));
      case 17 -> new DataType.MapOf(readField(input, depth + 1), readField(input, depth + 1));
      case 18 -> new DataType.Image(readOptional(input).map(ImageMode::valueOf));
      case 19 ->
          new DataType.FixedShapeImage(
              ImageMode.valueOf(readText(input)), input.readInt(), input.readInt());
      case 20 -> {
        DataType element = readType(input, depth + 1);
        int dimensions = input.readInt();
        yield new DataType.Tensor(
            element, dimensions < 0 ? OptionalInt.empty() : OptionalInt.of(dimensions));
      }
      case 21 -> new DataType.FixedShapeTensor(readType(input, depth + 1), readShape(input));
      case 22 -> new DataType.SparseTensor(readType(input, depth + 1));
      case 23 -> new DataType.Embedding(readType(input, depth + 1), input.readInt());
      case 24 -> new DataType.File(FileKind.valueOf(readText(input)));
      case 25 ->
          new DataType.Reference(input.readInt(), readText(input), readType(input, depth + 1));
      default -> throw new IllegalArgumentException("unknown tag " + tag);
    };
  }

  private static Field readField(DataInput input, int depth) throws IOException {
    String name = readText(input);
    DataType type = readType(input, depth);
    boolean nullable = input.readBoolean();
    int entries = readCount(input);
    Map<String, String> metadata = new LinkedHashMap<>();
    for (int entry = 0; entry < entries; entry++) {
      metadata.put(readText(input), readText(input));
    }
    return new Field(name, type, nullable, metadata);
  }

  private static void writeFields(List<Field> fields, DataOutput output) throws IOException {
    output.writeInt(fields.size());
    for (Field field : fields) {
      write(field, output);
    }
  }

  private static List<Field> readFields(DataInput input, int depth) throws IOException {
    int count = readCount(input);
    List<Field> fields = new ArrayList<>();
    for (int index = 0; index < count; index++) {
      fields.add(readField(input, depth));
    }
    return fields;
  }

  private static List<Integer> readShape(DataInput input) throws IOException {
    int count = readCount(input);
    List<Integer> shape = new ArrayList<>();
    for (int index = 0; index < count; index++) {
      shape.add(input.readInt());
    }
    return shape;
  }

  private static int readCount(DataInput input) throws IOException {
    int count = input.readInt();
    if (count < 0 || count > MEMBER_LIMIT) {
      throw new IllegalArgumentException("a count of " + count);
    }
    return count;
  }

  private static TimeUnit readUnit(DataInput input) throws IOException {
    return TimeUnit.ofDigits(input.readByte());
  }

  private static void writeText(String text, DataOutput output) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    output.writeInt(bytes.length);
    output.write(bytes);
  }

  private static String readText(DataInput input) throws IOException {
    byte[] bytes = new byte[readCount(input)];
    input.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static void writeOptional(Optional<String> text, DataOutput output) throws IOException {
    output.writeBoolean(text.isPresent());
    if (text.isPresent()) {
      writeText(text.get(), output);
    }
  }

  private static Optional<String> readOptional(DataInput input) throws IOException {
    return input.readBoolean() ? Optional.of(readText(input)) : Optional.empty();
  }
}
