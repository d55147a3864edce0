/**
 * What connectors, formats, kernels, UDF invokers and runners implement; found by ServiceLoader.
 */
package io.millrace.core.spi;
