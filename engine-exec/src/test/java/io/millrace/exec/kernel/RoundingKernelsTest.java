package io.millrace.exec.kernel;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.plan.PhysicalExpression.Constant;
import io.millrace.core.plan.PhysicalExpression.Input;
import io.millrace.core.type.DataType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RoundingKernelsTest {
  private final KernelHarness harness = new KernelHarness();
  private final Random random = new Random(17);

  @AfterEach
  void close() {
    harness.close();
  }

  @Test
  void decimalsRoundToDigits() {
    Map<String, RoundingMode> modes =
        Map.of("round", RoundingMode.HALF_UP, "trunc", RoundingMode.DOWN);
    for (DataType.Decimal type :
        List.of(DataType.decimal(15, 4), DataType.decimal(38, 20), DataType.decimal(5, 0))) {
      List<List<Object>> rows = new ArrayList<>();
      for (int row = 0; row < 200; row++) {
        BigInteger units = new BigInteger(type.precision() * 3 - 1, random);
        rows.add(
            List.of(new BigDecimal(random.nextBoolean() ? units : units.negate(), type.scale())));
      }
      rows.add(Arrays.asList((Object) null));
      modes.forEach(
          (function, mode) -> {
            for (int digits : new int[] {-2, 0, 1, 3, 30}) {
              harness.check(
                  harness.callOf(
                      function, new Input(0, type), new Constant(digits, DataType.INT32)),
                  List.of(type),
                  rows,
                  row ->
                      row.get(0) == null
                          ? null
                          : ((BigDecimal) row.get(0))
                              .setScale(Math.min(digits, type.scale()), mode)
                              .setScale(type.scale()));
            }
          });
      harness.check(
          "ceil",
          List.of(type),
          rows,
          row ->
              row.get(0) == null
                  ? null
                  : ((BigDecimal) row.get(0)).setScale(0, RoundingMode.CEILING));
      harness.check(
          "floor",
          List.of(type),
          rows,
          row ->
              row.get(0) == null
                  ? null
                  : ((BigDecimal) row.get(0)).setScale(0, RoundingMode.FLOOR));
    }
  }

  @Test
  void floatsRoundHalfAwayFromZero() {
    List<List<Object>> rows = new ArrayList<>();
    for (double value :
        new double[] {0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 1e300, Double.NaN}) {
      rows.add(List.of(value));
    }
    harness.check(
        "round",
        List.of(DataType.FLOAT64),
        rows,
        row -> {
          double value = (double) row.get(0);
          return Double.isNaN(value) || Math.abs(value) > 1e17
              ? (Object) value
              : (Object)
                  Math.copySign(
                      new BigDecimal(value).setScale(0, RoundingMode.HALF_UP).doubleValue(), value);
        });
    harness.check(
        harness.callOf("round", new Input(0, DataType.FLOAT64), new Constant(1, DataType.INT32)),
        List.of(DataType.FLOAT64),
        List.of(List.of(2.25), List.of(-2.25), List.of(1e300), List.of(0.04)),
        row -> {
          double value = (double) row.get(0);
          return value > 1e200 ? (Object) value : value == 0.04 ? 0.0 : Math.signum(value) * 2.3;
        });
  }

  @Test
  void integersRoundAtNegativeDigits() {
    harness.check(
        harness.callOf("round", new Input(0, DataType.INT32), new Constant(-2, DataType.INT32)),
        List.of(DataType.INT32),
        List.of(List.of(149), List.of(150), List.of(-150), List.of(49)),
        row -> new BigDecimal((int) row.get(0)).setScale(-2, RoundingMode.HALF_UP).intValueExact());
    harness.checkFails(
        harness.callOf("round", new Input(0, DataType.INT8), new Constant(-1, DataType.INT32)),
        List.of(DataType.INT8),
        List.of((byte) 127),
        List.of((byte) 124),
        ErrorCode.NUMERIC_OVERFLOW);
    harness.checkFails(
        harness.call("abs", DataType.INT64),
        List.of(DataType.INT64),
        List.of(Long.MIN_VALUE),
        List.of(-5L),
        ErrorCode.NUMERIC_OVERFLOW);
  }

  @Test
  void signs() {
    List<List<Object>> rows =
        List.of(
            List.of(new BigDecimal("-12345678901234567890.50")),
            List.of(new BigDecimal("0.00")),
            List.of(new BigDecimal("7.25")));
    List<DataType> types = List.of(DataType.decimal(30, 2));
    harness.check("negate", types, rows, row -> ((BigDecimal) row.get(0)).negate());
    harness.check("abs", types, rows, row -> ((BigDecimal) row.get(0)).abs());
    harness.check(
        "sign", types, rows, row -> new BigDecimal(((BigDecimal) row.get(0)).signum()).setScale(2));
  }

  @Test
  void transcendental() {
    List<List<Object>> rows = List.of(List.of(0.25), List.of(4.0), List.of(-1.0), List.of(100.0));
    List<DataType> types = List.of(DataType.FLOAT64);
    harness.check("sqrt", types, rows, row -> Math.sqrt((double) row.get(0)));
    harness.check("ln", types, rows, row -> Math.log((double) row.get(0)));
    harness.check("log10", types, rows, row -> Math.log10((double) row.get(0)));
    harness.check("exp", types, rows, row -> Math.exp((double) row.get(0)));
    harness.check("is_nan", types, rows, row -> false);
    harness.check(
        "power",
        List.of(DataType.FLOAT64, DataType.FLOAT64),
        List.of(List.of(2.0, 10.0), List.of(0.0, 0.0)),
        row -> Math.pow((double) row.get(0), (double) row.get(1)));
  }
}
