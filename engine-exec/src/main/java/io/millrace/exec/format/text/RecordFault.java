package io.millrace.exec.format.text;

import io.millrace.core.error.ErrorCode;

/** What is wrong with a record; the source adds file and line. */
public final class RecordFault extends Exception {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final long offset;

  /**
   * @param message static sentence, without file and line
   * @param offset bytes from the start of the split to the record
   */
  public RecordFault(ErrorCode code, String message, long offset) {
    super(message);
    this.code = code;
    this.offset = offset;
  }

  ErrorCode code() {
    return code;
  }

  long offset() {
    return offset;
  }
}
