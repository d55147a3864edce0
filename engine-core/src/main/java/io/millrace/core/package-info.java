/**
 * Types, batches, memory, expressions, plans and the service interfaces that every module shares.
 */
package io.millrace.core;
