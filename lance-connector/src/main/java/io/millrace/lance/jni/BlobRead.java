package io.millrace.lance.jni;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.lance.BlobFile;
import org.lance.Dataset;

/** Reads the bytes of blob columns, whose scan or take gives only descriptors. */
final class BlobRead {
  private static final long VALUE_LIMIT_BYTES = 1L << 30;

  private BlobRead() {}

  /**
   * The values behind descriptors, one per row, null where the descriptor is null: the blob handles
   * alone cannot tell a null from an empty value.
   *
   * @param descriptors one row per key
   * @return a vector that the caller closes
   */
  static LargeVarBinaryVector read(
      Dataset dataset, String column, long[] rowKeys, FieldVector descriptors) throws IOException {
    List<Long> present = new ArrayList<>();
    for (int row = 0; row < rowKeys.length; row++) {
      if (!descriptors.isNull(row)) {
        present.add(rowKeys[row]);
      }
    }
    LargeVarBinaryVector values = new LargeVarBinaryVector(column, descriptors.getAllocator());
    List<BlobFile> files = List.of();
    try {
      values.allocateNew(rowKeys.length);
      if (!present.isEmpty()) {
        files = dataset.takeBlobs(present, column);
      }
      if (files.size() != present.size()) {
        throw new MillraceException(
            ErrorCode.SOURCE_CHANGED,
            "A blob of a pinned Lance table is gone: column '" + column + "'");
      }
      int next = 0;
      for (int row = 0; row < rowKeys.length; row++) {
        if (!descriptors.isNull(row)) {
          values.setSafe(row, bytes(files.get(next++), column));
        }
      }
      values.setValueCount(rowKeys.length);
      return values;
    } catch (Throwable failure) {
      values.close();
      throw failure;
    } finally {
      for (BlobFile file : files) {
        file.close();
      }
    }
  }

  private static byte[] bytes(BlobFile file, String column) throws IOException {
    if (file.size() > VALUE_LIMIT_BYTES) {
      throw new MillraceException(
          ErrorCode.VALUE_TOO_LARGE,
          "A blob over 1 GiB cannot be read as one value: column '"
              + column
              + "', "
              + file.size()
              + " bytes");
    }
    return file.read();
  }
}
