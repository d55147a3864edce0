package io.millrace.exec.format.parquet.read;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.TimeUnit;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;

/**
 * How a stored value becomes one of the engine's.
 *
 * @param type the engine's type
 * @param rule what is done with the bytes
 * @param storedWidth bytes of a stored value; −1 when they vary
 * @param width bytes of a value in the engine; −1 when they vary, 0 for bits
 */
record LeafConversion(DataType type, Rule rule, int storedWidth, int width) {

  /** What is done with the stored bytes. */
  enum Rule {
    /** They are taken as they are. */
    COPY,
    /** The low bytes of an int32 are taken. */
    NARROW,
    /** A little-endian integer is widened to 128 bits. */
    DECIMAL_OF_INTEGER,
    /** A big-endian integer of any length is turned and widened to 128 bits. */
    DECIMAL_OF_BYTES,
    /** Nanoseconds of the day and a Julian day become nanoseconds since 1970. */
    INT96,
    /** Months, days and milliseconds become months, days and nanoseconds. */
    INTERVAL,
    BOOLEAN,
    VARIABLE
  }

  static LeafConversion of(SchemaElement element) {
    return switch (element.type) {
      case BOOLEAN -> new LeafConversion(DataType.BOOLEAN, Rule.BOOLEAN, 0, 0);
      case INT32 -> ofInt32(element);
      case INT64 -> ofInt64(element);
      case INT96 -> new LeafConversion(DataType.timestamp(TimeUnit.NANOSECOND), Rule.INT96, 12, 8);
      case FLOAT -> new LeafConversion(DataType.FLOAT32, Rule.COPY, 4, 4);
      case DOUBLE -> new LeafConversion(DataType.FLOAT64, Rule.COPY, 8, 8);
      case BYTE_ARRAY -> ofBytes(element);
      case FIXED_LEN_BYTE_ARRAY -> ofFixedBytes(element);
    };
  }

  private static boolean isDecimal(SchemaElement element) {
    return element.isSetLogicalType()
        ? element.logicalType.isSetDECIMAL()
        : isConverted(element, org.apache.parquet.format.ConvertedType.DECIMAL);
  }

  private static boolean isConverted(
      SchemaElement element, org.apache.parquet.format.ConvertedType type) {
    return element.isSetConverted_type() && element.converted_type == type;
  }

  private static DataType decimal(SchemaElement element) {
    int precision = element.precision;
    int scale = element.scale;
    if (element.isSetLogicalType() && element.logicalType.isSetDECIMAL()) {
      precision = element.logicalType.getDECIMAL().precision;
      scale = element.logicalType.getDECIMAL().scale;
    }
    if (precision < 1 || precision > 38 || scale < 0 || scale > precision) {
      throw new MillraceException(
          ErrorCode.UNSUPPORTED_TYPE,
          "Decimals have at most 38 digits here; cast the column before writing: "
              + element.name
              + " decimal("
              + precision
              + ", "
              + scale
              + ")");
    }
    return DataType.decimal(precision, scale);
  }

  private static LeafConversion ofInt32(SchemaElement element) {
    if (isDecimal(element)) {
      return new LeafConversion(decimal(element), Rule.DECIMAL_OF_INTEGER, 4, 16);
    }
    LogicalType logical = element.isSetLogicalType() ? element.logicalType : new LogicalType();
    if (logical.isSetDATE() || isConverted(element, org.apache.parquet.format.ConvertedType.DATE)) {
      return new LeafConversion(DataType.DATE, Rule.COPY, 4, 4);
    }
    if (logical.isSetTIME()
        || isConverted(element, org.apache.parquet.format.ConvertedType.TIME_MILLIS)) {
      return new LeafConversion(new DataType.Time(TimeUnit.MILLISECOND), Rule.COPY, 4, 4);
    }
    if (logical.isSetUNKNOWN()) {
      return new LeafConversion(DataType.INT32, Rule.COPY, 4, 4);
    }
    DataType.Int type = integer(element, logical, 32);
    return new LeafConversion(
        type, type.bits() < 32 ? Rule.NARROW : Rule.COPY, 4, type.byteWidth());
  }

  private static DataType.Int integer(SchemaElement element, LogicalType logical, int bits) {
    if (logical.isSetINTEGER()) {
      return new DataType.Int(logical.getINTEGER().bitWidth, logical.getINTEGER().isSigned);
    }
    if (!element.isSetConverted_type()) {
      return new DataType.Int(bits, true);
    }
    return switch (element.converted_type) {
      case INT_8 -> DataType.INT8;
      case INT_16 -> DataType.INT16;
      case UINT_8 -> DataType.UINT8;
      case UINT_16 -> DataType.UINT16;
      case UINT_32 -> DataType.UINT32;
      case UINT_64 -> DataType.UINT64;
      default -> new DataType.Int(bits, true);
    };
  }

  private static LeafConversion ofInt64(SchemaElement element) {
    if (isDecimal(element)) {
      return new LeafConversion(decimal(element), Rule.DECIMAL_OF_INTEGER, 8, 16);
    }
    LogicalType logical = element.isSetLogicalType() ? element.logicalType : new LogicalType();
    DataType type;
    if (logical.isSetTIMESTAMP()) {
      TimeUnit unit = unit(logical.getTIMESTAMP().unit);
      type =
          logical.getTIMESTAMP().isAdjustedToUTC
              ? DataType.timestamp(unit, "UTC")
              : DataType.timestamp(unit);
    } else if (logical.isSetTIME()) {
      type = new DataType.Time(unit(logical.getTIME().unit));
    } else if (isConverted(element, org.apache.parquet.format.ConvertedType.TIMESTAMP_MILLIS)) {
      type = DataType.timestamp(TimeUnit.MILLISECOND, "UTC");
    } else if (isConverted(element, org.apache.parquet.format.ConvertedType.TIMESTAMP_MICROS)) {
      type = DataType.timestamp(TimeUnit.MICROSECOND, "UTC");
    } else if (isConverted(element, org.apache.parquet.format.ConvertedType.TIME_MICROS)) {
      type = new DataType.Time(TimeUnit.MICROSECOND);
    } else {
      type = integer(element, logical, 64);
    }
    return new LeafConversion(type, Rule.COPY, 8, 8);
  }

  private static TimeUnit unit(org.apache.parquet.format.TimeUnit unit) {
    if (unit.isSetNANOS()) {
      return TimeUnit.NANOSECOND;
    }
    return unit.isSetMICROS() ? TimeUnit.MICROSECOND : TimeUnit.MILLISECOND;
  }

  private static LeafConversion ofBytes(SchemaElement element) {
    if (isDecimal(element)) {
      return new LeafConversion(decimal(element), Rule.DECIMAL_OF_BYTES, -1, 16);
    }
    boolean text =
        element.isSetLogicalType()
            ? element.logicalType.isSetSTRING()
                || element.logicalType.isSetENUM()
                || element.logicalType.isSetJSON()
            : isConverted(element, org.apache.parquet.format.ConvertedType.UTF8)
                || isConverted(element, org.apache.parquet.format.ConvertedType.ENUM)
                || isConverted(element, org.apache.parquet.format.ConvertedType.JSON);
    return new LeafConversion(text ? DataType.STRING : DataType.BINARY, Rule.VARIABLE, -1, -1);
  }

  private static LeafConversion ofFixedBytes(SchemaElement element) {
    int length = element.type_length;
    if (isDecimal(element)) {
      return new LeafConversion(decimal(element), Rule.DECIMAL_OF_BYTES, length, 16);
    }
    LogicalType logical = element.isSetLogicalType() ? element.logicalType : new LogicalType();
    if (logical.isSetUUID() && length == 16) {
      return new LeafConversion(DataType.UUID, Rule.COPY, 16, 16);
    }
    if (logical.isSetFLOAT16() && length == 2) {
      return new LeafConversion(DataType.FLOAT16, Rule.COPY, 2, 2);
    }
    if (isConverted(element, org.apache.parquet.format.ConvertedType.INTERVAL) && length == 12) {
      return new LeafConversion(DataType.INTERVAL, Rule.INTERVAL, 12, 16);
    }
    return new LeafConversion(new DataType.FixedBinary(length), Rule.COPY, length, length);
  }

  /**
   * Whether the engine keeps a dictionary's codes: for text, bytes, decimals and dates, whose
   * values cost more than a code or are compared with constants mostly.
   */
  boolean keepsCodes() {
    return rule == Rule.VARIABLE || width == 16 || type instanceof DataType.Date;
  }
}
