package io.millrace.core.udf;

import java.io.Serializable;

/** A function over a batch; appends exactly one value per input row to the output. */
@FunctionalInterface
public interface BatchFunction extends Serializable {
  void apply(UdfBatch input, UdfOutput output) throws Exception;
}
