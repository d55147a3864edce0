package io.millrace.core.spi;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.error.NearestNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The connectors of a process by name and by path suffix. Immutable. */
public final class Connectors {
  private final Map<String, Connector> byName;

  public Connectors(List<Connector> connectors) {
    Map<String, Connector> names = new TreeMap<>();
    for (Connector connector : connectors) {
      if (names.putIfAbsent(connector.name(), connector) != null) {
        throw new IllegalStateException(
            "Two connectors share a name; remove one from the class path: " + connector.name());
      }
    }
    byName = names;
  }

  /** All connectors found with the engine's class loader. */
  public static Connectors discovered() {
    List<Connector> found = new ArrayList<>();
    ServiceLoader.load(Connector.class, Connectors.class.getClassLoader()).forEach(found::add);
    return new Connectors(found);
  }

  public List<Connector> all() {
    return List.copyOf(byName.values());
  }

  /**
   * @throws MillraceException MISSING_ARTIFACT naming the artifact that would bring it
   */
  public Connector named(String name) {
    Connector connector = byName.get(name.toLowerCase(Locale.ROOT));
    if (connector == null) {
      throw new MillraceException(
          ErrorCode.MISSING_ARTIFACT,
          "No connector has this name on the class path; add its artifact (for example"
              + " io.millrace:lance-connector or io.millrace:engine-exec): '"
              + name
              + "'"
              + NearestNames.hint(name, byName.keySet()));
    }
    return connector;
  }

  /** The connector whose suffix the path ends with, without case and past .gz and .zst. */
  public Optional<Connector> ofPath(String path) {
    String lower = path.toLowerCase(Locale.ROOT);
    while (lower.endsWith("/") || lower.endsWith("*")) {
      lower = lower.substring(0, lower.length() - 1);
    }
    for (String compression : List.of(".gz", ".zst")) {
      if (lower.endsWith(compression)) {
        lower = lower.substring(0, lower.length() - compression.length());
      }
    }
    String plain = lower;
    return byName.values().stream()
        .filter(connector -> connector.suffixes().stream().anyMatch(plain::endsWith))
        .findFirst();
  }
}
