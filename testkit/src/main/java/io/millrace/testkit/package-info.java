/** Test fixtures that need engine-core only: generators, leak checks and hand-written fakes. */
package io.millrace.testkit;
