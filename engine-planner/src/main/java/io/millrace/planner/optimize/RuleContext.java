package io.millrace.planner.optimize;

import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.physical.ExpressionPlanner;
import org.apache.calcite.rex.RexBuilder;

/**
 * What rules work with.
 *
 * @param expressions makes physical expressions, to ask a source which filters it takes
 */
record RuleContext(RexBuilder builder, FunctionBinding binding, ExpressionPlanner expressions) {}
