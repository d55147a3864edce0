/**
 * What programs use: {@link io.millrace.planner.dataframe.Session}, {@link
 * io.millrace.planner.dataframe.DataFrame}, readers and writers. Names no type of Calcite.
 */
package io.millrace.planner.dataframe;
