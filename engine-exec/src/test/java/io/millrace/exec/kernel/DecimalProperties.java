package io.millrace.exec.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.PhysicalExpression.Cast;
import io.millrace.core.plan.PhysicalExpression.Input;
import io.millrace.core.type.DataType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Decimal arithmetic and conversions against BigDecimal, over all precisions and scales. */
class DecimalProperties {

  record Operand(BigDecimal value, DataType.Decimal type) {}

  @Provide
  Arbitrary<Operand> operands() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 38), Arbitraries.integers().between(0, 38))
        .as((precision, scale) -> DataType.decimal(precision, Math.min(precision, scale)))
        .flatMap(
            type -> {
              BigInteger limit = BigInteger.TEN.pow(type.precision()).subtract(BigInteger.ONE);
              return Arbitraries.bigIntegers()
                  .between(limit.negate(), limit)
                  .map(units -> new Operand(new BigDecimal(units, type.scale()), type));
            });
  }

  private interface Exact {
    BigDecimal apply(BigDecimal left, BigDecimal right, int scale);
  }

  private static final Map<String, Exact> OPERATIONS =
      Map.of(
          "add", (left, right, scale) -> left.add(right),
          "subtract", (left, right, scale) -> left.subtract(right),
          "multiply", (left, right, scale) -> left.multiply(right),
          "divide", (left, right, scale) -> left.divide(right, scale, RoundingMode.HALF_UP),
          "mod", (left, right, scale) -> left.remainder(right));

  @Property(tries = 400)
  void operationsAreExactOrFail(
      @ForAll("operands") Operand left, @ForAll("operands") Operand right) {
    try (KernelHarness harness = new KernelHarness()) {
      OPERATIONS.forEach(
          (function, exact) -> {
            PhysicalExpression call = harness.call(function, left.type(), right.type());
            DataType.Decimal type = (DataType.Decimal) call.type();
            boolean divides = function.equals("divide") || function.equals("mod");
            if (divides && right.value().signum() == 0) {
              assertEquals(ErrorCode.DIVISION_BY_ZERO, outcome(harness, call, left, right));
              return;
            }
            BigDecimal expected =
                exact
                    .apply(left.value(), right.value(), type.scale())
                    .setScale(type.scale(), RoundingMode.HALF_UP);
            Object wanted =
                expected.precision() > type.precision() ? ErrorCode.NUMERIC_OVERFLOW : expected;
            assertEquals(wanted, outcome(harness, call, left, right), function);
          });
    }
  }

  /** The result, or the code of the error. */
  private static Object outcome(
      KernelHarness harness, PhysicalExpression call, Operand left, Operand right) {
    try {
      return harness
          .values(
              call,
              List.of(left.type(), right.type()),
              List.of(List.of(left.value(), right.value())),
              KernelHarness.Form.FLAT,
              null)
          .getFirst();
    } catch (MillraceException fault) {
      return fault.code();
    }
  }

  @Property(tries = 400)
  void conversionsRoundOrFail(
      @ForAll("operands") Operand operand, @ForAll("operands") Operand target) {
    DataType.Decimal type = target.type();
    BigDecimal rounded = operand.value().setScale(type.scale(), RoundingMode.HALF_UP);
    Object wanted = rounded.precision() > type.precision() ? ErrorCode.INVALID_CAST : rounded;
    assertEquals(wanted, converted(operand, type));
    assertEquals(operand.value().doubleValue(), converted(operand, DataType.FLOAT64));
    assertEquals(operand.value().toPlainString(), converted(operand, DataType.STRING));
    BigInteger whole = operand.value().setScale(0, RoundingMode.HALF_UP).unscaledValue();
    Object wantedLong = whole.bitLength() > 63 ? ErrorCode.INVALID_CAST : whole.longValue();
    assertEquals(wantedLong, converted(operand, DataType.INT64));
  }

  private static Object converted(Operand operand, DataType to) {
    try (KernelHarness harness = new KernelHarness()) {
      return harness
          .values(
              new Cast(new Input(0, operand.type()), to, false),
              List.of(operand.type()),
              List.of(List.of(operand.value())),
              KernelHarness.Form.FLAT,
              null)
          .getFirst();
    } catch (MillraceException fault) {
      return fault.code();
    }
  }

  @Property(tries = 300)
  void comparisonsAgree(@ForAll("operands") Operand left, @ForAll("operands") Operand right) {
    try (KernelHarness harness = new KernelHarness()) {
      // Types of different scale meet in a common one, which may not hold both values.
      PhysicalExpression call =
          new PhysicalExpression.Call(
              "lt",
              List.of(new Input(0, left.type()), new Input(1, right.type())),
              DataType.BOOLEAN);
      assertEquals(left.value().compareTo(right.value()) < 0, outcome(harness, call, left, right));
    }
  }
}
