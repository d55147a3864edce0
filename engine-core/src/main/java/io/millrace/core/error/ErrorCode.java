package io.millrace.core.error;

/**
 * Every error that a user can meet. The number is stable across versions: scripts match on it. The
 * hundreds group by area; a code is never used for two different mistakes.
 */
public enum ErrorCode {
  SYNTAX_ERROR(101, ErrorCategory.USER, false),
  UNKNOWN_TABLE(102, ErrorCategory.USER, false),
  UNKNOWN_COLUMN(103, ErrorCategory.USER, false),
  UNKNOWN_FUNCTION(104, ErrorCategory.USER, false),
  UNKNOWN_OPTION(105, ErrorCategory.USER, false),
  UNKNOWN_SETTING(106, ErrorCategory.USER, false),
  AMBIGUOUS_NAME(107, ErrorCategory.USER, false),
  DUPLICATE_NAME(108, ErrorCategory.USER, false),
  TYPE_MISMATCH(109, ErrorCategory.USER, false),
  INVALID_ARGUMENT(110, ErrorCategory.USER, false),
  INVALID_OPTION_VALUE(111, ErrorCategory.USER, false),
  UNSUPPORTED_SQL(112, ErrorCategory.USER, false),
  MISSING_PARAMETER(113, ErrorCategory.USER, false),
  TABLE_EXISTS(114, ErrorCategory.USER, false),
  MISSING_ARTIFACT(115, ErrorCategory.USER, false),
  UNSUPPORTED_TYPE(116, ErrorCategory.USER, false),
  USAGE_ERROR(117, ErrorCategory.USER, false),
  EXCLUDED_SQL(118, ErrorCategory.USER, false),

  FILE_NOT_FOUND(201, ErrorCategory.USER, false),
  INVALID_FILE(202, ErrorCategory.USER, false),
  MALFORMED_VALUE(203, ErrorCategory.USER, false),
  SCHEMA_MISMATCH(204, ErrorCategory.USER, false),
  UNSUPPORTED_FORMAT(205, ErrorCategory.USER, false),
  IMAGE_DECODE_FAILED(206, ErrorCategory.USER, false),
  VALUE_TOO_LARGE(207, ErrorCategory.USER, false),
  UNKNOWN_VERSION(208, ErrorCategory.USER, false),

  NUMERIC_OVERFLOW(301, ErrorCategory.USER, false),
  DIVISION_BY_ZERO(302, ErrorCategory.USER, false),
  INVALID_CAST(303, ErrorCategory.USER, false),
  MULTIPLE_ROWS(304, ErrorCategory.USER, false),

  UDF_FAILED(401, ErrorCategory.USER, false),
  UDF_TIMEOUT(402, ErrorCategory.USER, false),
  UDF_NOT_LOADABLE(403, ErrorCategory.USER, false),
  JOB_FAILED(404, ErrorCategory.USER, false),

  MEMORY_EXHAUSTED(501, ErrorCategory.RESOURCE, false),
  DISK_EXHAUSTED(502, ErrorCategory.RESOURCE, false),
  NO_SLOTS(503, ErrorCategory.RESOURCE, false),
  RECURSION_LIMIT(504, ErrorCategory.RESOURCE, false),

  IO_FAILED(601, ErrorCategory.EXTERNAL, true),
  SOURCE_CHANGED(602, ErrorCategory.EXTERNAL, false),
  WORKER_LOST(603, ErrorCategory.EXTERNAL, true),
  COORDINATOR_UNREACHABLE(604, ErrorCategory.EXTERNAL, true),
  SHUFFLE_LOST(605, ErrorCategory.EXTERNAL, true),
  COMMIT_CONFLICT(606, ErrorCategory.EXTERNAL, true),
  AUTHENTICATION_FAILED(607, ErrorCategory.EXTERNAL, false),
  NATIVE_LIBRARY_FAILED(608, ErrorCategory.EXTERNAL, false),
  NO_JAVA(609, ErrorCategory.EXTERNAL, false),

  CANCELLED(701, ErrorCategory.CANCELLED, false),

  INTERNAL_ERROR(901, ErrorCategory.INTERNAL, false),
  INVALID_PLAN(902, ErrorCategory.INTERNAL, false),
  OWNERSHIP_VIOLATION(903, ErrorCategory.INTERNAL, false),
  PLAN_VERSION_MISMATCH(904, ErrorCategory.INTERNAL, false);

  private final int number;
  private final ErrorCategory category;
  private final boolean retryable;

  ErrorCode(int number, ErrorCategory category, boolean retryable) {
    this.number = number;
    this.category = category;
    this.retryable = retryable;
  }

  public int number() {
    return number;
  }

  public ErrorCategory category() {
    return category;
  }

  /** Whether the same task may succeed when it runs again elsewhere. */
  public boolean retryable() {
    return retryable;
  }

  /** The form shown to users: {@code UNKNOWN_TABLE-102}. */
  public String label() {
    return name() + "-" + number;
  }
}
