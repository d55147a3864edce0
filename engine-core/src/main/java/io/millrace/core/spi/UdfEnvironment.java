package io.millrace.core.spi;

import org.apache.arrow.memory.BufferAllocator;

/**
 * Where a pool runs.
 *
 * @param classLoader holds the job's classes
 * @param worker name of the worker, {@code local} in one process
 * @param cpuSlots cpus of this process that functions may hold
 * @param gpuSlots gpus likewise
 * @param allocator parent for argument and result buffers
 */
public record UdfEnvironment(
    String queryId,
    String worker,
    ClassLoader classLoader,
    double cpuSlots,
    double gpuSlots,
    BufferAllocator allocator) {}
