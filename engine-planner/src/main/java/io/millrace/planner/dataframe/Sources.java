package io.millrace.planner.dataframe;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.error.NearestNames;
import io.millrace.core.spi.Connector;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.Connectors;
import io.millrace.core.spi.ObjectStore;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.spi.Table;
import io.millrace.planner.logical.SourceScan;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.calcite.plan.RelOptCluster;

/** Opens what queries read. */
final class Sources {
  private final Connectors connectors;
  private final Supplier<ConnectorContext> context;
  private final OpenTables openTables;
  private final RelOptCluster cluster;

  Sources(
      Connectors connectors,
      Supplier<ConnectorContext> context,
      OpenTables openTables,
      RelOptCluster cluster) {
    this.connectors = connectors;
    this.context = context;
    this.openTables = openTables;
    this.cluster = cluster;
  }

  /** A scan of all columns and rows; the suffix decides when no format is given. */
  SourceScan open(Optional<String> format, List<String> uris, Map<String, String> options) {
    Connector connector = format.map(connectors::named).orElseGet(() -> ofPath(uris.getFirst()));
    requireKnown(connector.name(), "reading", connector.readOptions(), options);
    SourceReference reference =
        new SourceReference(0, connector.name(), uris, options, Optional.empty());
    Table table = connector.open(reference, context.get());
    return SourceScan.of(cluster, openTables.add(name(uris), table));
  }

  Connector ofPath(String path) {
    return connectors
        .ofPath(path)
        .or(() -> inFolder(path))
        .orElseThrow(
            () -> {
              Set<String> suffixes =
                  connectors.all().stream()
                      .flatMap(connector -> connector.suffixes().stream())
                      .collect(Collectors.toCollection(java.util.TreeSet::new));
              return new MillraceException(
                  ErrorCode.UNSUPPORTED_FORMAT,
                  "The path's suffix names no format; name the format (read_parquet(…),"
                      + " format(…)) or use one of "
                      + suffixes
                      + ": '"
                      + path
                      + "'");
            });
  }

  /** What the first file below a folder is. */
  private Optional<Connector> inFolder(String path) {
    if (path.isEmpty() || path.chars().anyMatch(character -> "*?[{".indexOf(character) >= 0)) {
      return Optional.empty();
    }
    try {
      ObjectStore store = context.get().stores().of(path);
      if (!store.isDirectory(path)) {
        return Optional.empty();
      }
      for (ObjectStore.ObjectStatus file : store.list(path)) {
        String name = file.uri().substring(file.uri().lastIndexOf('/') + 1);
        Optional<Connector> found =
            name.startsWith("_") || name.startsWith(".")
                ? Optional.empty()
                : connectors.ofPath(name);
        if (found.isPresent()) {
          return found;
        }
      }
      return Optional.empty();
    } catch (IOException problem) {
      throw new MillraceException(
          ErrorCode.IO_FAILED,
          "The folder cannot be listed: '" + path + "': " + problem.getMessage(),
          problem);
    }
  }

  /**
   * @throws MillraceException UNKNOWN_OPTION naming the nearest
   */
  static void requireKnown(
      String connector, String action, Set<String> known, Map<String, String> options) {
    for (String option : options.keySet()) {
      if (!known.contains(option)) {
        throw new MillraceException(
            ErrorCode.UNKNOWN_OPTION,
            "Unknown option for "
                + action
                + " "
                + connector
                + ": '"
                + option
                + "'"
                + NearestNames.hint(option, known)
                + (known.isEmpty()
                    ? " It takes none."
                    : " Options: " + new java.util.TreeSet<>(known)));
      }
    }
  }

  private static String name(List<String> uris) {
    return "'"
        + uris.getFirst()
        + "'"
        + (uris.size() > 1 ? " and " + (uris.size() - 1) + " more" : "");
  }
}
