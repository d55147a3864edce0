/**
 * The Lance table format behind the connector interfaces of engine-core: {@link
 * io.millrace.lance.LanceConnector}.
 */
package io.millrace.lance;
