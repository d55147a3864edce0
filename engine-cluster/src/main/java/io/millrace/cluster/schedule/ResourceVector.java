package io.millrace.cluster.schedule;

/**
 * An amount of the resources a worker declares and a task occupies. Processors and accelerators are
 * counted in thousandths so that fractions add up exactly.
 *
 * @param milliCpus thousandths of a processor, zero or more
 * @param milliGpus thousandths of an accelerator, zero or more
 * @param memoryBytes bytes of memory, zero or more
 */
public record ResourceVector(long milliCpus, long milliGpus, long memoryBytes) {

  /** Nothing at all. */
  public static final ResourceVector NONE = new ResourceVector(0, 0, 0);

  public ResourceVector {
    if (milliCpus < 0 || milliGpus < 0 || memoryBytes < 0) {
      throw new IllegalArgumentException(
          "resources must not be negative: " + milliCpus + ", " + milliGpus + ", " + memoryBytes);
    }
  }

  /** Whole and fractional processors and accelerators, rounded up to the next thousandth. */
  public static ResourceVector of(double cpus, double gpus, long memoryBytes) {
    return new ResourceVector(
        (long) Math.ceil(cpus * 1000 - 1e-6), (long) Math.ceil(gpus * 1000 - 1e-6), memoryBytes);
  }

  public boolean fitsIn(ResourceVector available) {
    return milliCpus <= available.milliCpus
        && milliGpus <= available.milliGpus
        && memoryBytes <= available.memoryBytes;
  }

  public ResourceVector plus(ResourceVector other) {
    return new ResourceVector(
        milliCpus + other.milliCpus, milliGpus + other.milliGpus, memoryBytes + other.memoryBytes);
  }

  public ResourceVector minus(ResourceVector other) {
    return new ResourceVector(
        milliCpus - other.milliCpus, milliGpus - other.milliGpus, memoryBytes - other.memoryBytes);
  }

  /** The larger of both in each component. */
  public ResourceVector max(ResourceVector other) {
    return new ResourceVector(
        Math.max(milliCpus, other.milliCpus),
        Math.max(milliGpus, other.milliGpus),
        Math.max(memoryBytes, other.memoryBytes));
  }

  @Override
  public String toString() {
    return milliCpus / 1000.0 + " cpus, " + milliGpus / 1000.0 + " gpus, " + memoryBytes + " bytes";
  }
}
