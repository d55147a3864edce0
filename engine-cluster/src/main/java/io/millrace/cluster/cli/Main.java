package io.millrace.cluster.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** Entry point of every Millrace process that the launcher starts. */
@Command(
    name = "millrace",
    mixinStandardHelpOptions = true,
    versionProvider = Main.ManifestVersion.class,
    description = "A distributed DataFrame and SQL engine with lazy multimodal columns.")
public final class Main implements Runnable {

  private final CommandLine commandLine = new CommandLine(this);

  public static void main(String[] arguments) {
    System.exit(new Main().commandLine.execute(arguments));
  }

  @Override
  public void run() {
    commandLine.usage(System.err);
  }

  /** The version written into the jar's manifest; {@code development} when run from class files. */
  static final class ManifestVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"millrace " + (version == null ? "development" : version)};
    }
  }
}
