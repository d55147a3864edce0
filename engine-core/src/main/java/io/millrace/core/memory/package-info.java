/** One memory budget a process: reservations, revocation, and the Arrow allocators under it. */
package io.millrace.core.memory;
