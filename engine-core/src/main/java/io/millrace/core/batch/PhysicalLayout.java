package io.millrace.core.batch;

import io.millrace.core.type.DataType;
import io.millrace.core.type.StorageTypes;
import io.millrace.core.type.TimeUnit;

/**
 * How the values of a type lie in memory.
 *
 * @param kind which parts a vector has
 * @param byteWidth bytes of a fixed-width value; 0 for other kinds
 * @param listSize elements of a fixed list; 0 for other kinds
 * @param signed false for unsigned integers
 * @param childCount children that a vector has
 */
public record PhysicalLayout(
    Kind kind, int byteWidth, int listSize, boolean signed, int childCount) {

  /** Which parts a vector has, beside validity. */
  public enum Kind {
    /** The null type: nothing. */
    EMPTY,
    /** Booleans: one bit a value. */
    BITS,
    /** Values of one width. */
    FIXED,
    /** Offsets and bytes. */
    VARIABLE,
    /** Offsets and one child; maps too. */
    LIST,
    /** One child. */
    FIXED_LIST,
    /** One child a member. */
    STRUCT
  }

  public static PhysicalLayout of(DataType type) {
    return switch (StorageTypes.of(type)) {
      case DataType.Null t -> new PhysicalLayout(Kind.EMPTY, 0, 0, true, 0);
      case DataType.Bool t -> new PhysicalLayout(Kind.BITS, 0, 0, true, 0);
      case DataType.Int t -> new PhysicalLayout(Kind.FIXED, t.byteWidth(), 0, t.signed(), 0);
      case DataType.Float t -> fixed(t.bits() / 8);
      case DataType.Decimal t -> fixed(16);
      case DataType.Date t -> fixed(4);
      case DataType.Time t -> fixed(t.unit().compareTo(TimeUnit.MILLISECOND) <= 0 ? 4 : 8);
      case DataType.Timestamp t -> fixed(8);
      case DataType.Duration t -> fixed(8);
      case DataType.Interval t -> fixed(16);
      case DataType.FixedBinary t -> fixed(t.byteWidth());
      case DataType.Text t -> new PhysicalLayout(Kind.VARIABLE, 0, 0, true, 0);
      case DataType.Binary t -> new PhysicalLayout(Kind.VARIABLE, 0, 0, true, 0);
      case DataType.ListOf t -> new PhysicalLayout(Kind.LIST, 0, 0, true, 1);
      case DataType.MapOf t -> new PhysicalLayout(Kind.LIST, 0, 0, true, 1);
      case DataType.FixedList t -> new PhysicalLayout(Kind.FIXED_LIST, 0, t.length(), true, 1);
      case DataType.Struct t -> new PhysicalLayout(Kind.STRUCT, 0, 0, true, t.fields().size());
      default -> throw new AssertionError("A storage type is plain: " + type);
    };
  }

  private static PhysicalLayout fixed(int byteWidth) {
    return new PhysicalLayout(Kind.FIXED, byteWidth, 0, true, 0);
  }

  /** What is wrong with the parts of a vector; null when all fit. */
  String fault(FlatVector vector, boolean nullsWithoutBits) {
    int length = vector.length();
    if (length < 0) {
      return "negative length " + length;
    }
    if (nullsWithoutBits && kind != Kind.EMPTY) {
      return "nulls without validity";
    }
    if (vector.validity() != null && vector.validity().byteSize() < Bits.byteCount(length)) {
      return "short validity";
    }
    if (vector.children().size() != childCount) {
      return "children " + vector.children().size() + ", expected " + childCount;
    }
    long valueBytes = vector.values().byteSize();
    long offsetBytes = vector.offsets().byteSize();
    boolean fits =
        switch (kind) {
          case EMPTY -> true;
          case BITS -> valueBytes >= Bits.byteCount(length);
          case FIXED -> valueBytes >= (long) length * byteWidth;
          case VARIABLE -> offsetBytes >= 4L * length + 4 && valueBytes >= vector.endAt(length - 1);
          case LIST ->
              offsetBytes >= 4L * length + 4
                  && vector.child(0).length() >= vector.endAt(length - 1);
          case FIXED_LIST -> vector.child(0).length() >= (long) length * listSize;
          case STRUCT -> vector.children().stream().allMatch(child -> child.length() >= length);
        };
    return fits ? null : "short parts for " + length + " rows";
  }
}
