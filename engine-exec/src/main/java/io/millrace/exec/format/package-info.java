/** What scans of all file formats share; each format has a package below. */
package io.millrace.exec.format;
