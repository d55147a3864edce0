package io.millrace.cluster.shuffle;

import io.millrace.cluster.schedule.AttemptId;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.MemoryPool;
import io.millrace.core.memory.Reservation;
import io.millrace.core.memory.RevocableOwner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The outputs that this process keeps for readers, by attempt. An output can be read once its
 * attempt has published it. What is in memory is reserved from the process's budget and goes to
 * files when the budget is short.
 */
public final class ShuffleStore implements AutoCloseable {
  private final Path directory;
  private final long memoryPerOutputBytes;
  private final long memoryBytes;
  private final Reservation reservation;
  private final Map<AttemptId, ShuffleOutput> published = new ConcurrentHashMap<>();

  /**
   * A store that writes below a directory of its own, created on first need and removed on close.
   *
   * @param memoryPerOutputBytes larger outputs go to a file
   * @param memoryBytes when all outputs together hold more in memory, new ones go to files
   * @param pool the budget of the process
   */
  public ShuffleStore(
      Path directory, long memoryPerOutputBytes, long memoryBytes, MemoryPool pool) {
    this.directory = directory;
    this.memoryPerOutputBytes = memoryPerOutputBytes;
    this.memoryBytes = memoryBytes;
    this.reservation = pool.openReservation("shuffle outputs", new Outputs());
  }

  /** Starts the output of an attempt. */
  public Writer writer(AttemptId attempt, int partitionCount) {
    boolean crowded = bytesInMemory() > memoryBytes;
    String name =
        String.join(
            "-",
            fileName(attempt.task().query()),
            Integer.toString(attempt.task().stage()),
            Integer.toString(attempt.task().task()),
            Integer.toString(attempt.attempt()));
    return new Writer(
        new ShuffleOutput(
            attempt,
            partitionCount,
            directory.resolve(name),
            crowded ? 0 : memoryPerOutputBytes,
            reservation));
  }

  private long bytesInMemory() {
    return published.values().stream().mapToLong(ShuffleOutput::bytesInMemory).sum();
  }

  /** Published outputs can go to files at any time. */
  private final class Outputs implements RevocableOwner {
    @Override
    public long revocableBytes() {
      return bytesInMemory();
    }

    @Override
    public CompletableFuture<Void> requestRevoke(long targetBytes) {
      CompletableFuture<Void> done = new CompletableFuture<>();
      Thread.ofVirtual().name("shuffle to disk").start(() -> spill(targetBytes, done));
      return done;
    }
  }

  private void spill(long targetBytes, CompletableFuture<Void> done) {
    try {
      long freed = 0;
      for (ShuffleOutput output : published.values()) {
        if (freed < targetBytes) {
          freed += output.spill();
        }
      }
      done.complete(null);
    } catch (RuntimeException | Error failure) {
      done.completeExceptionally(failure);
    }
  }

  /** Writes one output; used by one thread at a time. */
  public final class Writer implements AutoCloseable {
    private final ShuffleOutput output;
    private boolean done;

    private Writer(ShuffleOutput output) {
      this.output = output;
    }

    /** Adds a frame, whose array the store keeps; may write to disk. */
    public void append(int partition, byte[] frame) {
      output.append(partition, frame);
    }

    /** Makes the output readable and gives the bytes of each partition. */
    public List<Long> publish() {
      output.finish();
      done = true;
      published.put(output.attempt(), output);
      return output.partitionBytes();
    }

    /** Bytes written so far, and of these to disk. */
    public long bytesInFile() {
      return output.bytesInFile();
    }

    /** Throws the output away unless it was published. */
    @Override
    public void close() {
      if (!done) {
        done = true;
        output.close();
      }
    }
  }

  /**
   * Opens a partition of an output for reading.
   *
   * @throws MillraceException SHUFFLE_LOST when the output is not here
   */
  public FrameSource open(AttemptId attempt, int partition) {
    ShuffleOutput output = published.get(attempt);
    if (output == null) {
      throw new MillraceException(
          ErrorCode.SHUFFLE_LOST, "A task's output is not on this worker: " + attempt);
    }
    return output.open(partition);
  }

  /** Deletes an output; does nothing when it is not here. */
  public void drop(AttemptId attempt) {
    ShuffleOutput output = published.remove(attempt);
    if (output != null) {
      output.close();
    }
  }

  /** Deletes all outputs of a query. */
  public void dropQuery(String query) {
    List<AttemptId> attempts =
        published.keySet().stream()
            .filter(attempt -> attempt.task().query().equals(query))
            .toList();
    attempts.forEach(this::drop);
  }

  /** The number of outputs kept. */
  public int outputCount() {
    return published.size();
  }

  @Override
  public void close() {
    List.copyOf(published.keySet()).forEach(this::drop);
    reservation.close();
    if (Files.exists(directory)) {
      try (Stream<Path> left = Files.walk(directory)) {
        for (Path path : left.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(path);
        }
      } catch (IOException notRemoved) {
        // Left for the next start, which removes what ended processes left behind.
      }
    }
  }

  private static String fileName(String query) {
    return query.replaceAll("[^A-Za-z0-9_-]", "_");
  }
}
