package io.millrace.cluster.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.ErrorInfo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random clusters in which workers die, join and fail at random moments of virtual time. Whatever
 * happens, every query ends within its limits, reads only outputs that exist, and gives back all it
 * reserved.
 */
final class QuerySimulationTest {
  private static final SchedulePolicy POLICY = new SchedulePolicy(6, 8, 3, 10, 30, 2_000);

  @ParameterizedTest
  @ValueSource(longs = {1, 1_001, 2_001, 3_001})
  void everyQueryEndsWhateverHappens(long firstSeed) {
    int succeeded = 0;
    for (long seed = firstSeed; seed < firstSeed + 250; seed++) {
      succeeded += new Simulation(seed).run() == QueryState.Status.SUCCEEDED ? 1 : 0;
    }
    assertTrue(succeeded > 125, "most queries survive their faults: " + succeeded + " of 250");
  }

  private static final class Simulation {
    private final long seed;
    private final Random random;
    private final WorkerPool pool = new WorkerPool();
    private final Map<AttemptId, Decision.Launch> running = new LinkedHashMap<>();
    private final Map<AttemptId, Long> endsAt = new LinkedHashMap<>();
    private final Map<AttemptId, WorkerId> stored = new LinkedHashMap<>();
    private final List<TaskOutput> results = new ArrayList<>();
    private final Set<TaskId> delivered = new HashSet<>();
    private QueryState query;
    private long now;
    private int workersMade;

    Simulation(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
    }

    QueryState.Status run() {
      int workers = 1 + random.nextInt(4);
      for (int i = 0; i < workers; i++) {
        join();
      }
      query = new QueryState("q", stages(), pool, POLICY);
      while (query.status() == QueryState.Status.RUNNING) {
        apply(query.schedule(now));
        step();
        now += 1 + random.nextInt(20);
        if (now > 200_000) {
          fail("query does not end, seed " + seed + ", " + query.progress());
        }
      }
      for (AttemptId attempt : List.copyOf(running.keySet())) {
        running.remove(attempt);
        query.failed(attempt, new TaskFailure.Aborted(), now);
      }
      assertEquals(0, pool.reservationCount(), () -> "reservations left, seed " + seed);
      return query.status();
    }

    private List<StageDefinition> stages() {
      List<StageDefinition> stages = new ArrayList<>();
      int count = 1 + random.nextInt(4);
      for (int stage = 0; stage < count; stage++) {
        List<Integer> inputs = new ArrayList<>();
        for (int earlier = 0; earlier < stage; earlier++) {
          if (earlier == stage - 1 || random.nextBoolean()) {
            inputs.add(earlier);
          }
        }
        stages.add(
            StageDefinition.of(stage, inputs, 1 + random.nextInt(5), ResourceVector.of(1, 0, 0)));
      }
      return stages;
    }

    private void step() {
      for (AttemptId attempt : List.copyOf(running.keySet())) {
        if (running.containsKey(attempt) && endsAt.get(attempt) <= now) {
          finish(running.remove(attempt));
        }
      }
      if (random.nextInt(60) == 0 && !pool.isEmpty()) {
        List<WorkerPool.Worker> all = List.copyOf(pool.workers());
        kill(all.get(random.nextInt(all.size())).id());
      }
      if (random.nextInt(40) == 0 && pool.workers().size() < 5) {
        join();
      }
      if (!results.isEmpty() && random.nextBoolean()) {
        TaskOutput result = results.removeFirst();
        assertTrue(delivered.add(result.attempt().task()), "delivered twice, seed " + seed);
        apply(query.delivered(result.attempt()));
      }
    }

    private void finish(Decision.Launch launch) {
      AttemptId attempt = launch.attempt();
      for (List<TaskOutput> inputs : launch.inputs().values()) {
        for (TaskOutput input : inputs) {
          if (!input.worker().equals(stored.get(input.attempt()))) {
            apply(
                query.failed(
                    attempt, new TaskFailure.InputLost(input.attempt(), input.worker()), now));
            return;
          }
        }
      }
      int dice = random.nextInt(100);
      if (dice < 8) {
        ErrorInfo error = ErrorInfo.of(ErrorCode.IO_FAILED, "store not reachable");
        apply(query.failed(attempt, new TaskFailure.Error(error), now));
      } else {
        stored.put(attempt, launch.worker());
        apply(query.succeeded(new TaskOutput(attempt, launch.worker(), List.of(5L, 5L))));
      }
    }

    private void kill(WorkerId worker) {
      running.values().removeIf(launch -> launch.worker().equals(worker));
      stored.values().removeIf(worker::equals);
      pool.leave(worker);
      apply(query.workerLost(worker, now));
    }

    private void join() {
      String name = "w" + workersMade++;
      pool.join(
          new WorkerPool.Worker(
              new WorkerId(name), name, ResourceVector.of(1 + random.nextInt(3), 0, 0)));
    }

    private void apply(List<Decision> decisions) {
      for (Decision decision : decisions) {
        switch (decision) {
          case Decision.Launch launch -> {
            assertTrue(pool.worker(launch.worker()).isPresent(), "launched on a lost worker");
            running.put(launch.attempt(), launch);
            endsAt.put(launch.attempt(), now + 10 + random.nextInt(200));
          }
          case Decision.Abort(AttemptId attempt, WorkerId worker) -> {
            if (running.remove(attempt) != null) {
              apply(query.failed(attempt, new TaskFailure.Aborted(), now));
            }
          }
          case Decision.DropOutput(AttemptId attempt, WorkerId worker) -> stored.remove(attempt);
          case Decision.ResultReady(TaskOutput output) -> results.add(output);
          case Decision.ResultLost(TaskId task) ->
              results.removeIf(result -> result.attempt().task().equals(task));
          case Decision.Fail(ErrorInfo error) -> {}
          case Decision.Succeed() ->
              assertEquals(
                  query.progress().getLast().tasks(), delivered.size(), "all results delivered");
        }
      }
    }
  }
}
