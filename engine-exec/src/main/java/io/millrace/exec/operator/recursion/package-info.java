/** Recursive queries: a plan that runs again over the rows it gave last. */
package io.millrace.exec.operator.recursion;
