package io.millrace.planner.sql;

import io.millrace.core.batch.IntervalValue;
import io.millrace.core.error.ErrorCode;
import io.millrace.planner.sql.parser.SqlError;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Reads interval literals to the nanosecond; Calcite keeps milliseconds only. */
final class IntervalText {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private IntervalText() {}

  /** The value of {@code INTERVAL '…' unit [TO unit]}. */
  static IntervalValue read(SqlIntervalLiteral literal) {
    SqlIntervalLiteral.IntervalValue written =
        literal.getValueAs(SqlIntervalLiteral.IntervalValue.class);
    return read(
        written.getIntervalLiteral().trim(),
        written.getSign(),
        written.getIntervalQualifier(),
        literal.getParserPosition());
  }

  /** The value of {@code INTERVAL n unit} with a number that is not in quotes. */
  static IntervalValue read(SqlNumericLiteral number, SqlIntervalQualifier qualifier) {
    return read(number.bigDecimalValue().toPlainString(), 1, qualifier, number.getParserPosition());
  }

  private static IntervalValue read(
      String written, int writtenSign, SqlIntervalQualifier qualifier, SqlParserPos position) {
    String text = written;
    int sign = writtenSign;
    if (text.startsWith("-") || text.startsWith("+")) {
      sign *= text.startsWith("-") ? -1 : 1;
      text = text.substring(1).trim();
    }
    List<TimeUnit> units = units(qualifier);
    String[] parts = text.split("[ :\\-]+");
    try {
      if (parts.length != units.size()) {
        throw new NumberFormatException(text);
      }
      BigDecimal months = BigDecimal.ZERO;
      BigDecimal days = BigDecimal.ZERO;
      BigDecimal nanos = BigDecimal.ZERO;
      for (int index = 0; index < parts.length; index++) {
        BigDecimal amount = new BigDecimal(parts[index]).multiply(BigDecimal.valueOf(sign));
        switch (units.get(index)) {
          case MILLENNIUM -> months = months.add(amount.multiply(BigDecimal.valueOf(12_000)));
          case CENTURY -> months = months.add(amount.multiply(BigDecimal.valueOf(1_200)));
          case DECADE -> months = months.add(amount.multiply(BigDecimal.valueOf(120)));
          case YEAR -> months = months.add(amount.multiply(BigDecimal.valueOf(12)));
          case QUARTER -> months = months.add(amount.multiply(BigDecimal.valueOf(3)));
          case MONTH -> months = months.add(amount);
          case WEEK -> days = days.add(amount.multiply(BigDecimal.valueOf(7)));
          case DAY -> days = days.add(amount);
          case HOUR -> nanos = nanos.add(seconds(amount, 3_600));
          case MINUTE -> nanos = nanos.add(seconds(amount, 60));
          case SECOND -> nanos = nanos.add(seconds(amount, 1));
          case MILLISECOND ->
              nanos = nanos.add(amount.multiply(BigDecimal.valueOf(NANOS_PER_SECOND / 1_000)));
          case MICROSECOND -> nanos = nanos.add(amount.multiply(BigDecimal.valueOf(1_000)));
          case NANOSECOND -> nanos = nanos.add(amount);
          default -> throw new NumberFormatException(units.get(index).name());
        }
      }
      return new IntervalValue(
          months.intValueExact(), days.intValueExact(), nanos.longValueExact());
    } catch (NumberFormatException | ArithmeticException failure) {
      throw SqlError.at(
          ErrorCode.MALFORMED_VALUE,
          position,
          "An interval's text does not fit its units: '" + written + "' " + qualifier,
          failure);
    }
  }

  private static BigDecimal seconds(BigDecimal amount, long factor) {
    return amount.multiply(BigDecimal.valueOf(factor * NANOS_PER_SECOND));
  }

  private static List<TimeUnit> units(SqlIntervalQualifier qualifier) {
    List<TimeUnit> order =
        List.of(
            TimeUnit.YEAR,
            TimeUnit.MONTH,
            TimeUnit.DAY,
            TimeUnit.HOUR,
            TimeUnit.MINUTE,
            TimeUnit.SECOND);
    TimeUnit start = qualifier.getStartUnit();
    TimeUnit end = qualifier.getEndUnit() == null ? start : qualifier.getEndUnit();
    return order.contains(start)
        ? new ArrayList<>(order.subList(order.indexOf(start), order.indexOf(end) + 1))
        : List.of(start);
  }
}
