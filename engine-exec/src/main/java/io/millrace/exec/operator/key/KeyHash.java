package io.millrace.exec.operator.key;

/**
 * The hash of a key row. Part of how clusters place rows: a change needs a new plan version. The
 * mixing step is the finalizer of MurmurHash3 (public domain).
 */
final class KeyHash {
  private static final long SEED = 0x9e37_79b9_7f4a_7c15L;

  private KeyHash() {}

  static long of(long[] words, int from, int to) {
    long hash = SEED;
    for (int index = from; index < to; index++) {
      hash = mix(hash ^ words[index]) + SEED;
    }
    return hash;
  }

  private static long mix(long value) {
    long mixed = (value ^ value >>> 33) * 0xff51_afd7_ed55_8ccdL;
    mixed = (mixed ^ mixed >>> 33) * 0xc4ce_b9fe_1a85_ec53L;
    return mixed ^ mixed >>> 33;
  }
}
