package io.millrace.cluster.job;

import java.util.Optional;

/** The version of the engine that runs, which all processes of a cluster share. */
public final class EngineVersion {
  private EngineVersion() {}

  /** From the jar's manifest; {@code development} when the classes come from no jar. */
  public static String current() {
    return Optional.ofNullable(EngineVersion.class.getPackage().getImplementationVersion())
        .orElse("development");
  }
}
