/** Pools of user-defined function instances, in the process or as actors. */
package io.millrace.udf;
