package io.millrace.exec.format.parquet.write;

import io.millrace.core.spi.ByteSource;
import io.millrace.exec.format.parquet.encoding.LittleEndian;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;

/** Puts the row groups of several files of one schema into one file, without decoding them. */
final class ParquetJoin {
  private static final int TAIL_BYTES = 8;
  private static final int BUFFER_BYTES = 1 << 20;

  private ParquetJoin() {}

  /** Parts were written by {@link ParquetOutput}. */
  static void join(List<ByteSource> parts, OutputStream target) throws IOException {
    target.write(ParquetOutput.MAGIC);
    long position = ParquetOutput.MAGIC.length;
    FileMetaData joined = null;
    for (ByteSource part : parts) {
      byte[] tail = bytes(part, part.sizeBytes() - TAIL_BYTES, TAIL_BYTES);
      int length = LittleEndian.int32(tail, 0);
      long end = part.sizeBytes() - TAIL_BYTES - length;
      FileMetaData metadata =
          Util.readFileMetaData(new ByteArrayInputStream(bytes(part, end, length)));
      for (RowGroup group : metadata.row_groups) {
        move(group, position - ParquetOutput.MAGIC.length);
      }
      position += copy(part, ParquetOutput.MAGIC.length, end, target);
      if (joined == null) {
        joined = metadata;
      } else {
        joined.row_groups.addAll(metadata.row_groups);
        joined.num_rows += metadata.num_rows;
      }
    }
    ParquetOutput.writeFooter(joined, target);
  }

  private static void move(RowGroup group, long distance) {
    group.setFile_offset(group.file_offset + distance);
    for (ColumnChunk chunk : group.columns) {
      chunk.setFile_offset(chunk.file_offset + distance);
      chunk.meta_data.setData_page_offset(chunk.meta_data.data_page_offset + distance);
      if (chunk.meta_data.isSetDictionary_page_offset()) {
        chunk.meta_data.setDictionary_page_offset(
            chunk.meta_data.dictionary_page_offset + distance);
      }
    }
  }

  private static byte[] bytes(ByteSource source, long offset, int count) throws IOException {
    byte[] bytes = new byte[count];
    source.readFully(offset, ByteBuffer.wrap(bytes));
    return bytes;
  }

  private static long copy(ByteSource source, long from, long to, OutputStream target)
      throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    for (long at = from; at < to; ) {
      int count = (int) Math.min(buffer.length, to - at);
      source.readFully(at, ByteBuffer.wrap(buffer, 0, count));
      target.write(buffer, 0, count);
      at += count;
    }
    return to - from;
  }
}
