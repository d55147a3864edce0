package io.millrace.lance.read;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.SourceReference;
import io.millrace.lance.jni.LanceDataset;
import io.millrace.lance.jni.LanceLocation;
import io.millrace.lance.jni.LanceRuntime;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The version of a table that a plan reads.
 *
 * @param version number of the version
 * @param fingerprint of its data files: a table that is deleted and made anew counts versions from
 *     1 again, and a row address would name another row
 */
record TablePin(long version, long fingerprint) {

  static TablePin of(LanceDataset table) {
    return new TablePin(table.version(), table.fingerprint());
  }

  /** In the form of {@link SourceReference#pin}. */
  String encode() {
    return version + ":" + Long.toHexString(fingerprint);
  }

  static TablePin decode(String text) {
    int colon = text.indexOf(':');
    return new TablePin(
        Long.parseLong(text.substring(0, colon)),
        Long.parseUnsignedLong(text.substring(colon + 1), 16));
  }

  /**
   * Opens the pinned version of a source.
   *
   * @throws MillraceException SOURCE_CHANGED when the version is gone or is another table's
   */
  static LanceDataset open(
      LanceRuntime runtime, SourceReference source, BufferAllocator allocator) {
    TablePin pin =
        source
            .pin()
            .map(TablePin::decode)
            .orElseThrow(
                () ->
                    new MillraceException(
                        ErrorCode.INVALID_PLAN, "A Lance source is read before it is pinned"));
    LanceLocation location = location(source);
    LanceDataset table = runtime.openPinned(location, pin.version(), allocator);
    if (table.fingerprint() != pin.fingerprint()) {
      table.close();
      throw new MillraceException(
          ErrorCode.SOURCE_CHANGED,
          "The Lance table was deleted and made anew since the query was planned: " + location);
    }
    return table;
  }

  /** The one place that a Lance source names. */
  static LanceLocation location(SourceReference source) {
    if (source.uris().size() != 1) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT,
          "A Lance table is one folder; read several with UNION ALL. Given: " + source.uris());
    }
    return new LanceLocation(source.uris().getFirst(), Map.of());
  }
}
