/**
 * The only package that calls Lance's native binding, and the home of every guard around it.
 *
 * <p>The binding aborts the whole process, or answers wrongly without a word, for a number of
 * inputs (an unknown column in a take, a file format newer than it knows, a name that is not in
 * Java's modified UTF-8). So nothing here passes a value on before it is checked, and every failure
 * comes out as a coded {@link io.millrace.core.error.MillraceException}. Callers see Arrow vectors
 * and plain records, never a type of the binding.
 *
 * <p>Native calls block and pin a virtual thread's carrier, so the packages beside this one run
 * them on platform threads of their own, never on a thread that drives operators.
 */
package io.millrace.lance.jni;
