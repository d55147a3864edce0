package io.millrace.exec.format.text;

/** Checks that bytes are well-formed UTF-8. Source: Unicode, table 3-7. */
public final class Utf8Text {
  private Utf8Text() {}

  public static boolean isValid(byte[] text, int from, int to) {
    int signs = 0;
    for (int index = from; index < to; index++) {
      signs |= text[index];
    }
    return signs >= 0 || isValidBeyondAscii(text, from, to);
  }

  private static boolean isValidBeyondAscii(byte[] text, int from, int to) {
    int at = from;
    while (at < to) {
      int lead = text[at] & 0xFF;
      int following = lead < 0x80 ? 0 : lead < 0xC2 ? -1 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
      if (following < 0 || lead > 0xF4 || at + following >= to) {
        return false;
      }
      if (following > 0) {
        int second = text[at + 1] & 0xFF;
        int least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        int most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (second < least || second > most) {
          return false;
        }
      }
      for (int index = 2; index <= following; index++) {
        if ((text[at + index] & 0xC0) != 0x80) {
          return false;
        }
      }
      at += 1 + following;
    }
    return true;
  }
}
