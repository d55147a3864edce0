package io.millrace.core.spi;

import io.millrace.core.udf.UdfImplementation;
import io.millrace.core.udf.UdfReference;

/** Encodes user-defined functions and runs them; found by ServiceLoader. */
public interface UdfInvoker {

  /**
   * The implementation as bytes for a plan, with everything it captures.
   *
   * @throws io.millrace.core.error.MillraceException UDF_NOT_LOADABLE naming what cannot be written
   */
  byte[] encode(UdfImplementation implementation);

  /**
   * Starts a pool for one function of one query in this process. Instances are made on first use,
   * at most {@code min(concurrency, slots)}.
   */
  UdfPool openPool(UdfReference function, UdfEnvironment environment);
}
