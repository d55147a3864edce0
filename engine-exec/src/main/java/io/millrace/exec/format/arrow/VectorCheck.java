package io.millrace.exec.format.arrow;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.DictionaryVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.type.DataType;
import io.millrace.exec.format.text.Utf8Text;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Proves that a column from outside reads no memory but its own, and that its text is text. That
 * buffers are long enough is known: vectors are not made of others.
 */
final class VectorCheck {
  private VectorCheck() {}

  /**
   * @throws IllegalArgumentException when offsets, codes or text are none
   */
  static void check(ColumnVector column) {
    switch (column) {
      case FlatVector flat -> check(flat);
      case DictionaryVector coded -> {
        check(coded.dictionary());
        codes(coded);
      }
      case ConstantVector constant -> check(constant.value());
    }
  }

  private static void codes(DictionaryVector coded) {
    int limit = coded.dictionary().length();
    MemorySegment codes = coded.codes();
    for (int row = 0; row < coded.length(); row++) {
      int code = codes.get(Layouts.INT32, 4L * row);
      require(code >= 0 && code < limit || coded.isNull(row), "a code is not in its dictionary");
    }
  }

  private static void check(FlatVector vector) {
    switch (vector.layout().kind()) {
      case EMPTY, BITS, FIXED, FIXED_LIST, STRUCT -> {}
      case LIST -> offsets(vector, vector.child(0).length());
      case VARIABLE -> {
        offsets(vector, vector.values().byteSize());
        if (vector.type() instanceof DataType.Text) {
          text(vector);
        }
      }
    }
    vector.children().forEach(VectorCheck::check);
  }

  private static void offsets(FlatVector vector, long limit) {
    int rows = vector.length();
    if (rows == 0) {
      return;
    }
    MemorySegment offsets = vector.offsets();
    int before = offsets.get(Layouts.INT32, 0);
    boolean ascending = before >= 0;
    for (int row = 1; row <= rows; row++) {
      int offset = offsets.get(Layouts.INT32, 4L * row);
      ascending &= offset >= before;
      before = offset;
    }
    require(ascending && before <= limit, "offsets do not ascend within their values");
  }

  private static void text(FlatVector vector) {
    if (vector.length() == 0) {
      return;
    }
    long start = vector.startAt(0);
    long bytes = vector.endAt(vector.length() - 1) - start;
    byte[] text = vector.values().asSlice(start, bytes).toArray(ValueLayout.JAVA_BYTE);
    require(Utf8Text.isValid(text, 0, text.length), "text is not UTF-8");
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
