package io.millrace.exec.operator.join;

/** The build rows are in the files of the join's {@link JoinSpill}. */
record SpilledBuild() implements BuildSide {
  @Override
  public void close() {}
}
