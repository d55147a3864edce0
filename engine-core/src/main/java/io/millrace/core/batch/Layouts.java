package io.millrace.core.batch;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Little-endian layouts without alignment, for reading and writing Arrow buffers. */
public final class Layouts {
  public static final ValueLayout.OfByte INT8 = ValueLayout.JAVA_BYTE;
  public static final ValueLayout.OfShort INT16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  public static final ValueLayout.OfInt INT32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  public static final ValueLayout.OfLong INT64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  public static final ValueLayout.OfFloat FLOAT32 =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  public static final ValueLayout.OfDouble FLOAT64 =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Layouts() {}
}
