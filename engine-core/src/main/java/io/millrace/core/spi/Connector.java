package io.millrace.core.spi;

import java.util.Set;

/**
 * A table format or file format. Found by ServiceLoader with the engine's class loader; has a
 * public constructor without arguments that does nothing, so that unused connectors cost nothing.
 */
public interface Connector {

  /** The name in {@code .format(name)}, {@code read_NAME(…)} and plans; lower case. */
  String name();

  /**
   * Suffixes of paths that belong to this connector when the user names none, lower case with dot,
   * for example {@code .parquet}. A suffix {@code .gz} or {@code .zst} is removed before the
   * look-up.
   */
  Set<String> suffixes();

  /** Names of the options it takes when reading, for checks and error messages. */
  Set<String> readOptions();

  /** Names of the options it takes when writing. */
  Set<String> writeOptions();

  /**
   * Opens a table on the driver: resolves globs and the version and pins them. May block; called
   * off the operator threads.
   *
   * @throws io.millrace.core.error.MillraceException FILE_NOT_FOUND, INVALID_FILE, UNKNOWN_VERSION
   *     …
   */
  Table open(SourceReference source, ConnectorContext context);

  /** Reads one split of a scan, on any worker. Does not block: the first poll starts the work. */
  BatchSource openScan(ScanSpecification specification, Split split, ConnectorContext context);

  /**
   * Takes heavy values by row address, on any worker.
   *
   * @throws io.millrace.core.error.MillraceException UNSUPPORTED_FORMAT when it has no row
   *     addresses
   */
  RowTaker openTaker(SourceReference source, ConnectorContext context);

  /**
   * A sink, on the driver and on workers alike.
   *
   * @throws io.millrace.core.error.MillraceException UNSUPPORTED_FORMAT when it cannot write
   */
  TableSink openSink(SinkSpecification specification, ConnectorContext context);
}
