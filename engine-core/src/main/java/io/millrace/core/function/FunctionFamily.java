package io.millrace.core.function;

import java.util.List;

/** About a dozen related functions in one file; found by ServiceLoader. */
public interface FunctionFamily {
  /** A word for the reference page, for example {@code arithmetic}. */
  String name();

  List<FunctionDefinition> definitions();
}
