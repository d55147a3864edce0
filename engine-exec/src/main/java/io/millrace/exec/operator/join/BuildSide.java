package io.millrace.exec.operator.join;

/** What the build drivers of a hash join hand to its probe drivers. */
public sealed interface BuildSide extends AutoCloseable permits JoinTable, SpilledBuild {
  @Override
  void close();
}
