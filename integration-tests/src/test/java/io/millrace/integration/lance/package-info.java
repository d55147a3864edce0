/** Lance tables through Session, planner and the runner of this process. */
package io.millrace.integration.lance;
