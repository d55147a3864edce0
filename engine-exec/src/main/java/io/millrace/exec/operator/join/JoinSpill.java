package io.millrace.exec.operator.join;

import io.millrace.core.batch.Batch;
import io.millrace.core.type.Schema;
import io.millrace.exec.operator.key.Partitioner;
import io.millrace.exec.operator.row.RowBytes;
import io.millrace.exec.pipeline.OperatorContext;
import io.millrace.exec.pipeline.TaskContext;
import io.millrace.exec.spill.SpillFile;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows of both sides of a join on disk, in partitions by key, so that one partition's build
 * rows fit in memory. Begins when memory is short while build rows are gathered; then all rows of
 * both sides go through here. Shared by the drivers of the join; owns its files. Thread-safe.
 */
public final class JoinSpill implements AutoCloseable {
  static final int PARTITIONS = 32;

  /** One side's partition. */
  private static final class Partition {
    private final List<SpillFile> files = new ArrayList<>();
    private long bytes;
  }

  // Guarded by this.
  private final List<Partition> build = partitions();
  private final List<Partition> probe = partitions();
  private boolean begun;
  private boolean closed;

  private JoinSpill() {}

  /** Closed at the end of the task. */
  public static JoinSpill open(TaskContext task) {
    JoinSpill spill = new JoinSpill();
    task.addResource(spill);
    return spill;
  }

  private static List<Partition> partitions() {
    List<Partition> partitions = new ArrayList<>();
    for (int index = 0; index < PARTITIONS; index++) {
      partitions.add(new Partition());
    }
    return partitions;
  }

  /** From now on build rows go to disk. */
  synchronized void begin() {
    begun = true;
  }

  synchronized boolean isBegun() {
    return begun;
  }

  /** Writes build rows of one driver. */
  Writer buildWriter(Schema schema, List<Integer> keys, OperatorContext context) {
    return new Writer(build, schema, keys, context);
  }

  /** Writes probe rows of one driver. */
  Writer probeWriter(Schema schema, List<Integer> keys, OperatorContext context) {
    return new Writer(probe, schema, keys, context);
  }

  /** Bytes that a partition's build rows take in memory. */
  synchronized long buildBytes(int partition) {
    return build.get(partition).bytes;
  }

  /** Files of a partition, closed by this. */
  synchronized List<SpillFile> buildFiles(int partition) {
    return List.copyOf(build.get(partition).files);
  }

  synchronized List<SpillFile> probeFiles(int partition) {
    return List.copyOf(probe.get(partition).files);
  }

  /** A partition was joined: its files can go. */
  void discard(int partition) {
    List<SpillFile> files = new ArrayList<>();
    synchronized (this) {
      for (List<Partition> side : List.of(build, probe)) {
        files.addAll(side.get(partition).files);
        side.get(partition).files.clear();
      }
    }
    files.forEach(SpillFile::close);
  }

  private void add(Partition partition, SpillFile file) {
    boolean late;
    synchronized (this) {
      late = closed;
      if (!late) {
        partition.files.add(file);
      }
    }
    if (late) {
      file.close();
    }
  }

  private synchronized void count(Partition partition, long bytes) {
    partition.bytes += bytes;
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    for (int partition = 0; partition < PARTITIONS; partition++) {
      discard(partition);
    }
  }

  /** Places rows of one driver by key and writes them to files of its own; calls block. */
  final class Writer {
    private final List<Partition> side;
    private final List<Integer> keys;
    private final OperatorContext context;
    private final Partitioner partitioner;
    private final SpillFile[] files = new SpillFile[PARTITIONS];

    private Writer(
        List<Partition> side, Schema schema, List<Integer> keys, OperatorContext context) {
      this.side = side;
      this.keys = keys;
      this.context = context;
      this.partitioner = new Partitioner(schema.select(keys).types(), keys, PARTITIONS);
    }

    /** Appends the batch's rows; closes it, also on error. */
    void write(Batch batch) {
      try (batch) {
        int rowCount = batch.rowCount();
        int[] partitions = new int[rowCount];
        if (!keys.isEmpty()) {
          partitioner.place(batch, partitions);
        }
        int[] counts = new int[PARTITIONS];
        for (int row = 0; row < rowCount; row++) {
          counts[partitions[row]]++;
        }
        long rowBytes = RowBytes.of(batch) / Math.max(1, batch.physicalRowCount()) + 1;
        for (int partition = 0; partition < PARTITIONS; partition++) {
          if (counts[partition] > 0 && !context.isCancelled()) {
            write(batch, partitions, partition, counts[partition]);
            count(side.get(partition), rowBytes * counts[partition]);
          }
        }
      }
    }

    private void write(Batch batch, int[] partitions, int partition, int count) {
      int[] rows = new int[count];
      int next = 0;
      for (int row = 0; next < count; row++) {
        if (partitions[row] == partition) {
          rows[next++] = batch.physicalRow(row);
        }
      }
      if (files[partition] == null) {
        files[partition] = SpillFile.create(context.configuration());
        add(side.get(partition), files[partition]);
      }
      long before = files[partition].writtenBytes();
      try (Batch piece = batch.share().withSelection(rows, count).compact(context.allocator())) {
        files[partition].write(piece, context.allocator());
      }
      context.metrics().addSpillBytes(files[partition].writtenBytes() - before);
    }
  }
}
