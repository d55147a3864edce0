/**
 * Operators and what drives them: a driver runs one linear pipeline cooperatively on a fixed pool
 * of threads.
 */
package io.millrace.exec.pipeline;
