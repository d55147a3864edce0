package io.millrace.exec.spill;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.BatchCodec;
import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Batches in a file of its own (Arrow IPC, ZSTD): first written, then read once from the start. The
 * file goes with its channel, also when the process ends. Calls block; one thread at a time.
 */
public final class SpillFile implements AutoCloseable {
  /** Level 1 already halves most columns; higher ones cost more time than the disk saves. */
  private static final BatchCodec CODEC = BatchCodec.zstd(1);

  private final FileChannel channel;
  private final Path folder;
  private long writtenBytes;
  private boolean reading;

  private SpillFile(FileChannel channel, Path folder) {
    this.channel = channel;
    this.folder = folder;
  }

  /**
   * A new file in the folder of the setting {@code spill.directory}.
   *
   * @throws MillraceException DISK_EXHAUSTED naming the setting
   */
  public static SpillFile create(Configuration configuration) {
    String setting = configuration.value(Settings.SPILL_DIRECTORY);
    Path folder = Path.of(setting.isEmpty() ? System.getProperty("java.io.tmpdir") : setting);
    try {
      Files.createDirectories(folder);
      Path file = Files.createTempFile(folder, "millrace-spill-", ".arrow");
      return new SpillFile(
          FileChannel.open(
              file,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE),
          folder);
    } catch (IOException failure) {
      throw failed(folder, failure);
    }
  }

  /**
   * Appends a batch, which stays the caller's.
   *
   * @throws MillraceException DISK_EXHAUSTED naming the setting
   */
  public void write(Batch batch, BufferAllocator allocator) {
    try {
      writtenBytes += CODEC.write(batch, channel, allocator);
    } catch (IOException failure) {
      throw failed(folder, failure);
    }
  }

  /** Bytes in the file. */
  public long writtenBytes() {
    return writtenBytes;
  }

  /** The next batch, owned by the caller; empty at the end. */
  public Optional<Batch> read(BufferAllocator allocator) {
    try {
      if (!reading) {
        reading = true;
        channel.position(0);
      }
      return CODEC.read(channel, allocator);
    } catch (IOException failure) {
      throw failed(folder, failure);
    }
  }

  private static MillraceException failed(Path folder, IOException failure) {
    return new MillraceException(
        ErrorCode.DISK_EXHAUSTED,
        "Rows could not be kept on disk; free space or change spill.directory: "
            + folder
            + ", "
            + failure.getMessage(),
        failure);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException failure) {
      throw failed(folder, failure);
    }
  }
}
