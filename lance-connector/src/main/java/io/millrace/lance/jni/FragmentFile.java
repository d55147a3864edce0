package io.millrace.lance.jni;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.lance.FragmentMetadata;
import org.lance.fragment.DataFile;
import org.lance.fragment.RowIdMeta;

/**
 * A fragment that is written but not committed: data files that no version of the table names yet.
 * Travels between processes as bytes in a form of our own, since the library's Java serialization
 * would let a sender name any class.
 */
public final class FragmentFile {
  private static final int CODEC_VERSION = 1;
  private static final int FILE_LIMIT = 1_000;

  private final FragmentMetadata metadata;

  FragmentFile(FragmentMetadata metadata) {
    this.metadata = metadata;
  }

  FragmentMetadata metadata() {
    return metadata;
  }

  public long rowCount() {
    return metadata.getPhysicalRows();
  }

  /** Paths of the data files below the dataset's folder {@code data}. */
  public List<String> paths() {
    return metadata.getFiles().stream().map(DataFile::getPath).toList();
  }

  /** Size of the data files in bytes; 0 when the library did not say. */
  public long bytes() {
    return metadata.getFiles().stream()
        .mapToLong(file -> file.getFileSizeBytes() == null ? 0 : file.getFileSizeBytes())
        .sum();
  }

  /** This fragment as bytes for {@link #decode}. */
  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(CODEC_VERSION);
      out.writeLong(metadata.getPhysicalRows());
      RowIdMeta rowIds = metadata.getRowIdMeta();
      out.writeBoolean(rowIds != null);
      if (rowIds != null) {
        out.writeUTF(rowIds.getMetadata());
      }
      out.writeInt(metadata.getFiles().size());
      for (DataFile file : metadata.getFiles()) {
        out.writeUTF(file.getPath());
        writeInts(out, file.getFields());
        writeInts(out, file.getColumnIndices());
        out.writeInt(file.getFileMajorVersion());
        out.writeInt(file.getFileMinorVersion());
        out.writeLong(file.getFileSizeBytes() == null ? -1 : file.getFileSizeBytes());
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws MillraceException PLAN_VERSION_MISMATCH for bytes of another version or origin
   */
  public static FragmentFile decode(byte[] encoded) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded))) {
      if (in.readByte() != CODEC_VERSION) {
        throw malformed(null);
      }
      long rows = in.readLong();
      RowIdMeta rowIds = in.readBoolean() ? new RowIdMeta(in.readUTF()) : null;
      int fileCount = in.readInt();
      if (fileCount < 0 || fileCount > FILE_LIMIT) {
        throw malformed(null);
      }
      List<DataFile> files = new ArrayList<>(fileCount);
      for (int index = 0; index < fileCount; index++) {
        String path = in.readUTF();
        int[] fields = readInts(in);
        int[] columns = readInts(in);
        int major = in.readInt();
        int minor = in.readInt();
        long size = in.readLong();
        files.add(new DataFile(path, fields, columns, major, minor, size < 0 ? null : size, null));
      }
      return new FragmentFile(new FragmentMetadata(0, files, rows, null, rowIds));
    } catch (IOException failure) {
      throw malformed(failure);
    }
  }

  private static void writeInts(DataOutputStream out, int[] values) throws IOException {
    out.writeInt(values.length);
    for (int value : values) {
      out.writeInt(value);
    }
  }

  private static int[] readInts(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available() / Integer.BYTES) {
      throw malformed(null);
    }
    int[] values = new int[length];
    for (int index = 0; index < length; index++) {
      values[index] = in.readInt();
    }
    return values;
  }

  private static MillraceException malformed(IOException cause) {
    return new MillraceException(
        ErrorCode.PLAN_VERSION_MISMATCH,
        "These bytes are no Lance fragment of this version of Millrace; run coordinator and workers"
            + " in the same version",
        cause);
  }

  @Override
  public String toString() {
    return paths() + ", " + rowCount() + " rows";
  }
}
