package io.millrace.cluster.job;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Secrets of clusters, which live in files so that no process list shows them. */
public final class Tokens {
  private Tokens() {}

  /**
   * The token in a file, without surrounding white space; empty when no file is named.
   *
   * @throws MillraceException FILE_NOT_FOUND, or INVALID_ARGUMENT when the file holds none
   */
  public static String read(String file) {
    if (file.isEmpty()) {
      return "";
    }
    try {
      String token = Files.readString(Path.of(file)).strip();
      if (token.isEmpty()) {
        throw new MillraceException(
            ErrorCode.INVALID_ARGUMENT, "The token file is empty; write a secret into it: " + file);
      }
      return token;
    } catch (IOException failure) {
      throw new MillraceException(
          ErrorCode.FILE_NOT_FOUND, "Cannot read the token file; check its path: " + file, failure);
    }
  }
}
