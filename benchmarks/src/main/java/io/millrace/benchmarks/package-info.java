/** Benchmarks of single kernels, run by JMH. */
package io.millrace.benchmarks;
