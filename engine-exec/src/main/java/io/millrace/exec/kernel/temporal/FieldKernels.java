package io.millrace.exec.kernel.temporal;

import io.millrace.core.spi.ScalarKernel;
import io.millrace.exec.kernel.ScalarKernelFamily;
import io.millrace.exec.kernel.temporal.FieldKernel.TemporalField;
import java.util.Map;
import java.util.Optional;

/** Kernels of the fields of dates and timestamps. */
public final class FieldKernels implements ScalarKernelFamily {
  private static final Map<String, TemporalField> FIELDS =
      Map.ofEntries(
          Map.entry("year", TemporalField.YEAR),
          Map.entry("quarter", TemporalField.QUARTER),
          Map.entry("month", TemporalField.MONTH),
          Map.entry("day", TemporalField.DAY),
          Map.entry("day_of_week", TemporalField.DAY_OF_WEEK),
          Map.entry("weekday", TemporalField.WEEKDAY),
          Map.entry("isodow", TemporalField.ISO_DAY_OF_WEEK),
          Map.entry("day_of_year", TemporalField.DAY_OF_YEAR),
          Map.entry("week", TemporalField.ISO_WEEK),
          Map.entry("isoyear", TemporalField.ISO_YEAR),
          Map.entry("decade", TemporalField.DECADE),
          Map.entry("century", TemporalField.CENTURY),
          Map.entry("millennium", TemporalField.MILLENNIUM),
          Map.entry("hour", TemporalField.HOUR),
          Map.entry("minute", TemporalField.MINUTE),
          Map.entry("second", TemporalField.SECOND),
          Map.entry("millisecond", TemporalField.MILLISECOND),
          Map.entry("microsecond", TemporalField.MICROSECOND));

  @Override
  public Optional<ScalarKernel> scalar(BoundCall call) {
    return Optional.ofNullable(FIELDS.get(call.function()))
        .map(field -> new FieldKernel(field, call.arguments().get(0)));
  }
}
