package io.millrace.exec.kernel.math;

import io.millrace.core.type.DataType;

/** The values of integer types; uint64 as signed bits has none of its own. */
public final class IntegerRange {
  private IntegerRange() {}

  /** The least value. */
  public static long least(DataType.Int type) {
    return type.signed() ? -1L << type.bits() - 1 : 0;
  }

  /** The greatest value; for uint64 all bits set. */
  public static long greatest(DataType.Int type) {
    return type.signed()
        ? (1L << type.bits() - 1) - 1
        : type.bits() == 64 ? -1L : (1L << type.bits()) - 1;
  }
}
