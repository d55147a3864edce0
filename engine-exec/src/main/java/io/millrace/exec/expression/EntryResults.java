package io.millrace.exec.expression;

import io.millrace.core.batch.DictionaryVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.type.DataType;

/**
 * What a call gave for the entries of the last dictionary: the batches of one row group share one,
 * so that each entry is computed once. Holds handles on both, so that the dictionary's memory is
 * not given to another one meanwhile.
 */
final class EntryResults implements AutoCloseable {
  private FlatVector dictionary;
  private FlatVector results;
  private byte[] truths;

  /** The results for a column's dictionary; null when they are not known. */
  FlatVector of(DictionaryVector column) {
    return dictionary != null && isSame(column.dictionary()) ? results : null;
  }

  private boolean isSame(FlatVector other) {
    return dictionary.length() == other.length()
        && dictionary.values().address() == other.values().address()
        && (dictionary.offsets() == null
            ? other.offsets() == null
            : other.offsets() != null
                && dictionary.offsets().address() == other.offsets().address())
        && dictionary.children().isEmpty();
  }

  /** Remembers results; both stay the caller's. */
  void remember(DictionaryVector column, FlatVector computed) {
    close();
    dictionary = column.dictionary().retain();
    results = computed.retain();
  }

  /** For boolean results: 1 for each entry that is true, 0 for false and null. */
  byte[] truths() {
    if (truths == null && results.type() instanceof DataType.Bool) {
      truths = new byte[results.length()];
      for (int entry = 0; entry < truths.length; entry++) {
        truths[entry] = (byte) (!results.isNull(entry) && results.booleanAt(entry) ? 1 : 0);
      }
    }
    return truths;
  }

  @Override
  public void close() {
    if (dictionary != null) {
      dictionary.close();
      results.close();
      dictionary = null;
      results = null;
      truths = null;
    }
  }
}
