package io.millrace.planner.optimize;

import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.physical.ExpressionPlanner;
import io.millrace.planner.statistics.Estimates;
import org.apache.calcite.rex.RexBuilder;

/**
 * What rules work with.
 *
 * @param expressions makes physical expressions, to ask a source which filters it takes
 * @param estimates of the nodes of this query
 */
record RuleContext(
    RexBuilder builder,
    FunctionBinding binding,
    ExpressionPlanner expressions,
    Estimates estimates) {}
