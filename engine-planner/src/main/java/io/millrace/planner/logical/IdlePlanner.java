package io.millrace.planner.logical;

import org.apache.calcite.plan.AbstractRelOptPlanner;
import org.apache.calcite.plan.Contexts;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCostImpl;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;

/**
 * A cluster asks for a planner; Millrace's rewrites need none. This one plans nothing, so nodes can
 * be made and joined freely and no state is kept.
 */
public final class IdlePlanner extends AbstractRelOptPlanner {
  private RelNode root;

  private IdlePlanner() {
    super(RelOptCostImpl.FACTORY, Contexts.empty());
  }

  /** A cluster for the nodes of one Session. */
  public static RelOptCluster cluster(RelDataTypeFactory typeFactory) {
    RelOptCluster cluster = RelOptCluster.create(new IdlePlanner(), new RexBuilder(typeFactory));
    cluster.setMetadataQuerySupplier(PlainMetadata::new);
    return cluster;
  }

  @Override
  public void setRoot(RelNode rel) {
    root = rel;
  }

  @Override
  public RelNode getRoot() {
    return root;
  }

  @Override
  public RelNode changeTraits(RelNode rel, RelTraitSet toTraits) {
    return rel;
  }

  @Override
  public RelNode findBestExp() {
    return root;
  }

  @Override
  public RelNode register(RelNode rel, RelNode equivRel) {
    return rel;
  }

  @Override
  public RelNode ensureRegistered(RelNode rel, RelNode equivRel) {
    return rel;
  }

  @Override
  public boolean isRegistered(RelNode rel) {
    return true;
  }
}
