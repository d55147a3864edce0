package io.millrace.core.udf;

import java.io.Serializable;

/** The code of a user-defined function. */
public sealed interface UdfImplementation extends Serializable {

  /** Called once a row. */
  record Scalar(ScalarFunctions.Any function) implements UdfImplementation {}

  /** Called once a batch. */
  record Stateless(BatchFunction function) implements UdfImplementation {}

  /** Made once per slot, opened, called once a batch, closed. */
  record Stateful(StatefulFunction.Factory factory) implements UdfImplementation {}
}
