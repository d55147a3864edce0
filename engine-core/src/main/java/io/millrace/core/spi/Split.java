package io.millrace.core.spi;

import java.util.List;

/**
 * A part of a scan that one task reads.
 *
 * @param payload what the connector needs to find it, in its own text form
 * @param bytes estimated bytes; −1 when unknown
 * @param rows estimated rows; −1 when unknown
 * @param hosts where it is near; empty for anywhere
 */
public record Split(String payload, long bytes, long rows, List<String> hosts) {
  public Split {
    hosts = List.copyOf(hosts);
  }
}
