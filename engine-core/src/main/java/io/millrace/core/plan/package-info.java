/** Physical plans: serialisable, versioned, free of planner types. */
package io.millrace.core.plan;
