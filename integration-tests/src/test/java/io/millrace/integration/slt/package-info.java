/** SQL logic tests on every kind of runner. */
package io.millrace.integration.slt;
