package io.millrace.core.batch;

/**
 * A range of bytes in a file or object.
 *
 * @param uri never null
 * @param offset first byte; null means 0
 * @param size bytes; null means to the end
 * @param etag the version that was listed; null when unknown
 */
public record FileValue(String uri, Long offset, Long size, String etag) {
  @Override
  public String toString() {
    return uri;
  }
}
