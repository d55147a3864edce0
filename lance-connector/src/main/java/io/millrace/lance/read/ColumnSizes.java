package io.millrace.lance.read;

import io.millrace.core.batch.PhysicalLayout;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.type.StorageTypes;
import java.util.HashSet;
import java.util.Set;

/**
 * What is known of the sizes of a table's values without reading any: the manifest gives bytes of
 * all columns together, fixed-width columns are known by their type, and the rest belongs to the
 * columns of variable width, first of all to the binary ones.
 */
final class ColumnSizes {
  /** Assumed for text, lists and the like beside binary columns, which take up what is left. */
  private static final double SMALL_VALUE_BYTES = 32;

  private final Schema schema;
  private final double rowBytes;
  private final double variableBytes;
  private final int binaryCount;
  private final int variableCount;

  /**
   * @param bytes of all data files
   * @param rowCount 0 when there are none
   */
  ColumnSizes(Schema schema, long bytes, long rowCount) {
    this.schema = schema;
    this.rowBytes = rowCount == 0 ? 0 : (double) bytes / rowCount;
    double fixed = 0;
    int binary = 0;
    int variable = 0;
    for (DataType type : schema.types()) {
      double width = fixedBytes(type);
      if (width >= 0) {
        fixed += width;
      } else {
        variable++;
        binary += holdsBinary(type) ? 1 : 0;
      }
    }
    this.variableBytes = Math.max(0, rowBytes - fixed);
    this.binaryCount = binary;
    this.variableCount = variable;
  }

  /** Estimated bytes of a column's average value. */
  double averageBytes(Field field) {
    double width = fixedBytes(field.type());
    if (width >= 0) {
      return width;
    }
    if (binaryCount == 0) {
      return variableBytes / variableCount;
    }
    if (!holdsBinary(field.type())) {
      return Math.min(SMALL_VALUE_BYTES, variableBytes / variableCount);
    }
    double others = SMALL_VALUE_BYTES * (variableCount - binaryCount);
    return Math.max(0, variableBytes - others) / binaryCount;
  }

  /**
   * Whether a value's size cannot be told from the manifest well enough to choose a batch's rows:
   * text and lists beside binary columns, where the rest could be anyone's.
   */
  boolean isUncertain(Field field) {
    return fixedBytes(field.type()) < 0
        && !holdsBinary(field.type())
        && binaryCount > 0
        && variableBytes > SMALL_VALUE_BYTES * variableCount;
  }

  /** Columns of binary or multimodal values that are at least so large on average. */
  Set<String> heavyColumns(long thresholdBytes) {
    Set<String> heavy = new HashSet<>();
    for (Field field : schema.fields()) {
      if (isPlainHeavyType(field.type()) && averageBytes(field) >= thresholdBytes) {
        heavy.add(field.name());
      }
    }
    return heavy;
  }

  /** Types whose values may be taken one by one instead of scanned. */
  private static boolean isPlainHeavyType(DataType type) {
    return switch (type) {
      case DataType.Binary ignored -> true;
      case DataType.Image ignored -> true;
      case DataType.FixedShapeImage ignored -> true;
      case DataType.Tensor ignored -> true;
      case DataType.FixedShapeTensor ignored -> true;
      case DataType.SparseTensor ignored -> true;
      default -> false;
    };
  }

  private static boolean holdsBinary(DataType type) {
    return type instanceof DataType.Binary
        || StorageTypes.children(type).stream().anyMatch(child -> holdsBinary(child.type()));
  }

  /** Bytes of a value whose width its type fixes; −1 for others. */
  private static double fixedBytes(DataType type) {
    PhysicalLayout layout = PhysicalLayout.of(type);
    return switch (layout.kind()) {
      case EMPTY -> 0;
      case BITS -> 0.125;
      case FIXED -> layout.byteWidth();
      case VARIABLE, LIST -> -1;
      case FIXED_LIST -> {
        double element = fixedBytes(StorageTypes.children(type).getFirst().type());
        yield element < 0 ? -1 : element * layout.listSize();
      }
      case STRUCT -> {
        double sum = 0;
        for (Field child : StorageTypes.children(type)) {
          double member = fixedBytes(child.type());
          if (member < 0) {
            yield -1;
          }
          sum += member;
        }
        yield sum;
      }
    };
  }
}
