package io.millrace.cluster.cli;

import io.millrace.planner.dataframe.Session;

/** Opens the session that a command's options describe. */
final class SessionFactory {
  private SessionFactory() {}

  static Session open(EngineOptions options) {
    String address = options.address();
    return address.startsWith("local:")
        ? Session.local(options.configuration())
        : Session.connect(address, options.configuration());
  }
}
