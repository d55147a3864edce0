/** Pools on threads of this process; loads no Akka class. */
package io.millrace.udf.pool;
