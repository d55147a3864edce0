/**
 * SQL text to validated relational trees. Internal to the planner: its types may be Calcite's.
 * Start at {@link io.millrace.planner.sql.SqlScript}.
 */
package io.millrace.planner.sql;
