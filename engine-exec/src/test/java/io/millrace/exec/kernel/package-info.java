/** Tests of kernels against plain Java references, over every form of column. */
package io.millrace.exec.kernel;
