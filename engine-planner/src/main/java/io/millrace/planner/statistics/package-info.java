/** What the planner expects of rows and columns, from statistics of tables. */
package io.millrace.planner.statistics;
