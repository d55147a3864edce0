package io.millrace.planner.dataframe;

import io.millrace.planner.logical.FunctionBinding;
import org.apache.calcite.rel.RelNode;

/** The insides of a DataFrame, for tests of the planner's other packages. */
public final class PlanAccess {
  private PlanAccess() {}

  /** The logical plan. */
  public static RelNode node(DataFrame frame) {
    return frame.relation().node();
  }

  public static FunctionBinding binding(Session session) {
    return session.binding();
  }
}
