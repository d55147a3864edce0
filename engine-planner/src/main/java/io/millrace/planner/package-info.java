/** Sessions, DataFrames and SQL: from a query to a physical plan and its stages. */
package io.millrace.planner;
