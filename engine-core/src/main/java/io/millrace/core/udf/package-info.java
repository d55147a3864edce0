/** The interfaces of user-defined functions. */
package io.millrace.core.udf;
