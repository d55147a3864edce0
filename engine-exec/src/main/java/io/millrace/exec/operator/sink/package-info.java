/** Last stages of pipelines: exchanges and a task's output. */
package io.millrace.exec.operator.sink;
