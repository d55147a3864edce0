package io.millrace.planner.physical;

/** Numbers the nodes of one plan. */
final class NodeIds {
  private int next;

  int next() {
    return next++;
  }
}
