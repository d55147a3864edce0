package io.millrace.exec.format.parquet.write;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.StorageTypes;
import io.millrace.core.type.TimeUnit;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DateType;
import org.apache.parquet.format.DecimalType;
import org.apache.parquet.format.Float16Type;
import org.apache.parquet.format.IntType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.MicroSeconds;
import org.apache.parquet.format.MilliSeconds;
import org.apache.parquet.format.NanoSeconds;
import org.apache.parquet.format.NullType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.TimeType;
import org.apache.parquet.format.TimestampType;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.UUIDType;

/**
 * How values of a plain type are stored.
 *
 * @param physical the Parquet type
 * @param rule what is done with the engine's values
 * @param width bytes of a stored value; −1 when they vary, 0 for bits
 */
record StoredLeaf(Type physical, Rule rule, int width) {

  /** What is done with a value. */
  enum Rule {
    BOOLEAN,
    /** A number of up to 64 bits, taken as it is. */
    NUMBER,
    /** The same, unsigned when compared. */
    UNSIGNED,
    /** A count of seconds becomes one of milliseconds. */
    SECONDS,
    /** A float, whose bits are taken. */
    FLOAT,
    /** The low half of a decimal. */
    SHORT_DECIMAL,
    /** A decimal as big-endian bytes. */
    LONG_DECIMAL,
    /** Months, days and milliseconds. */
    INTERVAL,
    BYTES,
    /** Text, whose bytes compare like it. */
    TEXT,
    FIXED_BYTES
  }

  static StoredLeaf of(DataType type) {
    return switch (StorageTypes.of(type)) {
      case DataType.Null plain -> new StoredLeaf(Type.INT32, Rule.NUMBER, 4);
      case DataType.Bool plain -> new StoredLeaf(Type.BOOLEAN, Rule.BOOLEAN, 0);
      case DataType.Int plain -> {
        Rule rule = plain.signed() ? Rule.NUMBER : Rule.UNSIGNED;
        yield plain.bits() == 64
            ? new StoredLeaf(Type.INT64, rule, 8)
            : new StoredLeaf(Type.INT32, rule, 4);
      }
      case DataType.Float plain ->
          switch (plain.bits()) {
            case 16 -> new StoredLeaf(Type.FIXED_LEN_BYTE_ARRAY, Rule.FIXED_BYTES, 2);
            case 32 -> new StoredLeaf(Type.FLOAT, Rule.FLOAT, 4);
            default -> new StoredLeaf(Type.DOUBLE, Rule.FLOAT, 8);
          };
      case DataType.Decimal plain -> {
        if (plain.precision() <= 9) {
          yield new StoredLeaf(Type.INT32, Rule.SHORT_DECIMAL, 4);
        }
        yield plain.precision() <= 18
            ? new StoredLeaf(Type.INT64, Rule.SHORT_DECIMAL, 8)
            : new StoredLeaf(Type.FIXED_LEN_BYTE_ARRAY, Rule.LONG_DECIMAL, 16);
      }
      case DataType.Date plain -> new StoredLeaf(Type.INT32, Rule.NUMBER, 4);
      case DataType.Time plain ->
          switch (plain.unit()) {
            case SECOND -> new StoredLeaf(Type.INT32, Rule.SECONDS, 4);
            case MILLISECOND -> new StoredLeaf(Type.INT32, Rule.NUMBER, 4);
            case MICROSECOND, NANOSECOND -> new StoredLeaf(Type.INT64, Rule.NUMBER, 8);
          };
      case DataType.Timestamp plain ->
          new StoredLeaf(
              Type.INT64, plain.unit() == TimeUnit.SECOND ? Rule.SECONDS : Rule.NUMBER, 8);
      case DataType.Duration plain -> new StoredLeaf(Type.INT64, Rule.NUMBER, 8);
      case DataType.Interval plain -> new StoredLeaf(Type.FIXED_LEN_BYTE_ARRAY, Rule.INTERVAL, 12);
      case DataType.Text plain -> new StoredLeaf(Type.BYTE_ARRAY, Rule.TEXT, -1);
      case DataType.Binary plain -> new StoredLeaf(Type.BYTE_ARRAY, Rule.BYTES, -1);
      case DataType.FixedBinary plain -> {
        if (plain.byteWidth() == 0) {
          throw unsupported(type);
        }
        yield new StoredLeaf(Type.FIXED_LEN_BYTE_ARRAY, Rule.FIXED_BYTES, plain.byteWidth());
      }
      default -> throw unsupported(type);
    };
  }

  static MillraceException unsupported(DataType type) {
    return new MillraceException(
        ErrorCode.UNSUPPORTED_TYPE, "Parquet has no place for this type; cast the column: " + type);
  }

  /** The leaf's element of a footer's schema, without name and repetition. */
  SchemaElement element(DataType type) {
    SchemaElement element = new SchemaElement();
    element.setType(physical);
    if (physical == Type.FIXED_LEN_BYTE_ARRAY) {
      element.setType_length(width);
    }
    if (type instanceof DataType.Uuid) {
      element.setLogicalType(LogicalType.UUID(new UUIDType()));
      return element;
    }
    switch (StorageTypes.of(type)) {
      case DataType.Null plain -> element.setLogicalType(LogicalType.UNKNOWN(new NullType()));
      case DataType.Int plain when plain.bits() < 32 || !plain.signed() -> {
        element.setLogicalType(
            LogicalType.INTEGER(new IntType((byte) plain.bits(), plain.signed())));
        element.setConverted_type(
            ConvertedType.valueOf((plain.signed() ? "INT_" : "UINT_") + plain.bits()));
      }
      case DataType.Float plain when plain.bits() == 16 ->
          element.setLogicalType(LogicalType.FLOAT16(new Float16Type()));
      case DataType.Decimal plain -> {
        element.setLogicalType(
            LogicalType.DECIMAL(new DecimalType(plain.scale(), plain.precision())));
        element.setConverted_type(ConvertedType.DECIMAL);
        element.setScale(plain.scale());
        element.setPrecision(plain.precision());
      }
      case DataType.Date plain -> {
        element.setLogicalType(LogicalType.DATE(new DateType()));
        element.setConverted_type(ConvertedType.DATE);
      }
      case DataType.Time plain ->
          element.setLogicalType(LogicalType.TIME(new TimeType(false, unit(plain.unit()))));
      case DataType.Timestamp plain ->
          element.setLogicalType(
              LogicalType.TIMESTAMP(
                  new TimestampType(plain.zone().isPresent(), unit(plain.unit()))));
      case DataType.Interval plain -> element.setConverted_type(ConvertedType.INTERVAL);
      case DataType.Text plain -> {
        element.setLogicalType(LogicalType.STRING(new StringType()));
        element.setConverted_type(ConvertedType.UTF8);
      }
      default -> {}
    }
    return element;
  }

  private static org.apache.parquet.format.TimeUnit unit(TimeUnit unit) {
    return switch (unit) {
      case SECOND, MILLISECOND -> org.apache.parquet.format.TimeUnit.MILLIS(new MilliSeconds());
      case MICROSECOND -> org.apache.parquet.format.TimeUnit.MICROS(new MicroSeconds());
      case NANOSECOND -> org.apache.parquet.format.TimeUnit.NANOS(new NanoSeconds());
    };
  }
}
