/** Runs whole queries in this process. */
package io.millrace.exec.local;
