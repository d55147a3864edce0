/** Rewrites of logical plans, one rule a class. Internal to the planner. */
package io.millrace.planner.optimize;
