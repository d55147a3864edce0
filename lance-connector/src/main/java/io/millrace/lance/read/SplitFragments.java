package io.millrace.lance.read;

import java.util.ArrayList;
import java.util.List;

/** Fragment numbers as a split carries them: ascending, runs shortened, such as {@code 0-3,7}. */
final class SplitFragments {
  private SplitFragments() {}

  static String encode(List<Integer> ids) {
    StringBuilder text = new StringBuilder();
    for (int index = 0; index < ids.size(); index++) {
      int last = index;
      while (last + 1 < ids.size() && ids.get(last + 1) == ids.get(last) + 1) {
        last++;
      }
      text.append(text.isEmpty() ? "" : ",").append(ids.get(index));
      if (last > index) {
        text.append('-').append(ids.get(last));
      }
      index = last;
    }
    return text.toString();
  }

  static List<Integer> decode(String text) {
    List<Integer> ids = new ArrayList<>();
    if (text.isEmpty()) {
      return ids;
    }
    for (String part : text.split(",", -1)) {
      int dash = part.indexOf('-');
      int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
      int last = dash < 0 ? first : Integer.parseInt(part.substring(dash + 1));
      for (int id = first; id <= last; id++) {
        ids.add(id);
      }
    }
    return ids;
  }
}
