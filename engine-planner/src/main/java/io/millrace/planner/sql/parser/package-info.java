/**
 * The nodes that Millrace's grammar builds beside Calcite's own, and their side tables. Internal to
 * the planner; its types may be Calcite's. The parser itself is generated into {@code impl}.
 */
package io.millrace.planner.sql.parser;
