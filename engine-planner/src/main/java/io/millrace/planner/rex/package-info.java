/**
 * Resolved expressions as Calcite's RexNodes: constants of every type, our functions as operators,
 * and calls with the casts and defaults that a function's signature asks for. SQL and DataFrame
 * both build their expressions here. Internal to the planner.
 */
package io.millrace.planner.rex;
