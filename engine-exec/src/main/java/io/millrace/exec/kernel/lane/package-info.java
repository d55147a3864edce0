/**
 * Lanes: blocks of primitive values read from or written to columns, so that a kernel's loop knows
 * nothing of dictionaries, constants or selections.
 */
package io.millrace.exec.kernel.lane;
