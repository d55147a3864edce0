/**
 * Whole files as rows: path, size, time of change and content. The content is a heavy column: it is
 * read for the rows that need it.
 */
package io.millrace.exec.format.file;
