/**
 * Random SQL queries that are well typed, reproducible from a seed and shrink to a small one that
 * still shows a fault.
 */
package io.millrace.testkit.query;
