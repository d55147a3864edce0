/** Tests of the scripts that build and start Millrace. */
package io.millrace.integration.launcher;
