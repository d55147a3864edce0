package io.millrace.testkit.slt;

import java.util.List;

/** Something that runs SQL. Errors of the query come as exceptions. */
public interface QueryEngine extends AutoCloseable {

  /** A word for test names, for example {@code local}. */
  String name();

  /** Runs one statement; its rows with Java values, null for null. Empty for one without rows. */
  List<List<Object>> run(String sql);

  /** The error code's name that an exception of {@link #run} carries. */
  String errorCode(RuntimeException failure);

  @Override
  void close();
}
