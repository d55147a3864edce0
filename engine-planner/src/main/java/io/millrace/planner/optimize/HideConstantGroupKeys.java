package io.millrace.planner.optimize;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;

/**
 * Before: {@code Aggregate(1) over Project(1)}; after: {@code Aggregate(CAST(1)) over
 * Project(CAST(1))}. Calcite's decorrelation takes literals out of group keys, loses count of the
 * columns when all of them are literals, and leaves an aggregation of all rows, which gives a row
 * also for none. It does not look through a cast; later rules fold it.
 */
final class HideConstantGroupKeys extends RelHomogeneousShuttle {
  @Override
  public RelNode visit(RelNode other) {
    RelNode node = super.visit(other);
    boolean constant =
        node instanceof Aggregate aggregate
            && aggregate.getInput() instanceof Project project
            && aggregate.getGroupSet().asList().stream().anyMatch(key -> isLiteral(project, key));
    return constant ? hidden((Aggregate) node, (Project) node.getInput(0)) : node;
  }

  private static boolean isLiteral(Project project, int column) {
    return project.getProjects().get(column) instanceof RexLiteral;
  }

  private static RelNode hidden(Aggregate aggregate, Project project) {
    RexBuilder builder = aggregate.getCluster().getRexBuilder();
    List<RexNode> columns = new ArrayList<>(project.getProjects());
    for (int key : aggregate.getGroupSet()) {
      if (isLiteral(project, key)) {
        RexNode literal = columns.get(key);
        columns.set(key, builder.makeAbstractCast(literal.getType(), literal, false));
      }
    }
    RelNode input =
        LogicalProject.create(
            project.getInput(),
            List.of(),
            columns,
            project.getRowType().getFieldNames(),
            project.getVariablesSet());
    return aggregate.copy(aggregate.getTraitSet(), List.of(input));
  }
}
