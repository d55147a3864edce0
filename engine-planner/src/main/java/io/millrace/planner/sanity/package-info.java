/** Checks of plans after every phase; a failure is a bug and carries the plan. */
package io.millrace.planner.sanity;
