package io.millrace.core.config;

import java.util.List;

/** Every setting of the engine; the reference page is generated from this list. */
public final class Settings {
  private static final long MIB = 1L << 20;
  private static final long TIB = 1L << 40;

  private Settings() {}

  public static final Setting<Integer> THREADS =
      Setting.integer("threads", "Threads that run operators; 0 for one per core.", 0, 1024, 0);

  public static final Setting<Long> MEMORY_BYTES =
      Setting.bytes(
          "memory.bytes",
          "Budget of a process for batches, hash tables and buffers; 0 for half of the machine's"
              + " memory.",
          0,
          TIB,
          "0");

  public static final Setting<Long> BATCH_BYTES =
      Setting.bytes("batch.bytes", "Bytes at which a batch is closed.", 1024, 1024 * MIB, "8MiB");

  public static final Setting<Integer> BATCH_ROWS =
      Setting.integer("batch.rows", "Rows at which a batch is closed.", 1, 1 << 20, 16_384);

  public static final Setting<Long> QUEUE_BYTES =
      Setting.bytes(
          "queue.bytes",
          "Bytes that may wait between two pipelines, in a source's read-ahead or for the client.",
          1024,
          TIB,
          "32MiB");

  public static final Setting<Long> HEAVY_VALUE_BYTES =
      Setting.bytes(
          "lazy.value.bytes",
          "Average size from which a binary column is planned as a row reference.",
          0,
          TIB,
          "4KiB");

  public static final Setting<Boolean> LAZY_COLUMNS =
      Setting.flag("lazy.enabled", "Whether heavy columns are planned as row references.", true);

  public static final Setting<Long> FETCH_BYTES =
      Setting.bytes(
          "fetch.bytes",
          "Bytes of heavy values that one Fetch operator may hold or have in flight.",
          1024,
          TIB,
          "64MiB");

  public static final Setting<Integer> FETCH_ROWS =
      Setting.integer(
          "fetch.rows", "References that a Fetch gathers before it takes them.", 1, 1 << 20, 1024);

  public static final Setting<Long> BROADCAST_BYTES =
      Setting.bytes(
          "join.broadcast.bytes",
          "Estimated size up to which a join's build side is sent to every task.",
          0,
          TIB,
          "32MiB");

  public static final Setting<Boolean> OPTIMIZER =
      Setting.flag(
          "optimizer.enabled",
          "Whether optional rewrites run; results are the same without them.",
          true);

  public static final Setting<Boolean> STATISTICS =
      Setting.flag(
          "statistics",
          "Whether plans are made with what tables know of their rows and columns.",
          true);

  public static final Setting<Boolean> RUNTIME_FILTERS =
      Setting.flag(
          "join.runtime_filters",
          "Whether scans leave out rows that a join above them would drop.",
          true);

  public static final Setting<Integer> RECURSION_LIMIT =
      Setting.integer(
          "recursion.iterations",
          "How often the second part of a recursive query may run.",
          1,
          1_000_000_000,
          1_000_000);

  public static final Setting<Boolean> DETERMINISTIC =
      Setting.flag(
          "deterministic",
          "Byte-equal results for any number of threads and workers, at some cost.",
          false);

  public static final Setting<String> TABLES_DIRECTORY =
      Setting.text(
          "tables.directory",
          "Folder for the tables that CREATE TABLE makes, which all workers must see; empty for the"
              + " system's temporary folder.",
          "a writable folder or empty",
          "");

  public static final Setting<String> SPILL_DIRECTORY =
      Setting.text(
          "spill.directory",
          "Folder for spill and shuffle files; empty for the system's temporary folder.",
          "a writable folder or empty",
          "");

  public static final Setting<Integer> TASK_ATTEMPTS =
      Setting.integer("task.attempts", "Tries of a task before its query fails.", 1, 100, 4);

  public static final Setting<Integer> CLUSTER_TIMEOUT_MILLIS =
      Setting.integer(
          "cluster.connect.timeout.millis",
          "How long a client or worker waits for the coordinator.",
          100,
          3_600_000,
          30_000);

  public static final Setting<String> CLUSTER_TOKEN_FILE =
      Setting.text(
          "cluster.token.file",
          "File with the secret that clients and workers show to the coordinator.",
          "a readable file, or empty for none",
          "");

  public static final Setting<String> STORE_S3_ENDPOINT =
      Setting.text(
          "store.s3.endpoint",
          "Address of the server that speaks S3; empty for AWS_ENDPOINT_URL or Amazon's.",
          "a URL, or empty",
          "");

  public static final Setting<String> STORE_S3_REGION =
      Setting.text(
          "store.s3.region",
          "Region of buckets; empty for AWS_REGION or us-east-1.",
          "a region's name, or empty",
          "");

  public static final Setting<Boolean> STORE_ANONYMOUS =
      Setting.flag(
          "store.anonymous",
          "Whether object stores are read without credentials, as public data allow.",
          false);

  public static final Setting<Integer> STORE_ATTEMPTS =
      Setting.integer(
          "store.attempts",
          "Tries of a call of an object store or web server before it fails.",
          1,
          100,
          5);

  public static final Setting<Integer> STORE_TIMEOUT_MILLIS =
      Setting.integer(
          "store.timeout.millis",
          "How long a web server may take to answer a request.",
          10,
          3_600_000,
          30_000);

  /** All settings, in the order of the reference page. */
  public static List<Setting<?>> all() {
    return List.of(
        THREADS,
        MEMORY_BYTES,
        BATCH_BYTES,
        BATCH_ROWS,
        QUEUE_BYTES,
        HEAVY_VALUE_BYTES,
        LAZY_COLUMNS,
        FETCH_BYTES,
        FETCH_ROWS,
        BROADCAST_BYTES,
        OPTIMIZER,
        STATISTICS,
        RUNTIME_FILTERS,
        RECURSION_LIMIT,
        DETERMINISTIC,
        TABLES_DIRECTORY,
        SPILL_DIRECTORY,
        TASK_ATTEMPTS,
        CLUSTER_TIMEOUT_MILLIS,
        CLUSTER_TOKEN_FILE,
        STORE_S3_ENDPOINT,
        STORE_S3_REGION,
        STORE_ANONYMOUS,
        STORE_ATTEMPTS,
        STORE_TIMEOUT_MILLIS);
  }
}
