package io.millrace.planner.dataframe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * The memory of this machine or container. On Linux two small files say it; the platform's
 * management beans, which start slowly, are asked only where these are not.
 */
final class MachineMemory {
  private static final Path MACHINE = Path.of("/proc/meminfo");
  private static final Path CONTAINER = Path.of("/sys/fs/cgroup/memory.max");
  private static final String TOTAL = "MemTotal:";
  private static final long KIB = 1024;

  private MachineMemory() {}

  static long bytes() {
    OptionalLong machine = machineBytes();
    if (machine.isEmpty()) {
      return beanBytes();
    }
    return Math.min(machine.getAsLong(), containerBytes().orElse(Long.MAX_VALUE));
  }

  private static OptionalLong machineBytes() {
    try {
      for (String line : Files.readAllLines(MACHINE)) {
        if (line.startsWith(TOTAL)) {
          String kibibytes = line.substring(TOTAL.length()).replace("kB", "").strip();
          return OptionalLong.of(Long.parseLong(kibibytes) * KIB);
        }
      }
    } catch (IOException | NumberFormatException otherSystem) {
      return OptionalLong.empty();
    }
    return OptionalLong.empty();
  }

  private static OptionalLong containerBytes() {
    try {
      return OptionalLong.of(Long.parseLong(Files.readString(CONTAINER).strip()));
    } catch (IOException | NumberFormatException unlimited) {
      return OptionalLong.empty();
    }
  }

  private static long beanBytes() {
    var system = java.lang.management.ManagementFactory.getOperatingSystemMXBean();
    return system instanceof com.sun.management.OperatingSystemMXBean known
        ? known.getTotalMemorySize()
        : Runtime.getRuntime().maxMemory();
  }
}
