package io.millrace.core.function;

/** What a function does with null arguments. */
public enum NullPolicy {
  /** Any null argument gives null; the kernel never sees such a row as one it may fail on. */
  NULL_ON_NULL,
  /** The kernel decides. */
  CALLED_ON_NULL,
  /** The result is never null, whatever the arguments. */
  NEVER_NULL
}
