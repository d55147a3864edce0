package io.millrace.planner.physical;

import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.JoinType;
import io.millrace.core.plan.Partitioning;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.type.TypeCoercion;
import io.millrace.planner.logical.JoinCondition;
import io.millrace.planner.statistics.Estimates;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

/** Plans joins: which side moves how, keys as columns of equal types, what remains as residual. */
final class JoinPlanner {
  private final NodeIds ids;
  private final ExpressionPlanner expressions;
  private final Estimates estimates;
  private final long broadcastLimitBytes;

  JoinPlanner(NodeIds ids, ExpressionPlanner expressions, Configuration configuration) {
    this.ids = ids;
    this.expressions = expressions;
    this.estimates = new Estimates(configuration.value(Settings.STATISTICS));
    this.broadcastLimitBytes = configuration.value(Settings.BROADCAST_BYTES);
  }

  Placed plan(Join join, Placed left, Placed right) {
    JoinType type = type(join);
    JoinCondition condition = JoinCondition.of(join);
    Keys keys = keys(condition, left, right);
    Placed probe = keys.probe();
    Placed build = keys.build();
    Placement placement = place(join, type, keys, probe, build);
    int extraProbe = probe.plan().outputSchema().size() - left.plan().outputSchema().size();
    int extraBuild = build.plan().outputSchema().size() - right.plan().outputSchema().size();
    Schema wanted = MillraceTypeFactory.schema(join.getRowType());
    Schema joined = joinedSchema(type, wanted, probe, build, left, extraProbe + extraBuild > 0);
    PhysicalPlan plan =
        new PhysicalPlan.HashJoin(
            ids.next(),
            placement.probe().plan(),
            placement.build().plan(),
            type,
            keys.probeKeys(),
            keys.buildKeys(),
            keys.nullSafe(),
            residual(condition, left.plan().outputSchema().size(), extraProbe),
            joined);
    Placed result = new Placed(plan, placement.output());
    return joined.size() == wanted.size()
        ? result
        : withoutExtraColumns(result, wanted, left, extraProbe);
  }

  private static JoinType type(Join join) {
    return switch (join.getJoinType()) {
      case INNER -> JoinType.INNER;
      case LEFT -> JoinType.LEFT;
      case RIGHT -> JoinType.RIGHT;
      case FULL -> JoinType.FULL;
      case SEMI -> JoinType.SEMI;
      case ANTI -> JoinType.ANTI;
      case ASOF, LEFT_ASOF, LEFT_MARK ->
          throw new MillraceException(
              ErrorCode.UNSUPPORTED_SQL,
              "This kind of join is not supported: " + join.getJoinType());
    };
  }

  /** The sides with their keys as columns. */
  private record Keys(
      Placed probe,
      Placed build,
      List<Integer> probeKeys,
      List<Integer> buildKeys,
      List<Boolean> nullSafe) {}

  private Keys keys(JoinCondition condition, Placed left, Placed right) {
    List<PhysicalExpression> probeKeys = new ArrayList<>();
    List<PhysicalExpression> buildKeys = new ArrayList<>();
    List<Boolean> nullSafe = new ArrayList<>();
    for (JoinCondition.Key key : condition.keys()) {
      PhysicalExpression probe = expressions.plan(key.left());
      PhysicalExpression build = expressions.plan(key.right());
      DataType common =
          TypeCoercion.commonType(probe.type(), build.type())
              .orElseThrow(
                  () ->
                      new MillraceException(
                          ErrorCode.TYPE_MISMATCH,
                          "Join keys have no common type; cast one of them: "
                              + probe.type()
                              + " and "
                              + build.type()));
      probeKeys.add(ExpressionPlanner.cast(probe, common));
      buildKeys.add(ExpressionPlanner.cast(build, common));
      nullSafe.add(key.nullSafe());
    }
    List<Integer> probeColumns = new ArrayList<>();
    List<Integer> buildColumns = new ArrayList<>();
    Placed probe = withKeyColumns(left, probeKeys, probeColumns);
    Placed build = withKeyColumns(right, buildKeys, buildColumns);
    return new Keys(probe, build, probeColumns, buildColumns, nullSafe);
  }

  /** Appends keys that are not plain columns; fills in where each key is. */
  private Placed withKeyColumns(Placed side, List<PhysicalExpression> keys, List<Integer> columns) {
    Schema schema = side.plan().outputSchema();
    List<PhysicalExpression> outputs = new ArrayList<>();
    for (Field field : schema.fields()) {
      outputs.add(new PhysicalExpression.Input(outputs.size(), field.type()));
    }
    List<Field> fields = new ArrayList<>(schema.fields());
    for (PhysicalExpression key : keys) {
      int known = outputs.indexOf(key);
      if (known < 0) {
        known = outputs.size();
        outputs.add(key);
        fields.add(Field.nullable("$key" + columns.size(), key.type()));
      }
      columns.add(known);
    }
    return outputs.size() == schema.size()
        ? side
        : side.with(new PhysicalPlan.Project(ids.next(), side.plan(), outputs, new Schema(fields)));
  }

  private record Placement(Placed probe, Placed build, Distribution output) {}

  private Placement place(Join join, JoinType type, Keys keys, Placed probe, Placed build) {
    if (probe.isSingle() && build.isSingle()) {
      return new Placement(probe, build, Distribution.SINGLE);
    }
    boolean buildRowsComeOut = type == JoinType.RIGHT || type == JoinType.FULL;
    if (probe.isSingle() || keys.probeKeys().isEmpty() && buildRowsComeOut) {
      return new Placement(single(probe), single(build), Distribution.SINGLE);
    }
    if (!buildRowsComeOut && (keys.probeKeys().isEmpty() || isSmall(join))) {
      return new Placement(
          probe, exchange(build, new Partitioning.Broadcast()), probe.distribution());
    }
    return new Placement(
        hashed(probe, keys.probeKeys()),
        hashed(build, keys.buildKeys()),
        buildRowsComeOut ? Distribution.ANYWHERE : new Distribution.Hashed(keys.probeKeys()));
  }

  private boolean isSmall(Join join) {
    OptionalDouble bytes = estimates.bytes(join.getRight());
    return bytes.isPresent() && bytes.getAsDouble() <= broadcastLimitBytes;
  }

  private Placed single(Placed side) {
    return side.isSingle() ? side : exchange(side, Partitioning.SINGLE);
  }

  /** Both sides must agree on the order of keys, so only the very same placement is kept. */
  private Placed hashed(Placed side, List<Integer> keys) {
    return side.distribution().equals(new Distribution.Hashed(keys))
        ? side
        : exchange(side, new Partitioning.Hash(keys));
  }

  private Placed exchange(Placed side, Partitioning partitioning) {
    return new Placed(
        new PhysicalPlan.Exchange(ids.next(), side.plan(), partitioning), Distribution.SINGLE);
  }

  private Optional<PhysicalExpression> residual(
      JoinCondition condition, int leftColumns, int extraProbe) {
    if (condition.residual().isAlwaysTrue()) {
      return Optional.empty();
    }
    RexNode shifted =
        extraProbe == 0
            ? condition.residual()
            : RexUtil.shift(condition.residual(), leftColumns, extraProbe);
    return Optional.of(expressions.plan(shifted));
  }

  private static Schema joinedSchema(
      JoinType type, Schema wanted, Placed probe, Placed build, Placed left, boolean extra) {
    if (type == JoinType.SEMI || type == JoinType.ANTI) {
      return probe.plan().outputSchema();
    }
    if (!extra) {
      return wanted;
    }
    int leftColumns = left.plan().outputSchema().size();
    Schema probeSchema = probe.plan().outputSchema();
    Schema buildSchema = build.plan().outputSchema();
    List<Field> fields = new ArrayList<>(probeSchema.fields());
    fields.addAll(buildSchema.fields());
    for (int column = 0; column < wanted.size(); column++) {
      int place = column < leftColumns ? column : column - leftColumns + probeSchema.size();
      fields.set(place, wanted.field(column));
    }
    return new Schema(fields);
  }

  private Placed withoutExtraColumns(Placed result, Schema wanted, Placed left, int extraProbe) {
    int leftColumns = left.plan().outputSchema().size();
    Schema joined = result.plan().outputSchema();
    List<PhysicalExpression> outputs = new ArrayList<>();
    for (int column = 0; column < wanted.size(); column++) {
      int place = column < leftColumns ? column : column + extraProbe;
      outputs.add(new PhysicalExpression.Input(place, joined.field(place).type()));
    }
    return new Placed(
        new PhysicalPlan.Project(ids.next(), result.plan(), outputs, wanted),
        result.isSingle() ? Distribution.SINGLE : Distribution.ANYWHERE);
  }
}
