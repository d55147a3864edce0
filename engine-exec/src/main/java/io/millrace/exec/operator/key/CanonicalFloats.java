package io.millrace.exec.operator.key;

/** Bits of floats such that equal values (NaN equals NaN, −0.0 equals 0.0) have equal bits. */
final class CanonicalFloats {
  private static final short FLOAT16_NAN = 0x7e00;

  private CanonicalFloats() {}

  static short float16(short bits) {
    int magnitude = bits & 0x7fff;
    return magnitude == 0 ? 0 : magnitude > 0x7c00 ? FLOAT16_NAN : bits;
  }

  static int float32(int bits) {
    int magnitude = bits & 0x7fff_ffff;
    return magnitude == 0 ? 0 : magnitude > 0x7f80_0000 ? 0x7fc0_0000 : bits;
  }

  static long float64(long bits) {
    long magnitude = bits & Long.MAX_VALUE;
    return magnitude == 0 ? 0 : magnitude > 0x7ff0_0000_0000_0000L ? 0x7ff8_0000_0000_0000L : bits;
  }
}
