/**
 * Writing Lance tables: many tasks write fragments, one commit on the driver makes them visible,
 * and a write that is given up removes what it left.
 */
package io.millrace.lance.write;
