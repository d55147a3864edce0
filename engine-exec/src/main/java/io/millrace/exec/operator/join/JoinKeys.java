package io.millrace.exec.operator.join;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.type.Schema;
import io.millrace.exec.operator.key.KeyRows;
import java.util.List;

/** The keys of both sides of a join. */
final class JoinKeys {
  private JoinKeys() {}

  static KeyRows ofBuild(PhysicalPlan.HashJoin plan) {
    return rows(plan, plan.build().outputSchema(), plan.buildKeys());
  }

  /**
   * @throws MillraceException INVALID_PLAN when the sides' keys cannot be compared
   */
  static KeyRows ofProbe(PhysicalPlan.HashJoin plan) {
    KeyRows probe = rows(plan, plan.probe().outputSchema(), plan.probeKeys());
    if (!probe.comparable(ofBuild(plan))) {
      throw new MillraceException(
          ErrorCode.INVALID_PLAN,
          "The keys of a join have different types on its sides: "
              + plan.probe().outputSchema().select(plan.probeKeys())
              + ", "
              + plan.build().outputSchema().select(plan.buildKeys()));
    }
    return probe;
  }

  private static KeyRows rows(PhysicalPlan.HashJoin plan, Schema schema, List<Integer> columns) {
    boolean[] nullSafe = new boolean[columns.size()];
    for (int index = 0; index < nullSafe.length; index++) {
      nullSafe[index] = plan.nullSafe().get(index);
    }
    return new KeyRows(schema.select(columns).types(), nullSafe);
  }
}
