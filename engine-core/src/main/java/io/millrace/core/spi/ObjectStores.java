package io.millrace.core.spi;

import io.millrace.core.config.Configuration;

/** The object stores of a process by URI scheme. */
public interface ObjectStores {

  /**
   * The store of a URI; local files for a path without scheme.
   *
   * @throws io.millrace.core.error.MillraceException MISSING_ARTIFACT for an unknown scheme
   */
  ObjectStore of(String uri);

  /** The same stores under other settings. */
  default ObjectStores with(Configuration configuration) {
    return this;
  }
}
