/** Values as text: plain, as CSV fields and table cells hold it, and JSON. */
package io.millrace.core.text;
