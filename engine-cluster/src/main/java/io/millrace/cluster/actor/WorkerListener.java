package io.millrace.cluster.actor;

import io.millrace.cluster.protocol.Endpoint;
import io.millrace.cluster.schedule.ResourceVector;
import io.millrace.cluster.schedule.WorkerId;

/** Workers that come and go. Called on the coordinator's actor thread: answer at once. */
public interface WorkerListener {

  /** A worker is registered; tasks may be launched on it from now on. */
  void workerJoined(WorkerId worker, Endpoint endpoint, ResourceVector resources);

  /** A worker is gone, in good order or not. */
  void workerLeft(WorkerId worker);
}
