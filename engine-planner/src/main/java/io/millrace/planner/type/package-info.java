/**
 * The bridge between core's {@link io.millrace.core.type.DataType} and Calcite's types. Internal to
 * the planner.
 */
package io.millrace.planner.type;
