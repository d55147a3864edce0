package io.millrace.cluster.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.ErrorInfo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class QueryStateTest {
  private static final ResourceVector ONE_CPU = ResourceVector.of(1, 0, 0);
  private static final SchedulePolicy POLICY = new SchedulePolicy(3, 3, 2, 100, 300, 5_000);

  private final WorkerPool pool = new WorkerPool();
  private long now = 1_000;

  @Test
  void runsStagesInOrderAndEndsWhenTheResultIsDelivered() {
    worker("w1", 2);
    QueryState query = mapReduce(2, 2);
    List<Decision.Launch> maps = launches(query.schedule(now));
    assertEquals(2, maps.size());
    query.succeeded(output(maps.get(0)));
    assertTrue(query.schedule(now).isEmpty(), "reduce waits for all maps");
    query.succeeded(output(maps.get(1)));
    List<Decision.Launch> reduces = launches(query.schedule(now));
    assertEquals(2, reduces.size());
    assertEquals(2, reduces.getFirst().inputs().get(0).size());
    List<Decision> ready = query.succeeded(output(reduces.get(0)));
    assertEquals(new Decision.ResultReady(output(reduces.get(0))), ready.getFirst());
    query.succeeded(output(reduces.get(1)));
    query.delivered(reduces.get(0).attempt());
    assertEquals(List.of(new Decision.Succeed()), query.delivered(reduces.get(1).attempt()));
    assertEquals(QueryState.Status.SUCCEEDED, query.status());
    assertEquals(0, pool.reservationCount());
  }

  @Test
  void neverLaunchesMoreThanTheSlotsHold() {
    worker("w1", 1);
    worker("w2", 2);
    QueryState query = mapReduce(10, 1);
    List<Decision.Launch> first = launches(query.schedule(now));
    assertEquals(3, first.size());
    assertEquals(0, launches(query.schedule(now)).size());
    query.succeeded(output(first.getFirst()));
    assertEquals(1, launches(query.schedule(now)).size());
  }

  @Test
  void aUserErrorEndsTheQueryAtOnceAndStopsTheRest() {
    worker("w1", 2);
    QueryState query = mapReduce(2, 1);
    List<Decision.Launch> maps = launches(query.schedule(now));
    ErrorInfo error = ErrorInfo.of(ErrorCode.DIVISION_BY_ZERO, "Division by zero");
    List<Decision> decisions =
        query.failed(maps.get(0).attempt(), new TaskFailure.Error(error), now);
    assertEquals(
        List.of(
            new Decision.Abort(maps.get(1).attempt(), maps.get(1).worker()),
            new Decision.Fail(error)),
        decisions);
    assertEquals(QueryState.Status.FAILED, query.status());
    query.failed(maps.get(1).attempt(), new TaskFailure.Aborted(), now);
    assertEquals(0, pool.reservationCount());
  }

  @Test
  void retriesWithGrowingDelayUpToTheLimit() {
    worker("w1", 1);
    QueryState query = mapReduce(1, 1);
    failOnce(query, "first");
    assertTrue(launches(query.schedule(now + 99)).isEmpty());
    now += 100;
    failOnce(query, "second");
    assertTrue(launches(query.schedule(now + 199)).isEmpty());
    now += 200;
    Decision.Fail fail = (Decision.Fail) failOnce(query, "third").getLast();
    assertEquals(ErrorCode.IO_FAILED, fail.error().code());
    assertEquals("third (tried 3 times)", fail.error().message());
  }

  @Test
  void avoidsAWorkerThatKeepsFailing() {
    worker("bad", 4);
    QueryState query = mapReduce(4, 1);
    List<Decision.Launch> maps = launches(query.schedule(now));
    worker("good", 4);
    for (Decision.Launch map : maps.subList(0, 2)) {
      query.failed(map.attempt(), retryable("disk"), now);
    }
    query.succeeded(output(maps.get(2)));
    query.succeeded(output(maps.get(3)));
    now += 1_000;
    List<Decision.Launch> again = launches(query.schedule(now));
    assertEquals(2, again.size());
    assertTrue(again.stream().allMatch(launch -> launch.worker().value().equals("good")));
  }

  @Test
  void theFirstAttemptToFinishWins() {
    worker("w1", 1);
    worker("w2", 1);
    QueryState query = mapReduce(1, 1);
    Decision.Launch first = launches(query.schedule(now)).getFirst();
    lose(query, first.worker());
    worker("w3", 1);
    now += 1_000;
    Decision.Launch second = launches(query.schedule(now)).getFirst();
    query.succeeded(output(second));
    // The worker that was thought lost reports its success late.
    List<Decision> late = query.succeeded(output(first));
    assertEquals(List.of(new Decision.DropOutput(first.attempt(), first.worker())), late);
    Decision.Launch reduce = launches(query.schedule(now)).getFirst();
    assertEquals(second.attempt(), reduce.inputs().get(0).getFirst().attempt());
  }

  @Test
  void aLostWorkerCostsOnlyItsOwnMapTasks() {
    worker("w1", 1);
    worker("w2", 1);
    QueryState query = mapReduce(2, 2);
    List<Decision.Launch> maps = launches(query.schedule(now));
    maps.forEach(map -> query.succeeded(output(map)));
    launches(query.schedule(now));
    WorkerId gone = maps.get(0).worker();
    lose(query, gone);
    worker("w3", 4);
    now += 1_000;
    List<Decision.Launch> again = launches(query.schedule(now));
    assertEquals(
        List.of(new TaskId("q", 0, 0)), again.stream().map(l -> l.attempt().task()).toList());
  }

  @Test
  void outputsThatNobodyNeedsAreNotComputedAgain() {
    worker("w1", 1);
    worker("w2", 1);
    QueryState query =
        new QueryState(
            "q",
            List.of(
                StageDefinition.of(0, List.of(), 1, ONE_CPU),
                StageDefinition.of(1, List.of(0), 1, ONE_CPU),
                StageDefinition.of(2, List.of(1), 2, ONE_CPU)),
            pool,
            POLICY);
    Decision.Launch first = launches(query.schedule(now)).getFirst();
    query.succeeded(output(first));
    Decision.Launch second = launches(query.schedule(now)).getFirst();
    query.succeeded(output(second));
    List<Decision.Launch> last = launches(query.schedule(now));
    Decision.Launch kept =
        last.stream().filter(l -> !l.worker().equals(first.worker())).findFirst().orElseThrow();
    last.forEach(launch -> query.succeeded(output(launch)));
    query.delivered(last.stream().filter(l -> !l.equals(kept)).findFirst().orElseThrow().attempt());
    lose(query, first.worker());
    now += 1_000;
    assertTrue(launches(query.schedule(now)).isEmpty());
    query.delivered(kept.attempt());
    assertEquals(QueryState.Status.SUCCEEDED, query.status());
  }

  @Test
  void aFailedFetchComputesTheLostOutputAgainWithoutBlamingTheReader() {
    worker("w1", 1);
    worker("w2", 1);
    QueryState query = mapReduce(2, 1);
    List<Decision.Launch> maps = launches(query.schedule(now));
    maps.forEach(map -> query.succeeded(output(map)));
    Decision.Launch reduce = launches(query.schedule(now)).getFirst();
    query.failed(
        reduce.attempt(),
        new TaskFailure.InputLost(maps.get(1).attempt(), maps.get(1).worker()),
        now);
    Decision.Launch again = launches(query.schedule(now)).getFirst();
    assertEquals(maps.get(1).attempt().task(), again.attempt().task());
    query.succeeded(output(again));
    Decision.Launch reduceAgain = launches(query.schedule(now)).getFirst();
    assertEquals(1, reduceAgain.attempt().attempt());
    assertEquals(
        again.attempt(), reduceAgain.inputs().get(0).get(1).attempt(), "reads the new output");
  }

  @Test
  void aStaleFetchFailureDoesNotDropTheNewOutput() {
    worker("w1", 2);
    worker("w2", 2);
    QueryState query = mapReduce(1, 2);
    Decision.Launch map = launches(query.schedule(now)).getFirst();
    query.succeeded(output(map));
    List<Decision.Launch> reduces = launches(query.schedule(now));
    TaskFailure lost = new TaskFailure.InputLost(map.attempt(), map.worker());
    query.failed(reduces.get(0).attempt(), lost, now);
    Decision.Launch again = launches(query.schedule(now)).getFirst();
    query.succeeded(output(again));
    query.failed(reduces.get(1).attempt(), lost, now);
    List<Decision.Launch> next = launches(query.schedule(now));
    assertTrue(next.stream().allMatch(launch -> launch.attempt().task().stage() == 1));
    assertEquals(2, next.size());
  }

  @Test
  void failsClearlyWhenAllWorkersAreLost() {
    worker("w1", 1);
    QueryState query = mapReduce(1, 1);
    Decision.Launch map = launches(query.schedule(now)).getFirst();
    lose(query, map.worker());
    assertTrue(query.schedule(now).isEmpty());
    now += POLICY.workerWaitMillis() - 1;
    assertTrue(query.schedule(now).isEmpty());
    now += 1;
    Decision.Fail fail = (Decision.Fail) query.schedule(now).getLast();
    assertEquals(ErrorCode.WORKER_LOST, fail.error().code());
    assertTrue(fail.error().message().startsWith("No worker is left"), fail.error().message());
  }

  @Test
  void aWorkerThatJoinsIsUsed() {
    QueryState query = mapReduce(2, 1);
    assertTrue(query.schedule(now).isEmpty());
    now += 1_000;
    worker("w1", 2);
    assertEquals(2, launches(query.schedule(now)).size());
  }

  @Test
  void needsThatNoWorkerDeclaresFailWithTheNumbers() {
    worker("w1", 8);
    QueryState query =
        new QueryState(
            "q",
            List.of(StageDefinition.of(0, List.of(), 1, ResourceVector.of(1, 1, 0))),
            pool,
            POLICY);
    query.schedule(now);
    now += POLICY.workerWaitMillis();
    Decision.Fail fail = (Decision.Fail) query.schedule(now).getLast();
    assertEquals(ErrorCode.NO_SLOTS, fail.error().code());
    assertTrue(fail.error().message().contains("1.0 gpus"), fail.error().message());
  }

  @Test
  void prefersTheHostOfTheInputThenTakesAny() {
    pool.join(new WorkerPool.Worker(new WorkerId("near"), "a", ONE_CPU));
    pool.join(new WorkerPool.Worker(new WorkerId("far"), "b", ONE_CPU));
    List<TaskDefinition> tasks = new ArrayList<>();
    for (int task = 0; task < 2; task++) {
      tasks.add(new TaskDefinition(task, Set.of("a")));
    }
    QueryState query =
        new QueryState(
            "q", List.of(new StageDefinition(0, List.of(), tasks, ONE_CPU)), pool, POLICY);
    List<Decision.Launch> first = launches(query.schedule(now));
    assertEquals(List.of("near"), first.stream().map(l -> l.worker().value()).toList());
    now += POLICY.localityWaitMillis();
    List<Decision.Launch> second = launches(query.schedule(now));
    assertEquals(List.of("far"), second.stream().map(l -> l.worker().value()).toList());
  }

  @Test
  void aCancelledQueryStopsEverything() {
    worker("w1", 2);
    QueryState query = mapReduce(2, 1);
    List<Decision.Launch> maps = launches(query.schedule(now));
    List<Decision> decisions = query.end(ErrorInfo.of(ErrorCode.CANCELLED, "Cancelled"));
    assertEquals(3, decisions.size());
    assertTrue(query.schedule(now + 10_000).isEmpty());
    maps.forEach(map -> query.failed(map.attempt(), new TaskFailure.Aborted(), now));
    assertEquals(0, pool.reservationCount());
  }

  @Test
  void aResultLostBeforeItIsReadIsComputedAgain() {
    worker("w1", 1);
    QueryState query =
        new QueryState("q", List.of(StageDefinition.of(0, List.of(), 1, ONE_CPU)), pool, POLICY);
    Decision.Launch only = launches(query.schedule(now)).getFirst();
    query.succeeded(output(only));
    assertEquals(
        List.of(new Decision.ResultLost(only.attempt().task())), lose(query, only.worker()));
    worker("w2", 1);
    Decision.Launch again = launches(query.schedule(now)).getFirst();
    assertFalse(query.succeeded(output(again)).isEmpty());
    query.delivered(again.attempt());
    assertEquals(QueryState.Status.SUCCEEDED, query.status());
  }

  private void worker(String name, int cpus) {
    pool.join(new WorkerPool.Worker(new WorkerId(name), name, ResourceVector.of(cpus, 0, 0)));
  }

  private List<Decision> lose(QueryState query, WorkerId worker) {
    pool.leave(worker);
    return query.workerLost(worker, now);
  }

  private QueryState mapReduce(int maps, int reduces) {
    return new QueryState(
        "q",
        List.of(
            StageDefinition.of(0, List.of(), maps, ONE_CPU),
            StageDefinition.of(1, List.of(0), reduces, ONE_CPU)),
        pool,
        POLICY);
  }

  private List<Decision> failOnce(QueryState query, String message) {
    Decision.Launch launch = launches(query.schedule(now)).getFirst();
    return query.failed(launch.attempt(), retryable(message), now);
  }

  private static TaskFailure retryable(String message) {
    return new TaskFailure.Error(ErrorInfo.of(ErrorCode.IO_FAILED, message));
  }

  private static List<Decision.Launch> launches(List<Decision> decisions) {
    return decisions.stream()
        .filter(Decision.Launch.class::isInstance)
        .map(Decision.Launch.class::cast)
        .toList();
  }

  private static TaskOutput output(Decision.Launch launch) {
    return new TaskOutput(launch.attempt(), launch.worker(), Collections.nCopies(4, 10L));
  }
}
