/** Plans of every phase as indented text. Internal to the planner. */
package io.millrace.planner.explain;
