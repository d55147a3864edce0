package io.millrace.testkit;

import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.FileKind;
import io.millrace.core.type.ImageMode;
import io.millrace.core.type.Schema;
import io.millrace.core.type.TimeUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;

/** Random types and schemas of every kind, nested up to a depth. */
public final class RandomTypes {
  private static final List<DataType> SIMPLE =
      List.of(
          DataType.NULL,
          DataType.BOOLEAN,
          DataType.INT8,
          DataType.INT16,
          DataType.INT32,
          DataType.INT64,
          DataType.UINT8,
          DataType.UINT16,
          DataType.UINT32,
          DataType.UINT64,
          DataType.FLOAT16,
          DataType.FLOAT32,
          DataType.FLOAT64,
          DataType.DATE,
          DataType.INTERVAL,
          DataType.STRING,
          DataType.BINARY,
          DataType.UUID);
  private static final List<DataType> NUMBERS =
      List.of(
          DataType.INT8,
          DataType.UINT8,
          DataType.UINT16,
          DataType.INT32,
          DataType.FLOAT16,
          DataType.FLOAT32,
          DataType.FLOAT64);

  private final Random random;

  public RandomTypes(Random random) {
    this.random = random;
  }

  /** A schema of 1 to {@code columnLimit} columns; some not nullable, some with metadata. */
  public Schema schema(int columnLimit, int depth) {
    List<Field> fields = new ArrayList<>();
    int count = 1 + random.nextInt(columnLimit);
    for (int index = 0; index < count; index++) {
      fields.add(field("c" + index, depth));
    }
    return new Schema(fields);
  }

  public Field field(String name, int depth) {
    DataType type = type(depth);
    Map<String, String> metadata = random.nextInt(4) == 0 ? Map.of("note", "x" + name) : Map.of();
    boolean nullable = type.equals(DataType.NULL) || random.nextInt(4) != 0;
    return new Field(name, type, nullable, metadata);
  }

  /** A type with at most this many levels of nesting. */
  public DataType type(int depth) {
    int choice = random.nextInt(depth <= 0 ? 24 : 34);
    if (choice < 18) {
      return SIMPLE.get(choice);
    }
    return switch (choice) {
      case 18 -> {
        int precision = 1 + random.nextInt(38);
        yield DataType.decimal(precision, random.nextInt(precision + 1));
      }
      case 19 -> new DataType.Time(unit());
      case 20 -> DataType.timestamp(unit());
      case 21 -> DataType.timestamp(unit(), random.nextBoolean() ? "UTC" : "Europe/Berlin");
      case 22 -> new DataType.Duration(unit());
      case 23 -> new DataType.FixedBinary(1 + random.nextInt(20));
      case 24 -> new DataType.ListOf(field("item", depth - 1));
      case 25 -> new DataType.FixedList(field("item", depth - 1), random.nextInt(4));
      case 26 -> {
        List<Field> members = new ArrayList<>();
        int count = random.nextInt(4);
        for (int index = 0; index < count; index++) {
          members.add(field("m" + index, depth - 1));
        }
        yield new DataType.Struct(members);
      }
      case 27 -> DataType.map(DataType.STRING, type(depth - 1));
      default -> multimodal(choice);
    };
  }

  private DataType multimodal(int choice) {
    return switch (choice) {
      case 28 ->
          new DataType.Image(
              random.nextBoolean() ? Optional.empty() : Optional.of(pick(ImageMode.values())));
      case 29 ->
          new DataType.FixedShapeImage(
              pick(ImageMode.values()), 1 + random.nextInt(3), 1 + random.nextInt(3));
      case 30 ->
          random.nextBoolean()
              ? new DataType.Tensor(
                  number(), random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(2))
              : new DataType.FixedShapeTensor(number(), List.of(2, 1 + random.nextInt(3)));
      case 31 -> new DataType.SparseTensor(number());
      case 32 ->
          random.nextBoolean()
              ? new DataType.Embedding(number(), 1 + random.nextInt(5))
              : new DataType.File(pick(FileKind.values()));
      default -> new DataType.Reference(random.nextInt(5), "image", DataType.BINARY);
    };
  }

  private TimeUnit unit() {
    return pick(TimeUnit.values());
  }

  private DataType number() {
    return NUMBERS.get(random.nextInt(NUMBERS.size()));
  }

  private <T> T pick(T[] values) {
    return values[random.nextInt(values.length)];
  }
}
