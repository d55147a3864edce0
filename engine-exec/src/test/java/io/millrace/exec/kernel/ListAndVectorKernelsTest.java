package io.millrace.exec.kernel;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.PhysicalExpression.Constant;
import io.millrace.core.plan.PhysicalExpression.Input;
import io.millrace.core.type.DataType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ListAndVectorKernelsTest {
  private final KernelHarness harness = new KernelHarness();
  private final Random random = new Random(23);

  @AfterEach
  void close() {
    harness.close();
  }

  private float[] vector(int length) {
    float[] vector = new float[length];
    for (int index = 0; index < length; index++) {
      vector[index] = random.nextInt(-8, 8);
    }
    return vector;
  }

  @Test
  void distancesOfEmbeddings() {
    // Whole numbers: the order of additions does not matter.
    DataType type = DataType.embedding(DataType.FLOAT32, 13);
    List<List<Object>> rows = new ArrayList<>();
    for (int row = 0; row < 100; row++) {
      rows.add(Arrays.asList(row % 9 == 0 ? null : vector(13), vector(13)));
    }
    List<DataType> types = List.of(type, type);
    harness.check(
        "l2_distance",
        types,
        rows,
        row -> row.get(0) == null ? null : Math.sqrt(squares(row.get(0), row.get(1))));
    harness.check(
        "dot_product", types, rows, row -> row.get(0) == null ? null : dot(row.get(0), row.get(1)));
    harness.check(
        "cosine_distance",
        types,
        rows,
        row ->
            row.get(0) == null
                ? null
                : 1
                    - dot(row.get(0), row.get(1))
                        / (Math.sqrt(dot(row.get(0), row.get(0)))
                            * Math.sqrt(dot(row.get(1), row.get(1)))));
  }

  private static double dot(Object left, Object right) {
    double sum = 0;
    for (int index = 0; index < ((float[]) left).length; index++) {
      sum += (double) ((float[]) left)[index] * ((float[]) right)[index];
    }
    return sum;
  }

  private static double squares(Object left, Object right) {
    double sum = 0;
    for (int index = 0; index < ((float[]) left).length; index++) {
      double difference = (double) ((float[]) left)[index] - ((float[]) right)[index];
      sum += difference * difference;
    }
    return sum;
  }

  @Test
  void aConstantQueryOfAnotherType() {
    DataType type = DataType.embedding(DataType.FLOAT32, 2);
    harness.check(
        harness.callOf(
            "l2_distance",
            new Input(0, type),
            new Constant(List.of(3, 4), DataType.list(DataType.INT32))),
        List.of(type),
        List.of(List.of(new float[] {0, 0}), Arrays.asList((Object) null)),
        row -> row.get(0) == null ? null : 5.0);
  }

  @Test
  void lengthsMustAgreeAndElementsBePresent() {
    DataType type = DataType.list(DataType.FLOAT64);
    List<DataType> types = List.of(type, type);
    List<Object> good = List.of(List.of(1.0), List.of(1.0));
    harness.checkFails(
        harness.call("l2_distance", type, type),
        types,
        List.of(List.of(1.0, 2.0), List.of(1.0, 2.0, 3.0)),
        good,
        ErrorCode.INVALID_ARGUMENT);
    harness.checkFails(
        harness.call("dot_product", type, type),
        types,
        List.of(Arrays.asList(1.0, null), List.of(1.0, 2.0)),
        good,
        ErrorCode.INVALID_ARGUMENT);
    MillraceException fault =
        assertThrows(
            MillraceException.class,
            () ->
                harness.values(
                    harness.call("l2_distance", type, type),
                    types,
                    List.of(List.of(List.of(1.0, 2.0), List.of(1.0, 2.0, 3.0))),
                    KernelHarness.Form.FLAT,
                    null));
    assertTrue(fault.getMessage().contains("2 and 3"), fault.getMessage());
  }

  @Test
  void elementsOfLists() {
    for (DataType type :
        List.of(DataType.list(DataType.STRING), DataType.fixedList(DataType.STRING, 2))) {
      List<List<Object>> rows = new ArrayList<>();
      for (long position : new long[] {Long.MIN_VALUE, 0, 1, 2, 3, Long.MAX_VALUE}) {
        rows.add(Arrays.asList(Arrays.asList("a", null), position));
        rows.add(Arrays.asList(List.of("b", "c"), position));
        rows.add(Arrays.asList(null, position));
      }
      rows.add(Arrays.asList(List.of("b", "c"), null));
      harness.check(
          "element_at",
          List.of(type, DataType.INT64),
          rows,
          row -> {
            if (row.get(0) == null || row.get(1) == null) {
              return null;
            }
            long position = (long) row.get(1);
            return position == 1 || position == 2
                ? ((List<?>) row.get(0)).get((int) position - 1)
                : null;
          });
      harness.check(
          "cardinality",
          List.of(type),
          rows.stream().map(row -> row.subList(0, 1)).toList(),
          row -> row.get(0) == null ? null : 2L);
    }
  }

  @Test
  void arraysKeepNulls() {
    harness.check(
        "array",
        List.of(DataType.INT64, DataType.INT64),
        List.of(Arrays.asList(1L, null), List.of(2L, 3L), Arrays.asList(null, null)),
        row -> row);
  }
}
