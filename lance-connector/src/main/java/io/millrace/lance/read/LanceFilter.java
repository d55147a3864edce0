package io.millrace.lance.read;

import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Schema;
import io.millrace.core.type.TimeUnit;
import io.millrace.lance.jni.NameGuard;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Predicates as Lance's SQL, where Lance answers as this engine does; all others are left to the
 * engine. What differs there, each seen with the binding 7.0.0:
 *
 * <ul>
 *   <li>floats compare by total order: −0.0 is below 0.0, and a NaN with its sign bit set is below
 *       −inf. So a zero, a NaN or an infinity as literal is left out, and NaN is put where it
 *       belongs
 *   <li>a literal must fit the column's type (no int8 against 300, no int64 minimum, no uint64
 *       above int64); a literal of another type is converted to the column's and may lose digits
 *   <li>text reaches it as Java's modified UTF-8: none outside the basic plane
 *   <li>timestamp literals are cut to microseconds, and pass through nanoseconds: years far away
 *       overflow
 * </ul>
 */
final class LanceFilter {
  private static final Set<String> COMPARISONS = Set.of("eq", "ne", "lt", "le", "gt", "ge");
  private static final int CANDIDATE_LIMIT = 1_000;
  private static final int TEXT_LIMIT = 10_000;
  private static final BigInteger LONG_LIMIT = BigInteger.valueOf(Long.MAX_VALUE);
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSSSSS");

  private final Schema schema;
  private final Set<String> excludedColumns;
  private final boolean trustsNulls;

  /**
   * @param schema columns that the predicates' inputs address
   * @param excludedColumns columns never pushed, such as blobs
   * @param trustsNulls false for file formats that lose nulls
   */
  LanceFilter(Schema schema, Set<String> excludedColumns, boolean trustsNulls) {
    this.schema = schema;
    this.excludedColumns = excludedColumns;
    this.trustsNulls = trustsNulls;
  }

  /** The predicate in Lance's SQL, or empty when Lance cannot be trusted with it. */
  Optional<String> translate(PhysicalExpression predicate) {
    return switch (predicate) {
      case PhysicalExpression.Input input when input.type() instanceof DataType.Bool ->
          column(input);
      case PhysicalExpression.Logical logical ->
          connect(logical.arguments(), logical.conjunction() ? " AND " : " OR ");
      case PhysicalExpression.InSet set -> membership(set);
      case PhysicalExpression.Call call -> call(call);
      case PhysicalExpression.Input ignored -> Optional.empty();
      case PhysicalExpression.Constant ignored -> Optional.empty();
      case PhysicalExpression.Cast ignored -> Optional.empty();
      case PhysicalExpression.CaseWhen ignored -> Optional.empty();
      case PhysicalExpression.Coalesce ignored -> Optional.empty();
      case PhysicalExpression.FieldAccess ignored -> Optional.empty();
    };
  }

  private Optional<String> call(PhysicalExpression.Call call) {
    List<PhysicalExpression> arguments = call.arguments();
    if (COMPARISONS.contains(call.function()) && arguments.size() == 2) {
      return comparison(call.function(), arguments.get(0), arguments.get(1));
    }
    return switch (call.function()) {
      case "and" -> connect(arguments, " AND ");
      case "or" -> connect(arguments, " OR ");
      case "not" -> translate(arguments.getFirst()).map(inner -> "(NOT " + inner + ")");
      case "is_null" -> nullTest(arguments.getFirst(), " IS NULL)");
      case "is_not_null" -> nullTest(arguments.getFirst(), " IS NOT NULL)");
      default -> Optional.empty();
    };
  }

  private Optional<String> connect(List<PhysicalExpression> arguments, String word) {
    List<String> parts = new ArrayList<>();
    for (PhysicalExpression argument : arguments) {
      Optional<String> part = translate(argument);
      if (part.isEmpty()) {
        return Optional.empty();
      }
      parts.add(part.get());
    }
    return parts.isEmpty() ? Optional.empty() : Optional.of("(" + String.join(word, parts) + ")");
  }

  private Optional<String> nullTest(PhysicalExpression argument, String test) {
    return trustsNulls && argument instanceof PhysicalExpression.Input input
        ? column(input).map(name -> "(" + name + test)
        : Optional.empty();
  }

  private Optional<String> comparison(
      String operator, PhysicalExpression left, PhysicalExpression right) {
    if (left instanceof PhysicalExpression.Input input
        && right instanceof PhysicalExpression.Constant constant) {
      return comparison(operator, input, constant);
    }
    if (left instanceof PhysicalExpression.Constant constant
        && right instanceof PhysicalExpression.Input input) {
      return comparison(mirrored(operator), input, constant);
    }
    return Optional.empty();
  }

  private Optional<String> comparison(
      String operator, PhysicalExpression.Input input, PhysicalExpression.Constant constant) {
    Optional<String> name = column(input);
    Optional<String> literal = literal(constant.value(), constant.type(), input.type());
    if (name.isEmpty() || literal.isEmpty()) {
      return Optional.empty();
    }
    String plain = name.get() + sign(operator) + literal.get();
    if (!(input.type() instanceof DataType.Float)) {
      return Optional.of("(" + plain + ")");
    }
    return Optional.of(
        switch (operator) {
          case "lt", "le" -> "(" + plain + " AND NOT isnan(" + name.get() + "))";
          case "gt", "ge" -> "(" + plain + " OR isnan(" + name.get() + "))";
          default -> "(" + plain + ")";
        });
  }

  private Optional<String> membership(PhysicalExpression.InSet set) {
    if (!(set.value() instanceof PhysicalExpression.Input input)
        || set.hasNull()
        || set.candidates().isEmpty()
        || set.candidates().size() > CANDIDATE_LIMIT) {
      return Optional.empty();
    }
    Optional<String> name = column(input);
    if (name.isEmpty()) {
      return Optional.empty();
    }
    List<String> literals = new ArrayList<>();
    for (Object candidate : set.candidates()) {
      Optional<String> literal = literal(candidate, input.type(), input.type());
      if (literal.isEmpty()) {
        return Optional.empty();
      }
      literals.add(literal.get());
    }
    String word = set.negated() ? " NOT IN (" : " IN (";
    return Optional.of("(" + name.get() + word + String.join(", ", literals) + "))");
  }

  /** The column's name in back ticks, which match it exactly; empty when it must not be pushed. */
  private Optional<String> column(PhysicalExpression.Input input) {
    String name = schema.field(input.index()).name();
    return NameGuard.isPassable(name) && !excludedColumns.contains(name)
        ? Optional.of("`" + name + "`")
        : Optional.empty();
  }

  private static Optional<String> literal(Object value, DataType type, DataType columnType) {
    if (value == null || !type.equals(columnType)) {
      return Optional.empty();
    }
    return switch (columnType) {
      case DataType.Bool ignored -> Optional.of(value.toString());
      case DataType.Int ignored -> integer(value);
      case DataType.Float number -> number.bits() == 16 ? Optional.empty() : floating(value);
      case DataType.Decimal decimal -> decimal(value, decimal);
      case DataType.Date ignored -> date((LocalDate) value);
      case DataType.Timestamp timestamp when timestamp.zone().isEmpty() ->
          timestamp((LocalDateTime) value, timestamp.unit());
      case DataType.Text ignored -> text((String) value);
      default -> Optional.empty();
    };
  }

  private static Optional<String> integer(Object value) {
    BigInteger number =
        value instanceof BigInteger big ? big : BigInteger.valueOf(((Number) value).longValue());
    return number.abs().compareTo(LONG_LIMIT) > 0
        ? Optional.empty()
        : Optional.of(number.toString());
  }

  /**
   * A float32 is written with all digits of the float64 it widens to, so it converts back exactly.
   */
  private static Optional<String> floating(Object value) {
    double number = ((Number) value).doubleValue();
    return number == 0 || !Double.isFinite(number)
        ? Optional.empty()
        : Optional.of(Double.toString(number));
  }

  private static Optional<String> decimal(Object value, DataType.Decimal type) {
    String digits = ((BigDecimal) value).setScale(type.scale()).toPlainString();
    return Optional.of(
        "CAST('" + digits + "' AS decimal(" + type.precision() + "," + type.scale() + "))");
  }

  private static Optional<String> date(LocalDate value) {
    return value.getYear() < 1 || value.getYear() > 9999
        ? Optional.empty()
        : Optional.of("date '" + value + "'");
  }

  private static Optional<String> timestamp(LocalDateTime value, TimeUnit unit) {
    boolean exact = value.getNano() % 1_000 == 0;
    if (!exact || value.getYear() < 1700 || value.getYear() > 2200) {
      return Optional.empty();
    }
    String text = TIMESTAMP.format(value);
    int digits = Math.min(6, unit.digits());
    int end = text.length() - 9 + digits - (digits == 0 ? 1 : 0);
    return Optional.of("timestamp '" + text.substring(0, end) + "'");
  }

  private static Optional<String> text(String value) {
    return NameGuard.isPlainText(value) && value.length() <= TEXT_LIMIT
        ? Optional.of("'" + value.replace("'", "''") + "'")
        : Optional.empty();
  }

  private static String sign(String operator) {
    return switch (operator) {
      case "eq" -> " = ";
      case "ne" -> " <> ";
      case "lt" -> " < ";
      case "le" -> " <= ";
      case "gt" -> " > ";
      default -> " >= ";
    };
  }

  private static String mirrored(String operator) {
    return switch (operator) {
      case "lt" -> "gt";
      case "le" -> "ge";
      case "gt" -> "lt";
      case "ge" -> "le";
      default -> operator;
    };
  }
}
