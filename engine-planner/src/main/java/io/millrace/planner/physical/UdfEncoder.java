package io.millrace.planner.physical;

import io.millrace.core.udf.UdfReference;
import io.millrace.core.udf.UserFunction;

/** Makes a user function into what a plan carries. */
@FunctionalInterface
public interface UdfEncoder {

  /**
   * @throws io.millrace.core.error.MillraceException UDF_NOT_LOADABLE, or MISSING_ARTIFACT without
   *     an invoker
   */
  UdfReference encode(UserFunction function);
}
