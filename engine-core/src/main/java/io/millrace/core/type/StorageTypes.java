package io.millrace.core.type;

import java.util.List;

/** The plain types under the multimodal ones; what every Arrow reader sees. */
public final class StorageTypes {
  private StorageTypes() {}

  /**
   * The plain type that holds values of this type; the type itself when it is plain.
   *
   * <ul>
   *   <li>image: struct(data binary, height int32, width int32, mode uint8 = ordinal of ImageMode)
   *   <li>fixed-shape image: fixed list of samples, height × width × channels
   *   <li>tensor: struct(data list, shape list of int32); fixed-shape tensor: fixed list
   *   <li>sparse tensor: struct(values list, indices list of uint64, shape list of int32)
   *   <li>embedding: fixed list
   *   <li>file: struct(uri string, offset int64, size int64, etag string); null size means to the
   *       end
   *   <li>reference: int64; uuid: 16 bytes
   * </ul>
   */
  public static DataType of(DataType type) {
    return switch (type) {
      case DataType.Image image ->
          DataType.struct(
              Field.required("data", DataType.BINARY),
              Field.required("height", DataType.INT32),
              Field.required("width", DataType.INT32),
              Field.required("mode", DataType.UINT8));
      case DataType.FixedShapeImage image ->
          new DataType.FixedList(
              Field.required("item", image.mode().sampleType()), image.sampleCount());
      case DataType.Tensor tensor ->
          DataType.struct(
              Field.required("data", new DataType.ListOf(Field.required("item", tensor.element()))),
              Field.required("shape", shapeList()));
      case DataType.FixedShapeTensor tensor ->
          new DataType.FixedList(Field.required("item", tensor.element()), tensor.elementCount());
      case DataType.SparseTensor tensor ->
          DataType.struct(
              Field.required(
                  "values", new DataType.ListOf(Field.required("item", tensor.element()))),
              Field.required(
                  "indices", new DataType.ListOf(Field.required("item", DataType.UINT64))),
              Field.required("shape", shapeList()));
      case DataType.Embedding embedding ->
          new DataType.FixedList(Field.required("item", embedding.element()), embedding.length());
      case DataType.File file ->
          DataType.struct(
              Field.required("uri", DataType.STRING),
              Field.nullable("offset", DataType.INT64),
              Field.nullable("size", DataType.INT64),
              Field.nullable("etag", DataType.STRING));
      case DataType.Reference reference -> DataType.INT64;
      case DataType.Uuid uuid -> new DataType.FixedBinary(16);
      case DataType.Null plain -> plain;
      case DataType.Bool plain -> plain;
      case DataType.Int plain -> plain;
      case DataType.Float plain -> plain;
      case DataType.Decimal plain -> plain;
      case DataType.Date plain -> plain;
      case DataType.Time plain -> plain;
      case DataType.Timestamp plain -> plain;
      case DataType.Duration plain -> plain;
      case DataType.Interval plain -> plain;
      case DataType.Text plain -> plain;
      case DataType.Binary plain -> plain;
      case DataType.FixedBinary plain -> plain;
      case DataType.ListOf plain -> plain;
      case DataType.FixedList plain -> plain;
      case DataType.Struct plain -> plain;
      case DataType.MapOf plain -> plain;
    };
  }

  /** The members of a type that has children in Arrow's layout, in order; else empty. */
  public static List<Field> children(DataType type) {
    return switch (of(type)) {
      case DataType.ListOf list -> List.of(list.element());
      case DataType.FixedList list -> List.of(list.element());
      case DataType.Struct struct -> struct.fields();
      case DataType.MapOf map ->
          List.of(Field.required("entries", new DataType.Struct(List.of(map.key(), map.value()))));
      default -> List.of();
    };
  }

  /** The types of {@link #children}. */
  public static List<DataType> childTypes(DataType type) {
    return children(type).stream().map(Field::type).toList();
  }

  /**
   * Whether values of both types mean and look the same: equal but for the names, nullability and
   * metadata of nested fields.
   */
  public static boolean sameShape(DataType left, DataType right) {
    return left.equals(right) || withoutNames(left).equals(withoutNames(right));
  }

  private static DataType withoutNames(DataType type) {
    return switch (type) {
      case DataType.ListOf list -> new DataType.ListOf(withoutName(list.element()));
      case DataType.FixedList list ->
          new DataType.FixedList(withoutName(list.element()), list.length());
      case DataType.Struct struct ->
          new DataType.Struct(struct.fields().stream().map(StorageTypes::withoutName).toList());
      case DataType.MapOf map ->
          new DataType.MapOf(withoutName(map.key()), withoutName(map.value()));
      default -> type;
    };
  }

  private static Field withoutName(Field field) {
    return Field.nullable("", withoutNames(field.type()));
  }

  private static DataType shapeList() {
    return new DataType.ListOf(Field.required("item", DataType.INT32));
  }
}
