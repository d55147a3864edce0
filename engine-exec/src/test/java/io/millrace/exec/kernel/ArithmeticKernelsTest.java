package io.millrace.exec.kernel;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.type.DataType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ArithmeticKernelsTest {
  private final KernelHarness harness = new KernelHarness();
  private final Random random = new Random(7);

  @AfterEach
  void close() {
    harness.close();
  }

  private static Function<List<Object>, Object> onValues(Function<List<Object>, Object> reference) {
    return row -> row.stream().anyMatch(value -> value == null) ? null : reference.apply(row);
  }

  private List<List<Object>> pairs(int count, Function<Random, Object> value) {
    List<List<Object>> rows = new ArrayList<>();
    for (int row = 0; row < count; row++) {
      rows.add(
          Arrays.asList(
              random.nextInt(5) == 0 ? null : value.apply(random),
              random.nextInt(5) == 0 ? null : value.apply(random)));
    }
    return rows;
  }

  @Test
  void integersOfEachWidth() {
    List<DataType> int32 = List.of(DataType.INT32, DataType.INT32);
    List<List<Object>> rows = pairs(3000, source -> source.nextInt(-20_000, 20_000));
    harness.check("add", int32, rows, onValues(row -> (int) row.get(0) + (int) row.get(1)));
    harness.check("subtract", int32, rows, onValues(row -> (int) row.get(0) - (int) row.get(1)));
    harness.check("multiply", int32, rows, onValues(row -> (int) row.get(0) * (int) row.get(1)));
    List<DataType> int64 = List.of(DataType.INT64, DataType.INT64);
    List<List<Object>> longs = pairs(300, source -> source.nextLong(1, 1L << 31));
    harness.check("multiply", int64, longs, onValues(row -> (long) row.get(0) * (long) row.get(1)));
    harness.check("divide", int64, longs, onValues(row -> (long) row.get(0) / (long) row.get(1)));
    harness.check("mod", int64, longs, onValues(row -> (long) row.get(0) % (long) row.get(1)));
  }

  @Test
  void overflowIsAnErrorOfTheSelectedRowsOnly() {
    List<DataType> int64 = List.of(DataType.INT64, DataType.INT64);
    List<Object> good = List.of(1L, 1L);
    for (String function : List.of("add", "multiply")) {
      harness.checkFails(
          harness.call(function, DataType.INT64, DataType.INT64),
          int64,
          List.of(Long.MAX_VALUE, 2L),
          good,
          ErrorCode.NUMERIC_OVERFLOW);
    }
    harness.checkFails(
        harness.call("subtract", DataType.INT64, DataType.INT64),
        int64,
        List.of(Long.MIN_VALUE, 1L),
        good,
        ErrorCode.NUMERIC_OVERFLOW);
    harness.checkFails(
        harness.call("divide", DataType.INT64, DataType.INT64),
        int64,
        List.of(Long.MIN_VALUE, -1L),
        good,
        ErrorCode.NUMERIC_OVERFLOW);
    for (String function : List.of("divide", "mod")) {
      harness.checkFails(
          harness.call(function, DataType.INT64, DataType.INT64),
          int64,
          List.of(5L, 0L),
          good,
          ErrorCode.DIVISION_BY_ZERO);
    }
    List<DataType> int8 = List.of(DataType.INT8, DataType.INT8);
    harness.checkFails(
        harness.call("add", DataType.INT8, DataType.INT8),
        int8,
        List.of((byte) 100, (byte) 28),
        List.of((byte) 100, (byte) 27),
        ErrorCode.NUMERIC_OVERFLOW);
    harness.checkFails(
        harness.call("multiply", DataType.UINT32, DataType.UINT32),
        List.of(DataType.UINT32, DataType.UINT32),
        List.of(4_294_967_295L, 4_294_967_295L),
        List.of(65_535L, 65_537L),
        ErrorCode.NUMERIC_OVERFLOW);
  }

  @Test
  void tryFormsGiveNull() {
    List<DataType> int64 = List.of(DataType.INT64, DataType.INT64);
    List<List<Object>> rows =
        List.of(
            List.of(Long.MAX_VALUE, 1L), List.of(4L, 0L), List.of(4L, 2L), Arrays.asList(null, 0L));
    harness.check(
        "try_add",
        int64,
        rows,
        onValues(row -> (long) row.get(0) == Long.MAX_VALUE ? null : add(row)));
    harness.check(
        "try_divide",
        int64,
        rows,
        onValues(row -> (long) row.get(1) == 0 ? null : (long) row.get(0) / (long) row.get(1)));
  }

  private static Object add(List<Object> row) {
    return (long) row.get(0) + (long) row.get(1);
  }

  @Test
  void unsigned64() {
    BigInteger top = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);
    List<DataType> types = List.of(DataType.UINT64, DataType.UINT64);
    List<List<Object>> rows =
        List.of(
            List.of(top, BigInteger.ONE),
            List.of(top, BigInteger.TWO),
            Arrays.asList(top, null),
            List.of(BigInteger.TEN, BigInteger.TWO));
    harness.check(
        "divide",
        types,
        rows,
        onValues(row -> ((BigInteger) row.get(0)).divide((BigInteger) row.get(1))));
    harness.checkFails(
        harness.call("add", DataType.UINT64, DataType.UINT64),
        types,
        List.of(top, BigInteger.ONE),
        List.of(BigInteger.ONE, BigInteger.ONE),
        ErrorCode.NUMERIC_OVERFLOW);
  }

  @Test
  void floats() {
    List<DataType> types = List.of(DataType.FLOAT64, DataType.FLOAT64);
    List<List<Object>> rows = pairs(200, source -> source.nextDouble(-9, 9));
    rows.add(List.of(1.0, 0.0));
    rows.add(List.of(Double.NaN, 1.0));
    harness.check(
        "divide", types, rows, onValues(row -> (double) row.get(0) / (double) row.get(1)));
    harness.check("mod", types, rows, onValues(row -> (double) row.get(0) % (double) row.get(1)));
    List<DataType> single = List.of(DataType.FLOAT32, DataType.FLOAT32);
    List<List<Object>> floats = pairs(200, source -> source.nextFloat(-9, 9));
    harness.check(
        "multiply", single, floats, onValues(row -> (float) row.get(0) * (float) row.get(1)));
  }

  @Test
  void decimalsOfTpch() {
    DataType money = DataType.decimal(15, 2);
    List<DataType> types = List.of(money, money);
    List<List<Object>> rows =
        pairs(1500, source -> BigDecimal.valueOf(source.nextLong(1, 100_000_000_000L), 2));
    harness.check(
        "multiply",
        types,
        rows,
        onValues(row -> ((BigDecimal) row.get(0)).multiply((BigDecimal) row.get(1))));
    harness.check(
        "subtract",
        types,
        rows,
        onValues(row -> ((BigDecimal) row.get(0)).subtract((BigDecimal) row.get(1))));
    harness.checkFails(
        harness.call("divide", money, money),
        types,
        List.of(new BigDecimal("1.00"), new BigDecimal("0.00")),
        List.of(new BigDecimal("1.00"), new BigDecimal("3.00")),
        ErrorCode.DIVISION_BY_ZERO);
  }
}
