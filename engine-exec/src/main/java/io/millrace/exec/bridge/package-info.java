/** State that drivers share: queues between pipelines, join tables, the client's result queue. */
package io.millrace.exec.bridge;
