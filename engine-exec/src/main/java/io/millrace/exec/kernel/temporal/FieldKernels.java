package io.millrace.exec.kernel.temporal;

import io.millrace.core.spi.ScalarKernel;
import io.millrace.exec.kernel.ScalarKernelFamily;
import io.millrace.exec.kernel.temporal.FieldKernel.TemporalField;
import java.util.Map;
import java.util.Optional;

/** Kernels of the fields of dates and timestamps. */
public final class FieldKernels implements ScalarKernelFamily {
  private static final Map<String, TemporalField> FIELDS =
      Map.of(
          "year", TemporalField.YEAR,
          "quarter", TemporalField.QUARTER,
          "month", TemporalField.MONTH,
          "day", TemporalField.DAY,
          "day_of_week", TemporalField.DAY_OF_WEEK,
          "day_of_year", TemporalField.DAY_OF_YEAR,
          "hour", TemporalField.HOUR,
          "minute", TemporalField.MINUTE,
          "second", TemporalField.SECOND);

  @Override
  public Optional<ScalarKernel> scalar(BoundCall call) {
    return Optional.ofNullable(FIELDS.get(call.function()))
        .map(field -> new FieldKernel(field, call.arguments().get(0)));
  }
}
