package io.millrace.exec.format.json;

import java.io.IOException;

/** A JSON value that does not fit its type. */
final class JsonMisfitException extends IOException {
  private static final long serialVersionUID = 1L;

  JsonMisfitException(String message) {
    super(message);
  }
}
