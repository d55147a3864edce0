/** What line-oriented files have in common: byte ranges, read-ahead, values written as text. */
package io.millrace.exec.format.text;
