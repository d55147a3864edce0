package io.millrace.core.function.temporal;

import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionFamily;
import io.millrace.core.function.Parameter;
import io.millrace.core.function.ResultType;
import io.millrace.core.function.Signature;
import io.millrace.core.function.TypePattern;
import io.millrace.core.type.DataType;
import java.util.List;

/** Fields of dates and timestamps; a timestamp with zone is read in its zone. */
public final class Fields implements FunctionFamily {
  private static final TypePattern DATE_LIKE =
      TypePattern.matching(
          "date or timestamp",
          DataType.DATE,
          type -> type instanceof DataType.Date || type instanceof DataType.Timestamp);
  private static final TypePattern TIME_LIKE =
      TypePattern.matching(
          "time or timestamp",
          new DataType.Time(io.millrace.core.type.TimeUnit.MICROSECOND),
          type -> type instanceof DataType.Time || type instanceof DataType.Timestamp);
  private static final Signature DATE_FIELD =
      Signature.of(ResultType.always(DataType.INT64), Parameter.of("value", DATE_LIKE));
  private static final Signature TIME_FIELD =
      Signature.of(ResultType.always(DataType.INT64), Parameter.of("value", TIME_LIKE));

  @Override
  public String name() {
    return "temporal fields";
  }

  @Override
  public List<FunctionDefinition> definitions() {
    return List.of(
        FunctionDefinition.scalar("year", "The year.", DATE_FIELD)
            .example("EXTRACT(YEAR FROM DATE '2024-02-29')", "2024"),
        FunctionDefinition.scalar("quarter", "The quarter of the year, 1 to 4.", DATE_FIELD)
            .example("QUARTER(DATE '2024-02-29')", "1"),
        FunctionDefinition.scalar("month", "The month, 1 to 12.", DATE_FIELD)
            .example("MONTH(DATE '2024-02-29')", "2"),
        FunctionDefinition.scalar("day", "The day of the month.", DATE_FIELD)
            .alias("dayofmonth")
            .example("DAY(DATE '2024-02-29')", "29"),
        FunctionDefinition.scalar("day_of_week", "1 for Sunday to 7 for Saturday.", DATE_FIELD)
            .alias("dayofweek")
            .example("DAY_OF_WEEK(DATE '2024-02-29')", "5"),
        FunctionDefinition.scalar("day_of_year", "The day of the year, from 1.", DATE_FIELD)
            .alias("dayofyear", "doy")
            .example("DAY_OF_YEAR(DATE '2024-02-29')", "60"),
        FunctionDefinition.scalar("weekday", "0 for Sunday to 6 for Saturday.", DATE_FIELD)
            .alias("dow")
            .example("EXTRACT(DOW FROM DATE '2024-02-29')", "4"),
        FunctionDefinition.scalar("isodow", "1 for Monday to 7 for Sunday.", DATE_FIELD)
            .example("EXTRACT(ISODOW FROM DATE '2024-02-29')", "4"),
        FunctionDefinition.scalar("week", "The week of the ISO year, from 1.", DATE_FIELD)
            .alias("weekofyear")
            .example("EXTRACT(WEEK FROM DATE '2024-12-30')", "1"),
        FunctionDefinition.scalar("isoyear", "The year that the ISO week is in.", DATE_FIELD)
            .example("EXTRACT(ISOYEAR FROM DATE '2024-12-30')", "2025"),
        FunctionDefinition.scalar("decade", "The year divided by 10.", DATE_FIELD)
            .example("EXTRACT(DECADE FROM DATE '2024-02-29')", "202"),
        FunctionDefinition.scalar(
                "century", "The century, from 1 for the years 1 to 100.", DATE_FIELD)
            .example("EXTRACT(CENTURY FROM DATE '2000-02-29')", "20"),
        FunctionDefinition.scalar(
                "millennium", "The millennium, from 1 for the years 1 to 1000.", DATE_FIELD)
            .example("EXTRACT(MILLENNIUM FROM DATE '2001-02-28')", "3"),
        FunctionDefinition.scalar(
                "millisecond", "The second with its fraction, in milliseconds.", TIME_FIELD)
            .example("EXTRACT(MILLISECOND FROM TIMESTAMP '2024-02-29 13:45:10.5')", "10500"),
        FunctionDefinition.scalar(
                "microsecond", "The second with its fraction, in microseconds.", TIME_FIELD)
            .example("EXTRACT(MICROSECOND FROM TIMESTAMP '2024-02-29 13:45:10.5')", "10500000"),
        FunctionDefinition.scalar("hour", "The hour, 0 to 23.", TIME_FIELD)
            .example("HOUR(TIMESTAMP '2024-02-29 13:45:10')", "13"),
        FunctionDefinition.scalar("minute", "The minute, 0 to 59.", TIME_FIELD)
            .example("MINUTE(TIMESTAMP '2024-02-29 13:45:10')", "45"),
        FunctionDefinition.scalar("second", "The second, 0 to 59.", TIME_FIELD)
            .example("SECOND(TIMESTAMP '2024-02-29 13:45:10')", "10"));
  }
}
