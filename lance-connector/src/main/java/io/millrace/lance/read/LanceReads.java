package io.millrace.lance.read;

import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.BatchSource;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.RowTaker;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.spi.Split;
import io.millrace.core.spi.Table;
import io.millrace.lance.jni.LanceDataset;
import io.millrace.lance.jni.LanceLocation;
import io.millrace.lance.jni.LanceRuntime;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** The reading side of the connector: tables, scans and takes with one runtime and context. */
public final class LanceReads {
  private static final String VERSION = "version";
  private static final String TAG = "tag";

  /** What a user may say when reading: a version number, or the name of a tag. */
  public static final Set<String> OPTIONS = Set.of(VERSION, TAG);

  private final LanceRuntime runtime;
  private final ConnectorContext context;

  public LanceReads(LanceRuntime runtime, ConnectorContext context) {
    this.runtime = runtime;
    this.context = context;
  }

  /** Opens and pins a table: at the version its options or its pin name, else the newest. */
  public Table open(SourceReference source) {
    LanceLocation location = LanceLocation.normalized(TablePin.location(source).uri());
    if (source.pin().isPresent()) {
      return LanceTable.of(
          runtime, TablePin.open(runtime, source, context.allocator()), context, source);
    }
    Map<String, String> options = source.options();
    if (options.containsKey(VERSION) && options.containsKey(TAG)) {
      throw new MillraceException(
          ErrorCode.INVALID_OPTION_VALUE, "A table is read at a version or at a tag, not at both");
    }
    LanceDataset dataset =
        options.containsKey(TAG)
            ? runtime.openTag(location, options.get(TAG), context.allocator())
            : runtime.open(location, version(options), context.allocator());
    return LanceTable.of(runtime, dataset, context, source);
  }

  private static OptionalLong version(Map<String, String> options) {
    String text = options.get(VERSION);
    if (text == null) {
      return OptionalLong.empty();
    }
    try {
      long version = Long.parseLong(text.strip());
      if (version >= 1) {
        return OptionalLong.of(version);
      }
    } catch (NumberFormatException notANumber) {
      throw invalidVersion(text, notANumber);
    }
    throw invalidVersion(text, null);
  }

  private static MillraceException invalidVersion(String text, Throwable cause) {
    return new MillraceException(
        ErrorCode.INVALID_OPTION_VALUE,
        "The version of a Lance table is a whole number from 1: '" + text + "'",
        cause);
  }

  /** Starts nothing: the first poll does. */
  public BatchSource scan(ScanSpecification specification, Split split) {
    return new LanceBatchSource(
        new ScanWork(runtime, specification, split, context),
        context.configuration().value(Settings.QUEUE_BYTES));
  }

  public RowTaker taker(SourceReference source) {
    return new LanceRowTaker(runtime, source, context);
  }
}
