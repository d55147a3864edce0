package io.millrace.udf.instance;

import io.millrace.core.spi.UdfEnvironment;
import io.millrace.core.udf.UdfOptions;
import io.millrace.core.udf.UdfReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How many instances of a function a process can hold. */
public final class UdfSlots {
  private static final Logger LOG = LoggerFactory.getLogger(UdfSlots.class);

  private UdfSlots() {}

  /**
   * The wanted concurrency, or as many as the process's cpus and gpus allow, at least one. Warns
   * when fewer run than were asked for; it never waits for slots that do not exist.
   */
  public static int instanceLimit(UdfReference reference, UdfEnvironment environment) {
    UdfOptions options = reference.options();
    double byCpu =
        options.cpus() > 0 ? environment.cpuSlots() / options.cpus() : environment.cpuSlots();
    double limit =
        options.gpus() > 0 ? Math.min(byCpu, environment.gpuSlots() / options.gpus()) : byCpu;
    int slots = Math.max(1, (int) Math.floor(limit));
    int wanted = options.concurrency().orElse(slots);
    if (wanted > slots) {
      LOG.warn(
          "A function asks for more instances than there are slots; {} of {} run: {}",
          slots,
          wanted,
          reference.name());
    }
    return Math.min(wanted, slots);
  }
}
