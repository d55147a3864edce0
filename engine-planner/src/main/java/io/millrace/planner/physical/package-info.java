/** From logical nodes to core's physical plan records. Internal to the planner. */
package io.millrace.planner.physical;
