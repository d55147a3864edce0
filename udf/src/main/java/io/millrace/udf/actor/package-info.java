/** Pools in actors of a worker, one actor per slot; the only package here that sees Akka. */
package io.millrace.udf.actor;
