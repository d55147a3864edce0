/** Pipelines that run, each with its data. */
package io.millrace.examples;
