/** Operators, pipelines, kernels, file formats and media decoding: runs physical plans. */
package io.millrace.exec;
