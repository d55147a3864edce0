/** User code as bytes inside plans. */
package io.millrace.udf.codec;
