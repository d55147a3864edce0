package io.millrace.cluster.job;

/** Names of the calls between processes. */
final class CallNames {
  private CallNames() {}

  /** Answers with the actor reference of the coordinator. */
  static final String JOIN = "join";

  /** Answers with nothing, when the process is well. */
  static final String PING = "ping";

  /** Query id; answers with a QuerySetup. */
  static final String QUERY = "query";

  /** Query id and stage number; answers with a StageSetup. */
  static final String STAGE = "stage";

  /** Attempt; answers with a TaskSetup. */
  static final String TASK = "task";

  /** Hash; answers with one byte: 1 when the jar is there. */
  static final String HAS_JAR = "has-jar";

  /** A JarPiece; answers with nothing. The last piece makes the jar known. */
  static final String UPLOAD_JAR = "upload-jar";

  /** Answers with the resources of all workers. */
  static final String SLOTS = "slots";
}
