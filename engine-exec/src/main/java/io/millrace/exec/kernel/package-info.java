/**
 * The code of built-in functions: tight loops over blocks of values. Arguments of any form are read
 * into lanes, computed, and stored back; see {@link io.millrace.exec.kernel.BlockKernel}.
 */
package io.millrace.exec.kernel;
