package io.millrace.planner.type;

import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.FileKind;
import io.millrace.core.type.ImageMode;
import io.millrace.core.type.TimeUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** At least one type of every kind that DataType knows; a test holds that none is missing. */
public final class SampleTypes {
  private SampleTypes() {}

  public static List<DataType> all() {
    List<DataType> types = new ArrayList<>();
    types.add(DataType.NULL);
    types.add(DataType.BOOLEAN);
    for (int bits : new int[] {8, 16, 32, 64}) {
      types.add(new DataType.Int(bits, true));
      types.add(new DataType.Int(bits, false));
    }
    types.addAll(List.of(DataType.FLOAT16, DataType.FLOAT32, DataType.FLOAT64));
    types.add(DataType.decimal(1, 0));
    types.add(DataType.decimal(15, 2));
    types.add(DataType.decimal(38, 38));
    types.add(DataType.DATE);
    for (TimeUnit unit : TimeUnit.values()) {
      types.add(new DataType.Time(unit));
      types.add(DataType.timestamp(unit));
      types.add(DataType.timestamp(unit, "UTC"));
      types.add(DataType.timestamp(unit, "Europe/Berlin"));
      types.add(new DataType.Duration(unit));
    }
    types.add(DataType.INTERVAL);
    types.add(DataType.STRING);
    types.add(DataType.BINARY);
    types.add(new DataType.FixedBinary(4));
    types.add(DataType.UUID);
    types.add(DataType.list(DataType.STRING));
    types.add(new DataType.ListOf(Field.required("element", DataType.INT32)));
    types.add(DataType.fixedList(DataType.FLOAT32, 3));
    types.add(
        DataType.struct(
            Field.required("a", DataType.INT32),
            Field.nullable(
                "b", DataType.list(DataType.struct(Field.nullable("c", DataType.DATE))))));
    types.add(DataType.map(DataType.STRING, DataType.FLOAT64));
    types.addAll(multimodal());
    return types;
  }

  private static List<DataType> multimodal() {
    return List.of(
        new DataType.Image(Optional.empty()),
        new DataType.Image(Optional.of(ImageMode.RGB)),
        new DataType.FixedShapeImage(ImageMode.RGB, 224, 224),
        new DataType.Tensor(DataType.FLOAT32, OptionalInt.empty()),
        new DataType.Tensor(DataType.FLOAT32, OptionalInt.of(2)),
        new DataType.FixedShapeTensor(DataType.UINT8, List.of(2, 3)),
        new DataType.SparseTensor(DataType.FLOAT64),
        DataType.embedding(DataType.FLOAT32, 4),
        new DataType.File(FileKind.ANY),
        new DataType.File(FileKind.VIDEO),
        new DataType.Reference(1, "image", DataType.BINARY));
  }
}
