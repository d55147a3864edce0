package io.millrace.planner.sql;

import io.millrace.core.error.ErrorCode;
import io.millrace.planner.sql.parser.NamedParameter;
import io.millrace.planner.sql.parser.SqlError;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.util.BitString;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;

/** Constants of the syntax tree as Java values, of the classes of {@code ColumnVector.valueAt}. */
final class WrittenConstants {
  private final ParameterValues parameters;

  WrittenConstants(ParameterValues parameters) {
    this.parameters = parameters;
  }

  /** The value; empty for NULL and for what is no constant. */
  Optional<Object> value(SqlNode node) {
    return switch (node) {
      case SqlLiteral literal -> Optional.ofNullable(literal(literal));
      case NamedParameter parameter ->
          Optional.ofNullable(
              parameters.value(parameter.name(), parameters.naturalType(parameter.name())));
      case SqlCall call when call.getKind() == SqlKind.MINUS_PREFIX ->
          value(call.operand(0)).flatMap(WrittenConstants::negated);
      default -> Optional.empty();
    };
  }

  /**
   * The value of an argument that must be a constant: also lists, and names as text; null for NULL.
   *
   * @throws io.millrace.core.error.MillraceException INVALID_ARGUMENT
   */
  Object require(SqlNode node) {
    return switch (node) {
      case SqlIdentifier name -> name.toString();
      case SqlCall call when call.getKind() == SqlKind.ARRAY_VALUE_CONSTRUCTOR -> {
        List<Object> elements = new ArrayList<>();
        call.getOperandList().forEach(operand -> elements.add(require(operand)));
        yield elements;
      }
      case SqlLiteral literal when literal.getValue() == null -> null;
      default ->
          value(node)
              .orElseThrow(
                  () ->
                      SqlError.at(
                          ErrorCode.INVALID_ARGUMENT,
                          node.getParserPosition(),
                          "This argument must be a constant: " + node));
    };
  }

  private static Object literal(SqlLiteral literal) {
    if (literal.getValue() == null) {
      return null;
    }
    return switch (literal.getTypeName()) {
      case BOOLEAN -> literal.booleanValue();
      case DECIMAL -> exact((SqlNumericLiteral) literal);
      case DOUBLE -> literal.bigDecimalValue().doubleValue();
      case CHAR -> literal.getValueAs(NlsString.class).getValue();
      case BINARY ->
          new ByteString(literal.getValueAs(BitString.class).getAsByteArray()).getBytes();
      case DATE -> LocalDate.parse(literal.getValueAs(DateString.class).toString());
      case TIME -> LocalTime.parse(literal.getValueAs(TimeString.class).toString());
      case TIMESTAMP ->
          LocalDateTime.parse(
              literal.getValueAs(TimestampString.class).toString().replace(' ', 'T'));
      default -> null;
    };
  }

  private static Object exact(SqlNumericLiteral literal) {
    BigDecimal value = literal.bigDecimalValue();
    if (!literal.isInteger() || value.precision() > 18) {
      return value;
    }
    long whole = value.longValueExact();
    return whole == (int) whole ? (Object) (int) whole : (Object) whole;
  }

  private static Optional<Object> negated(Object value) {
    return Optional.ofNullable(
        switch (value) {
          case Integer number -> -number;
          case Long number -> -number;
          case Double number -> -number;
          case BigDecimal number -> number.negate();
          default -> null;
        });
  }
}
