/** Sorting, top-N and the merge of sorted inputs. */
package io.millrace.exec.operator.sort;
