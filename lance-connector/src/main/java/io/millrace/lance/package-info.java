/** The Lance table format behind the connector interfaces of engine-core. */
package io.millrace.lance;
