/** Arrow IPC files and streams, which Feather files are too, as a source and a sink. */
package io.millrace.exec.format.arrow;
