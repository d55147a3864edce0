/** Tests of core's batches that need the generators. */
package io.millrace.testkit.batch;
