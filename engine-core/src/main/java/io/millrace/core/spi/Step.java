package io.millrace.core.spi;

import io.millrace.core.batch.Batch;
import java.util.concurrent.CompletableFuture;

/** What an operator or a source answers when it is asked to go on. Never blocks the thread. */
public sealed interface Step {

  /** Wants another input batch, or to be told that there is none. Never from a source. */
  record NeedInput() implements Step {}

  /** A batch; the receiver owns it. */
  record Output(Batch batch) implements Step {}

  /** Cannot go on before the future completes; a failed future fails the query. */
  record Blocked(CompletableFuture<Void> ready, BlockReason reason) implements Step {}

  /** No more output will come. */
  record Finished() implements Step {}

  NeedInput NEED_INPUT = new NeedInput();
  Finished FINISHED = new Finished();

  /** What a blocked step waits for. */
  enum BlockReason {
    MEMORY,
    UPSTREAM,
    DOWNSTREAM,
    UDF,
    IO
  }
}
