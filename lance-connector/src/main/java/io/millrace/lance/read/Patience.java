package io.millrace.lance.read;

/** How long to wait for memory: as long as some is freed from time to time. */
final class Patience {
  private final long limitMillis;
  private long lastFree;
  private long sinceMillis;

  /**
   * @param limitMillis how long nothing may be freed
   * @param freeBytes free at the start
   * @param nowMillis by any clock that does not go back
   */
  Patience(long limitMillis, long freeBytes, long nowMillis) {
    this.limitMillis = limitMillis;
    this.lastFree = freeBytes;
    this.sinceMillis = nowMillis;
  }

  /** Whether nothing was freed for too long. */
  boolean isOver(long freeBytes, long nowMillis) {
    if (freeBytes > lastFree) {
      sinceMillis = nowMillis;
    }
    lastFree = freeBytes;
    return nowMillis - sinceMillis >= limitMillis;
  }
}
