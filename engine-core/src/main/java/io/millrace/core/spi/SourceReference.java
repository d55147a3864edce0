package io.millrace.core.spi;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A source as a plan carries it: enough for any process to open the same rows again.
 *
 * @param sourceId number of this source within one plan; names it in reference types
 * @param connector name of the connector
 * @param uris pinned list of files or tables, in the order in which addresses count them
 * @param options options as the user gave them
 * @param pin the version, or sizes and etags of the files, in the connector's own form; empty
 *     before planning
 */
public record SourceReference(
    int sourceId,
    String connector,
    List<String> uris,
    Map<String, String> options,
    Optional<String> pin) {
  public SourceReference {
    uris = List.copyOf(uris);
    options = Map.copyOf(options);
  }

  public SourceReference withSourceId(int id) {
    return new SourceReference(id, connector, uris, options, pin);
  }

  public SourceReference withPin(List<String> pinnedUris, String newPin) {
    return new SourceReference(sourceId, connector, pinnedUris, options, Optional.of(newPin));
  }
}
