package io.millrace.core.memory;

import java.util.concurrent.CompletableFuture;

/**
 * Someone who can give memory back on request, by spilling. Both methods are called from any
 * thread, without locks held, and must not block.
 */
public interface RevocableOwner {
  /** Bytes that a revocation could release now; an estimate. */
  long revocableBytes();

  /**
   * Asks for memory. The owner releases through its reservation when it can.
   *
   * @param targetBytes how much the pool lacks; the owner may release more or less
   * @return completes when the owner is done, whatever it released
   */
  CompletableFuture<Void> requestRevoke(long targetBytes);

  /** An owner that has nothing to give. */
  RevocableOwner NONE =
      new RevocableOwner() {
        @Override
        public long revocableBytes() {
          return 0;
        }

        @Override
        public CompletableFuture<Void> requestRevoke(long targetBytes) {
          return CompletableFuture.completedFuture(null);
        }
      };
}
