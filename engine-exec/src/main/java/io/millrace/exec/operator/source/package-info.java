/** First stages of pipelines: scans, constant rows, exchanges, inputs of a stage. */
package io.millrace.exec.operator.source;
