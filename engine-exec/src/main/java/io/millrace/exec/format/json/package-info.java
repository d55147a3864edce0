/** JSON lines as a source. */
package io.millrace.exec.format.json;
