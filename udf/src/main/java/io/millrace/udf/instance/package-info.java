/** One live instance of a function and the calls that it runs; shared by all pools. */
package io.millrace.udf.instance;
