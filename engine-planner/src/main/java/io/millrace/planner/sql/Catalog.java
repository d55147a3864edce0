package io.millrace.planner.sql;

import io.millrace.core.function.FunctionRegistry;
import io.millrace.core.udf.UserFunction;
import java.util.List;
import java.util.Optional;

/** What names mean in a session; the Session supplies it. */
public interface Catalog {

  /**
   * Opens a table or view. A name is matched exactly first, else without case. The same reference
   * within one statement is asked for once.
   *
   * @return empty for an unknown name; paths and functions that are wrong are errors
   * @throws io.millrace.core.error.MillraceException AMBIGUOUS_NAME, FILE_NOT_FOUND,
   *     UNKNOWN_FUNCTION …
   */
  Optional<CatalogTable> table(TableReference reference);

  /** The names of the tables and views, to suggest the nearest. */
  List<String> tableNames();

  /** The functions that queries can call. */
  FunctionRegistry functions();

  /** A user-defined function of this name, without regard to case; wins over a built-in one. */
  Optional<UserFunction> userFunction(String name);

  /** The names of the user-defined functions, to suggest the nearest. */
  List<String> userFunctionNames();
}
