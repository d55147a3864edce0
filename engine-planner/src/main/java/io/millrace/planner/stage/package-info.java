/** Physical plans cut into stages at their exchanges. */
package io.millrace.planner.stage;
