package io.millrace.exec.operator.join;

import io.millrace.core.batch.Batch;
import io.millrace.core.plan.JoinType;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.bridge.JoinBridge;
import io.millrace.exec.fake.RowExpressions;
import io.millrace.exec.pipeline.OperatorHarness;
import io.millrace.exec.pipeline.SinkDrive;
import io.millrace.exec.pipeline.TaskContext;
import io.millrace.testkit.BatchForm;
import io.millrace.testkit.BatchGenerators;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Joins of every kind in the harness, against nested loops over Java values. */
class HashJoinHarnessTest {
  private static final Schema PROBE =
      Schema.of(
          Field.nullable("text", DataType.STRING),
          Field.nullable("amount", DataType.decimal(12, 2)),
          Field.nullable("number", DataType.FLOAT64),
          Field.required("probe_row", DataType.INT64),
          Field.nullable("part", DataType.INT32));
  private static final Schema BUILD =
      Schema.of(
          Field.required("build_row", DataType.INT64),
          Field.nullable("text", DataType.STRING),
          Field.nullable("amount", DataType.decimal(12, 2)),
          Field.nullable("number", DataType.FLOAT64),
          Field.nullable("part", DataType.INT32));
  private static final PhysicalExpression RESIDUAL =
      RowExpressions.call(
          "less",
          DataType.BOOLEAN,
          RowExpressions.input(3, DataType.INT64),
          RowExpressions.input(5, DataType.INT64));

  /** Which columns are keys, and whether nulls are equal. */
  private record Keys(List<Integer> probe, List<Integer> build, List<Boolean> nullSafe) {}

  private static final Keys TEXT = new Keys(List.of(0), List.of(1), List.of(false));
  private static final Keys COMPOSITE =
      new Keys(List.of(1, 2, 0), List.of(2, 3, 1), List.of(false, true, true));
  private static final Keys NONE = new Keys(List.of(), List.of(), List.of());
  private static final Keys PART = new Keys(List.of(4), List.of(4), List.of(false));
  private static final Keys PART_WITH_NULLS = new Keys(List.of(4), List.of(4), List.of(true));
  private static final Keys UNIQUE = new Keys(List.of(3), List.of(0), List.of(false));

  private static Object pick(Random random, Object... values) {
    return values[random.nextInt(values.length)];
  }

  private static List<Object> keyValues(Random random) {
    return Arrays.asList(
        pick(random, "a", "b", "a key of more than sixteen bytes", "", null),
        pick(random, new BigDecimal("1.00"), new BigDecimal("-2.50"), null),
        pick(random, 0.0, -0.0, Double.NaN, null));
  }

  private static List<List<Object>> probeRows(int count) {
    Random random = new Random(11);
    List<List<Object>> rows = new ArrayList<>();
    for (long row = 0; row < count; row++) {
      List<Object> values = new ArrayList<>(keyValues(random));
      values.add(row);
      values.add(pick(random, -3, 0, 7, Integer.MAX_VALUE, null));
      rows.add(values);
    }
    return rows;
  }

  private static List<List<Object>> buildRows(int count) {
    Random random = new Random(12);
    List<List<Object>> rows = new ArrayList<>();
    for (long row = 0; row < count; row++) {
      List<Object> values = new ArrayList<>();
      values.add(row * 2);
      values.addAll(keyValues(random));
      values.add(pick(random, -3, 0, 8, Integer.MAX_VALUE, null));
      rows.add(values);
    }
    return rows;
  }

  private static boolean matches(List<Object> probe, List<Object> build, Keys keys) {
    for (int index = 0; index < keys.probe().size(); index++) {
      Object left = canonical(probe.get(keys.probe().get(index)));
      Object right = canonical(build.get(keys.build().get(index)));
      if (left == null || right == null) {
        boolean bothNull = left == null && right == null;
        if (!bothNull || !keys.nullSafe().get(index)) {
          return false;
        }
      } else if (!left.equals(right)) {
        return false;
      }
    }
    return true;
  }

  private static Object canonical(Object key) {
    return key instanceof Double number ? (Object) (number + 0.0) : key;
  }

  private static List<List<Object>> reference(
      List<List<Object>> probe,
      List<List<Object>> build,
      JoinType type,
      Keys keys,
      boolean residual) {
    List<List<Object>> output = new ArrayList<>();
    boolean[] buildMatched = new boolean[build.size()];
    for (List<Object> left : probe) {
      boolean matched = false;
      for (int index = 0; index < build.size(); index++) {
        List<Object> right = build.get(index);
        boolean pair =
            matches(left, right, keys) && (!residual || (long) left.get(3) < (long) right.get(0));
        if (pair) {
          matched = true;
          buildMatched[index] = true;
          if (type != JoinType.SEMI && type != JoinType.ANTI) {
            output.add(concat(left, right));
          }
        }
      }
      if (type == JoinType.SEMI && matched || type == JoinType.ANTI && !matched) {
        output.add(left);
      } else if ((type == JoinType.LEFT || type == JoinType.FULL) && !matched) {
        output.add(concat(left, Arrays.asList(new Object[BUILD.size()])));
      }
    }
    for (int index = 0; index < build.size(); index++) {
      if ((type == JoinType.RIGHT || type == JoinType.FULL) && !buildMatched[index]) {
        output.add(concat(Arrays.asList(new Object[PROBE.size()]), build.get(index)));
      }
    }
    return output;
  }

  private static List<Object> concat(List<Object> left, List<Object> right) {
    List<Object> row = new ArrayList<>(left);
    row.addAll(right);
    return row;
  }

  private static void passes(
      JoinType type, Keys keys, boolean residual, int probeCount, int buildCount) {
    passes(type, keys, residual, probeCount, buildCount, false);
  }

  private static void passes(
      JoinType type, Keys keys, boolean residual, int probeCount, int buildCount, boolean onDisk) {
    boolean probeOnly = type == JoinType.SEMI || type == JoinType.ANTI;
    PhysicalPlan.HashJoin plan =
        new PhysicalPlan.HashJoin(
            1,
            new PhysicalPlan.Values(2, PROBE, List.of()),
            new PhysicalPlan.Values(3, BUILD, List.of()),
            type,
            keys.probe(),
            keys.build(),
            keys.nullSafe(),
            residual ? Optional.of(RESIDUAL) : Optional.empty(),
            probeOnly ? PROBE : allNullable(PROBE.concat(BUILD)));
    List<List<Object>> build = buildRows(buildCount);
    new OperatorHarness(
            "HashJoin",
            PROBE,
            probeRows(probeCount),
            reference(probeRows(probeCount), build, type, keys, residual),
            false,
            (task, batches, form, batchRows) -> {
              JoinSpill spill = JoinSpill.open(task);
              if (onDisk) {
                spill.begin();
              }
              JoinBridge<BuildSide> bridge =
                  built(plan, build, task, spill, batches, form, batchRows);
              return new HashJoinOperator(plan, bridge, spill, new RowExpressions());
            })
        .run();
  }

  private static Schema allNullable(Schema schema) {
    return new Schema(schema.fields().stream().map(field -> field.withNullable(true)).toList());
  }

  private static JoinBridge<BuildSide> built(
      PhysicalPlan.HashJoin plan,
      List<List<Object>> rows,
      TaskContext task,
      JoinSpill spill,
      BatchGenerators batches,
      BatchForm form,
      int batchRows) {
    JoinBridge<BuildSide> bridge = JoinBridge.open(task, "join", 2, 1);
    List<List<Object>> half = rows.subList(0, rows.size() / 2);
    List<List<Object>> other = rows.subList(rows.size() / 2, rows.size());
    for (List<List<Object>> part : List.of(half, other)) {
      List<Batch> input = batches.batches(BUILD, part, batchRows, form);
      SinkDrive.toEnd(
          "HashJoin",
          new HashJoinBuildSink(plan, bridge, spill, new RuntimeFilters()),
          input,
          task);
    }
    return bridge;
  }

  @ParameterizedTest
  @EnumSource(JoinType.class)
  void byText(JoinType type) {
    passes(type, TEXT, false, 30, 25);
  }

  @ParameterizedTest
  @EnumSource(JoinType.class)
  void byCompositeKeyWithEqualNulls(JoinType type) {
    passes(type, COMPOSITE, false, 40, 40);
  }

  @ParameterizedTest
  @EnumSource(JoinType.class)
  void byTextWithResidual(JoinType type) {
    passes(type, TEXT, true, 25, 25);
  }

  @ParameterizedTest
  @EnumSource(JoinType.class)
  void byUniqueKey(JoinType type) {
    passes(type, UNIQUE, false, 40, 10);
  }

  @ParameterizedTest
  @EnumSource(JoinType.class)
  void byUniqueKeyWithResidual(JoinType type) {
    passes(type, UNIQUE, true, 40, 30);
  }

  @ParameterizedTest
  @EnumSource(JoinType.class)
  void byIntegerFarApart(JoinType type) {
    passes(type, PART, false, 30, 30);
    passes(type, PART, true, 20, 20);
  }

  @ParameterizedTest
  @EnumSource(JoinType.class)
  void byIntegerWithEqualNulls(JoinType type) {
    passes(type, PART_WITH_NULLS, false, 20, 20);
  }

  @ParameterizedTest
  @EnumSource(JoinType.class)
  void onDisk(JoinType type) {
    passes(type, COMPOSITE, false, 30, 30, true);
    passes(type, PART, true, 20, 20, true);
  }

  @ParameterizedTest
  @EnumSource(JoinType.class)
  void withoutKeys(JoinType type) {
    passes(type, NONE, true, 12, 9);
  }

  @ParameterizedTest
  @EnumSource(JoinType.class)
  void overNoBuildRows(JoinType type) {
    passes(type, TEXT, false, 12, 0);
  }
}
