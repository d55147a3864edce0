package io.millrace.core.type;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The implicit conversions and common types: one set of rules for SQL and DataFrame. */
public final class TypeCoercion {
  private TypeCoercion() {}

  /**
   * Whether a value of the first type becomes the second without loss that SQL would not allow
   * silently: NULL to anything, integers to wider ones, decimals and floats, decimals to wider
   * decimals and floats, date to timestamp, a coarser unit to a finer, fixed to variable binary,
   * embedding to list.
   */
  public static boolean canWiden(DataType from, DataType to) {
    if (from.equals(to) || from instanceof DataType.Null) {
      return true;
    }
    return switch (to) {
      case DataType.Int target ->
          from instanceof DataType.Int source
              && (source.signed() == target.signed()
                  ? source.bits() <= target.bits()
                  : !source.signed() && source.bits() < target.bits());
      case DataType.Decimal target ->
          switch (from) {
            case DataType.Int source -> target.precision() - target.scale() >= digits(source);
            case DataType.Decimal source ->
                target.scale() >= source.scale()
                    && target.precision() - target.scale() >= source.precision() - source.scale();
            default -> false;
          };
      case DataType.Float target ->
          switch (from) {
            case DataType.Int source -> target.bits() == 64 || source.bits() < target.bits();
            case DataType.Decimal source -> target.bits() == 64;
            case DataType.Float source -> source.bits() <= target.bits();
            default -> false;
          };
      case DataType.Timestamp target ->
          switch (from) {
            case DataType.Date source -> target.zone().isEmpty();
            case DataType.Timestamp source ->
                source.zone().isPresent() == target.zone().isPresent()
                    && source.unit().digits() <= target.unit().digits();
            default -> false;
          };
      case DataType.Time target ->
          from instanceof DataType.Time source && source.unit().digits() <= target.unit().digits();
      case DataType.Duration target ->
          from instanceof DataType.Duration source
              && source.unit().digits() <= target.unit().digits();
      case DataType.Binary target -> from instanceof DataType.FixedBinary;
      case DataType.ListOf target ->
          switch (from) {
            case DataType.ListOf source ->
                canWiden(source.element().type(), target.element().type());
            case DataType.FixedList source ->
                canWiden(source.element().type(), target.element().type());
            case DataType.Embedding source -> canWiden(source.element(), target.element().type());
            default -> false;
          };
      case DataType.FixedList target ->
          from instanceof DataType.FixedList source
              && source.length() == target.length()
              && canWiden(source.element().type(), target.element().type());
      case DataType.Image target ->
          switch (from) {
            case DataType.Image source -> target.mode().isEmpty();
            case DataType.FixedShapeImage source ->
                target.mode().isEmpty() || target.mode().get() == source.mode();
            default -> false;
          };
      case DataType.File target -> target.kind() == FileKind.ANY && from instanceof DataType.File;
      default -> false;
    };
  }

  /** Decimal digits that hold every value of the integer type. */
  public static int digits(DataType.Int type) {
    return switch (type.bits()) {
      case 8 -> 3;
      case 16 -> 5;
      case 32 -> 10;
      default -> type.signed() ? 19 : 20;
    };
  }

  /** The decimal that holds every value of an exact type; the type itself for decimals. */
  public static DataType.Decimal asDecimal(DataType exact) {
    return switch (exact) {
      case DataType.Decimal decimal -> decimal;
      case DataType.Int integer -> DataType.decimal(digits(integer), 0);
      default -> throw new IllegalArgumentException("Not an exact numeric type: " + exact);
    };
  }

  /** The least type that all of these widen to; empty when there is none or the list is empty. */
  public static Optional<DataType> commonType(List<DataType> types) {
    Optional<DataType> common = Optional.empty();
    for (DataType type : types) {
      common = common.isEmpty() ? Optional.of(type) : commonType(common.get(), type);
      if (common.isEmpty()) {
        return Optional.empty();
      }
    }
    return common;
  }

  /** The least type that both widen to. */
  public static Optional<DataType> commonType(DataType left, DataType right) {
    if (canWiden(left, right)) {
      return Optional.of(right);
    }
    if (canWiden(right, left)) {
      return Optional.of(left);
    }
    if (left.isExactNumeric() && right.isExactNumeric()) {
      return Optional.of(commonExact(left, right));
    }
    if (left.isNumeric() && right.isNumeric()) {
      return Optional.of(DataType.FLOAT64);
    }
    return commonOther(left, right);
  }

  private static DataType commonExact(DataType left, DataType right) {
    if (left instanceof DataType.Int first && right instanceof DataType.Int second) {
      int bits =
          2 * Math.max(first.signed() ? 0 : first.bits(), second.signed() ? 0 : second.bits());
      int widest = Math.max(bits, Math.max(first.bits(), second.bits()));
      return widest <= 64 ? new DataType.Int(widest, true) : DataType.decimal(20, 0);
    }
    DataType.Decimal first = asDecimal(left);
    DataType.Decimal second = asDecimal(right);
    int scale = Math.max(first.scale(), second.scale());
    int whole = Math.max(first.precision() - first.scale(), second.precision() - second.scale());
    return capped(whole + scale, scale);
  }

  private static Optional<DataType> commonOther(DataType left, DataType right) {
    return switch (left) {
      case DataType.Timestamp first when right instanceof DataType.Timestamp second ->
          first.zone().isPresent() == second.zone().isPresent()
              ? Optional.of(
                  new DataType.Timestamp(
                      finer(first.unit(), second.unit()),
                      first.zone().equals(second.zone())
                          ? first.zone()
                          : first.zone().map(z -> "UTC")))
              : Optional.empty();
      case DataType.ListOf first when right instanceof DataType.ListOf second ->
          commonType(first.element().type(), second.element().type()).map(DataType::list);
      case DataType.ListOf first when right instanceof DataType.FixedList second ->
          commonType(first.element().type(), second.element().type()).map(DataType::list);
      case DataType.FixedList first when right instanceof DataType.ListOf second ->
          commonType(first.element().type(), second.element().type()).map(DataType::list);
      case DataType.FixedList first when right instanceof DataType.FixedList second ->
          commonType(first.element().type(), second.element().type())
              .map(
                  element ->
                      first.length() == second.length()
                          ? DataType.fixedList(element, first.length())
                          : DataType.list(element));
      case DataType.Struct first when right instanceof DataType.Struct second ->
          commonStruct(first, second);
      case DataType.MapOf first when right instanceof DataType.MapOf second ->
          commonType(first.key().type(), second.key().type())
              .flatMap(
                  key ->
                      commonType(first.value().type(), second.value().type())
                          .map(value -> DataType.map(key, value)));
      default ->
          isImage(left) && isImage(right)
              ? Optional.of(new DataType.Image(Optional.empty()))
              : Optional.empty();
    };
  }

  private static boolean isImage(DataType type) {
    return type instanceof DataType.Image || type instanceof DataType.FixedShapeImage;
  }

  private static Optional<DataType> commonStruct(DataType.Struct left, DataType.Struct right) {
    if (left.fields().size() != right.fields().size()) {
      return Optional.empty();
    }
    List<Field> fields = new ArrayList<>();
    for (int index = 0; index < left.fields().size(); index++) {
      Field first = left.fields().get(index);
      Field second = right.fields().get(index);
      Optional<DataType> type = commonType(first.type(), second.type());
      if (!first.name().equals(second.name()) || type.isEmpty()) {
        return Optional.empty();
      }
      fields.add(first.withType(type.get()).withNullable(first.nullable() || second.nullable()));
    }
    return Optional.of(new DataType.Struct(fields));
  }

  private static TimeUnit finer(TimeUnit left, TimeUnit right) {
    return left.digits() >= right.digits() ? left : right;
  }

  /**
   * A decimal of at most 38 digits: beyond them the scale shrinks so that the whole part is kept,
   * but not below 6 digits (or the scale itself when it is smaller). This loss of scale is
   * documented.
   */
  public static DataType.Decimal capped(int precision, int scale) {
    if (precision <= DataType.Decimal.PRECISION_LIMIT) {
      return DataType.decimal(precision, scale);
    }
    int whole = precision - scale;
    int kept = Math.max(Math.min(scale, 6), DataType.Decimal.PRECISION_LIMIT - whole);
    return DataType.decimal(DataType.Decimal.PRECISION_LIMIT, Math.min(scale, kept));
  }
}
