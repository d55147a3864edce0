package io.millrace.core.type;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.IntervalUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * Maps fields and schemas to Arrow's and back. Every {@link DataType} has one Arrow form; the
 * multimodal ones are extension types by field metadata, so that the Arrow field itself has the
 * plain storage type. More Arrow types are read than written: large and view layouts, other decimal
 * widths, dates in milliseconds and other intervals read as the nearest type here.
 */
public final class ArrowTypes {
  private static final Map<TimeUnit, org.apache.arrow.vector.types.TimeUnit> UNITS =
      Map.of(
          TimeUnit.SECOND, org.apache.arrow.vector.types.TimeUnit.SECOND,
          TimeUnit.MILLISECOND, org.apache.arrow.vector.types.TimeUnit.MILLISECOND,
          TimeUnit.MICROSECOND, org.apache.arrow.vector.types.TimeUnit.MICROSECOND,
          TimeUnit.NANOSECOND, org.apache.arrow.vector.types.TimeUnit.NANOSECOND);

  private ArrowTypes() {}

  public static org.apache.arrow.vector.types.pojo.Schema toArrow(Schema schema) {
    return new org.apache.arrow.vector.types.pojo.Schema(
        schema.fields().stream().map(ArrowTypes::toArrow).toList());
  }

  public static org.apache.arrow.vector.types.pojo.Field toArrow(Field field) {
    return toArrow(field, null);
  }

  /**
   * An Arrow field of the value type with a dictionary encoding, as Arrow messages describe
   * dictionary columns.
   *
   * @param encoding null for none
   */
  public static org.apache.arrow.vector.types.pojo.Field toArrow(
      Field field, DictionaryEncoding encoding) {
    Map<String, String> metadata = new TreeMap<>(field.metadata());
    Optional<String> extension = ExtensionTypes.name(field.type());
    extension.ifPresent(
        name -> {
          metadata.put(ExtensionTypes.NAME_KEY, name);
          metadata.put(ExtensionTypes.METADATA_KEY, ExtensionTypes.metadata(field.type()));
        });
    return new org.apache.arrow.vector.types.pojo.Field(
        field.name(),
        new FieldType(field.nullable(), storageToArrow(field.type()), encoding, metadata),
        StorageTypes.children(field.type()).stream().map(ArrowTypes::toArrow).toList());
  }

  /** The Arrow type of the storage type, without its children. */
  private static ArrowType storageToArrow(DataType type) {
    return switch (StorageTypes.of(type)) {
      case DataType.Null t -> new ArrowType.Null();
      case DataType.Bool t -> new ArrowType.Bool();
      case DataType.Int t -> new ArrowType.Int(t.bits(), t.signed());
      case DataType.Float t -> new ArrowType.FloatingPoint(precision(t.bits()));
      case DataType.Decimal t -> new ArrowType.Decimal(t.precision(), t.scale(), 128);
      case DataType.Date t -> new ArrowType.Date(DateUnit.DAY);
      case DataType.Time t ->
          new ArrowType.Time(
              UNITS.get(t.unit()), t.unit().compareTo(TimeUnit.MILLISECOND) <= 0 ? 32 : 64);
      case DataType.Timestamp t ->
          new ArrowType.Timestamp(UNITS.get(t.unit()), t.zone().orElse(null));
      case DataType.Duration t -> new ArrowType.Duration(UNITS.get(t.unit()));
      case DataType.Interval t -> new ArrowType.Interval(IntervalUnit.MONTH_DAY_NANO);
      case DataType.Text t -> new ArrowType.Utf8();
      case DataType.Binary t -> new ArrowType.Binary();
      case DataType.FixedBinary t -> new ArrowType.FixedSizeBinary(t.byteWidth());
      case DataType.ListOf t -> new ArrowType.List();
      case DataType.FixedList t -> new ArrowType.FixedSizeList(t.length());
      case DataType.Struct t -> new ArrowType.Struct();
      case DataType.MapOf t -> new ArrowType.Map(false);
      default -> throw new AssertionError("A storage type is plain: " + type);
    };
  }

  private static FloatingPointPrecision precision(int bits) {
    return switch (bits) {
      case 16 -> FloatingPointPrecision.HALF;
      case 32 -> FloatingPointPrecision.SINGLE;
      default -> FloatingPointPrecision.DOUBLE;
    };
  }

  /**
   * The schema of Arrow data.
   *
   * @throws MillraceException UNSUPPORTED_TYPE naming the field
   */
  public static Schema fromArrow(org.apache.arrow.vector.types.pojo.Schema schema) {
    return new Schema(schema.getFields().stream().map(ArrowTypes::fromArrow).toList());
  }

  /**
   * The field of an Arrow field; one with a dictionary encoding reads as its type says, which in
   * Arrow messages is the type of the values.
   *
   * @throws MillraceException UNSUPPORTED_TYPE naming the field
   */
  public static Field fromArrow(org.apache.arrow.vector.types.pojo.Field field) {
    Map<String, String> metadata = new TreeMap<>(field.getMetadata());
    String name = metadata.remove(ExtensionTypes.NAME_KEY);
    String details = metadata.remove(ExtensionTypes.METADATA_KEY);
    ArrowType arrow = field.getType();
    if (arrow instanceof ArrowType.ExtensionType extension) {
      name = extension.extensionName();
      details = extension.serialize();
      arrow = extension.storageType();
    }
    DataType storage = storageFromArrow(field, arrow);
    DataType type =
        name == null
            ? storage
            : ExtensionTypes.read(name, details == null ? "" : details, storage).orElse(storage);
    return new Field(field.getName(), type, field.isNullable(), metadata);
  }

  private static DataType storageFromArrow(
      org.apache.arrow.vector.types.pojo.Field field, ArrowType arrow) {
    return switch (arrow) {
      case ArrowType.Null t -> DataType.NULL;
      case ArrowType.Bool t -> DataType.BOOLEAN;
      case ArrowType.Int t -> new DataType.Int(t.getBitWidth(), t.getIsSigned());
      case ArrowType.FloatingPoint t ->
          switch (t.getPrecision()) {
            case HALF -> DataType.FLOAT16;
            case SINGLE -> DataType.FLOAT32;
            case DOUBLE -> DataType.FLOAT64;
          };
      case ArrowType.Decimal t -> decimal(field, t);
      case ArrowType.Date t -> DataType.DATE;
      case ArrowType.Time t -> new DataType.Time(unit(t.getUnit()));
      case ArrowType.Timestamp t ->
          new DataType.Timestamp(
              unit(t.getUnit()), Optional.ofNullable(t.getTimezone()).filter(z -> !z.isEmpty()));
      case ArrowType.Duration t -> new DataType.Duration(unit(t.getUnit()));
      case ArrowType.Interval t -> DataType.INTERVAL;
      case ArrowType.Utf8 t -> DataType.STRING;
      case ArrowType.LargeUtf8 t -> DataType.STRING;
      case ArrowType.Utf8View t -> DataType.STRING;
      case ArrowType.Binary t -> DataType.BINARY;
      case ArrowType.LargeBinary t -> DataType.BINARY;
      case ArrowType.BinaryView t -> DataType.BINARY;
      case ArrowType.FixedSizeBinary t -> new DataType.FixedBinary(t.getByteWidth());
      case ArrowType.List t -> new DataType.ListOf(element(field));
      case ArrowType.LargeList t -> new DataType.ListOf(element(field));
      case ArrowType.FixedSizeList t -> new DataType.FixedList(element(field), t.getListSize());
      case ArrowType.Struct t -> new DataType.Struct(children(field));
      case ArrowType.Map t -> map(field);
      case ArrowType.RunEndEncoded t -> child(field, 1).type();
      default -> throw unsupported(field);
    };
  }

  private static DataType decimal(
      org.apache.arrow.vector.types.pojo.Field field, ArrowType.Decimal type) {
    int precision = Math.max(type.getPrecision(), type.getScale());
    if (precision > DataType.Decimal.PRECISION_LIMIT || type.getScale() < 0) {
      throw unsupported(field);
    }
    return DataType.decimal(precision, type.getScale());
  }

  private static DataType map(org.apache.arrow.vector.types.pojo.Field field) {
    List<Field> entry = children(field.getChildren().get(0));
    if (entry.size() != 2) {
      throw unsupported(field);
    }
    return new DataType.MapOf(entry.get(0), entry.get(1));
  }

  /** Java's list vectors call their element "$data$" whatever its name was. */
  private static Field element(org.apache.arrow.vector.types.pojo.Field field) {
    Field element = child(field, 0);
    return element.name().equals("$data$") ? element.withName("item") : element;
  }

  private static Field child(org.apache.arrow.vector.types.pojo.Field field, int index) {
    return fromArrow(field.getChildren().get(index));
  }

  private static List<Field> children(org.apache.arrow.vector.types.pojo.Field field) {
    List<Field> children = new ArrayList<>();
    field.getChildren().forEach(child -> children.add(fromArrow(child)));
    return children;
  }

  private static TimeUnit unit(org.apache.arrow.vector.types.TimeUnit unit) {
    return switch (unit) {
      case SECOND -> TimeUnit.SECOND;
      case MILLISECOND -> TimeUnit.MILLISECOND;
      case MICROSECOND -> TimeUnit.MICROSECOND;
      case NANOSECOND -> TimeUnit.NANOSECOND;
    };
  }

  private static MillraceException unsupported(org.apache.arrow.vector.types.pojo.Field field) {
    return new MillraceException(
        ErrorCode.UNSUPPORTED_TYPE,
        "This Arrow type is not supported: column '" + field.getName() + "', " + field.getType());
  }
}
