package io.millrace.cluster.protocol;

/** Anything that travels between coordinator and workers as a control message. */
public sealed interface ClusterMessage permits CoordinatorMessage, WorkerMessage {}
