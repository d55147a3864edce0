/** Tests of core's types that need the generators. */
package io.millrace.testkit.type;
