package io.millrace.planner.optimize;

import io.millrace.core.function.media.Images;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;

/**
 * A decode whose only use is a resize becomes one function, which can decode at a reduced scale and
 * keeps no full-size picture.
 *
 * <pre>
 * Project [resize(decode_image(b, e, m), w, h, i)]
 *   input
 *     →
 * Project [decode_resize_image(b, w, h, i, e, m)]
 *   input
 * </pre>
 */
final class FuseDecodeResize implements Rule {
  private static final int DECODE_ARGUMENTS = 3;
  private static final int RESIZE_ARGUMENTS = 4;

  @Override
  public Optional<RelNode> apply(RelNode node, RuleContext context) {
    if (!(node instanceof Project project)) {
      return Optional.empty();
    }
    List<RexNode> fused =
        project.getProjects().stream().map(one -> one.accept(new Fusion(context))).toList();
    return fused.equals(project.getProjects())
        ? Optional.empty()
        : Optional.of(
            Rewriting.project(project.getInput(), fused, project.getRowType().getFieldNames()));
  }

  private static final class Fusion extends RexShuttle {
    private final RuleContext context;

    private Fusion(RuleContext context) {
      this.context = context;
    }

    @Override
    public RexNode visitCall(RexCall call) {
      RexNode visited = super.visitCall(call);
      if (!isCall(visited, "resize", RESIZE_ARGUMENTS)) {
        return visited;
      }
      List<RexNode> resize = ((RexCall) visited).getOperands();
      if (!isCall(resize.getFirst(), "decode_image", DECODE_ARGUMENTS)) {
        return visited;
      }
      List<RexNode> decode = ((RexCall) resize.getFirst()).getOperands();
      RexNode fused =
          context
              .binding()
              .call(
                  Images.DECODE_RESIZE,
                  List.of(
                      decode.get(0),
                      resize.get(1),
                      resize.get(2),
                      resize.get(3),
                      decode.get(1),
                      decode.get(2)));
      return fused.getType().equals(visited.getType()) ? fused : visited;
    }

    private static boolean isCall(RexNode node, String function, int argumentCount) {
      return node instanceof RexCall call
          && call.getOperator().getName().equals(function)
          && call.getOperands().size() == argumentCount;
    }
  }
}
