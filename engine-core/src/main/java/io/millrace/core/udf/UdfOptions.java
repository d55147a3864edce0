package io.millrace.core.udf;

import java.util.OptionalInt;

/**
 * How a user-defined function runs.
 *
 * @param cpus cpus that an instance holds
 * @param gpus gpus that an instance holds; fractions share one
 * @param memoryBytes memory that an instance declares; 0 for not declared
 * @param concurrency most instances at once per query; empty for one per free slot
 * @param batchRows most rows per call
 * @param timeoutMillis longest time of one call; 0 for none
 * @param retries further tries of a failed call, on a fresh instance
 * @param onError what a failed row or batch becomes
 * @param deterministic whether equal arguments give equal results
 */
public record UdfOptions(
    double cpus,
    double gpus,
    long memoryBytes,
    OptionalInt concurrency,
    int batchRows,
    long timeoutMillis,
    int retries,
    OnError onError,
    boolean deterministic) {

  /** One cpu, one instance per slot, 1,024 rows per call, no retry, errors raised. */
  public static final UdfOptions DEFAULT =
      new UdfOptions(1, 0, 0, OptionalInt.empty(), 1024, 0, 0, OnError.RAISE, true);

  /** What a failure becomes. */
  public enum OnError {
    RAISE,
    NULL
  }

  public UdfOptions {
    if (cpus < 0 || gpus < 0 || memoryBytes < 0 || timeoutMillis < 0 || retries < 0) {
      throw new IllegalArgumentException("Options of a function are not negative.");
    }
    if (batchRows < 1 || concurrency.orElse(1) < 1) {
      throw new IllegalArgumentException("concurrency and batchRows are at least 1.");
    }
  }

  public UdfOptions withConcurrency(int instances) {
    return new UdfOptions(
        cpus,
        gpus,
        memoryBytes,
        OptionalInt.of(instances),
        batchRows,
        timeoutMillis,
        retries,
        onError,
        deterministic);
  }

  public UdfOptions withBatchRows(int rows) {
    return new UdfOptions(
        cpus, gpus, memoryBytes, concurrency, rows, timeoutMillis, retries, onError, deterministic);
  }

  public UdfOptions withRetries(int count) {
    return new UdfOptions(
        cpus,
        gpus,
        memoryBytes,
        concurrency,
        batchRows,
        timeoutMillis,
        count,
        onError,
        deterministic);
  }

  public UdfOptions withOnError(OnError policy) {
    return new UdfOptions(
        cpus,
        gpus,
        memoryBytes,
        concurrency,
        batchRows,
        timeoutMillis,
        retries,
        policy,
        deterministic);
  }

  public UdfOptions withTimeoutMillis(long millis) {
    return new UdfOptions(
        cpus, gpus, memoryBytes, concurrency, batchRows, millis, retries, onError, deterministic);
  }

  public UdfOptions withResources(double cpuCount, double gpuCount, long bytes) {
    return new UdfOptions(
        cpuCount,
        gpuCount,
        bytes,
        concurrency,
        batchRows,
        timeoutMillis,
        retries,
        onError,
        deterministic);
  }

  public UdfOptions asNondeterministic() {
    return new UdfOptions(
        cpus, gpus, memoryBytes, concurrency, batchRows, timeoutMillis, retries, onError, false);
  }
}
