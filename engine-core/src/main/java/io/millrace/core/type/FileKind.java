package io.millrace.core.type;

import java.util.Locale;

/** What a file value is known to hold. */
public enum FileKind {
  ANY,
  IMAGE,
  VIDEO,
  AUDIO,
  DOCUMENT;

  public String sqlName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
