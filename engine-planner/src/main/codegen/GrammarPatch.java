import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Applies a unified diff to one file, strictly: the lines of a hunk must stand in the file exactly
 * once after the hunk before it. The build runs this file as it is ({@code java GrammarPatch.java
 * PATCH INPUT OUTPUT}), so it needs no tool but the JDK; a patch that does not apply ends with 1.
 */
public final class GrammarPatch {
  private record Hunk(String header, List<String> before, List<String> after) {}

  private GrammarPatch() {}

  public static void main(String[] arguments) throws IOException {
    List<String> lines = Files.readAllLines(Path.of(arguments[1]), StandardCharsets.UTF_8);
    List<String> patched = new ArrayList<>();
    int done = 0;
    for (Hunk hunk : read(Files.readAllLines(Path.of(arguments[0]), StandardCharsets.UTF_8))) {
      int at = find(lines, done, hunk);
      patched.addAll(lines.subList(done, at));
      patched.addAll(hunk.after());
      done = at + hunk.before().size();
    }
    patched.addAll(lines.subList(done, lines.size()));
    Path output = Path.of(arguments[2]);
    Files.createDirectories(output.getParent());
    Files.write(output, patched, StandardCharsets.UTF_8);
  }

  private static List<Hunk> read(List<String> patch) {
    List<Hunk> hunks = new ArrayList<>();
    for (String line : patch) {
      if (line.startsWith("@@")) {
        hunks.add(new Hunk(line, new ArrayList<>(), new ArrayList<>()));
      } else if (!hunks.isEmpty() && !line.startsWith("\\")) {
        // an editor may have cut the single blank of an empty context line
        char kind = line.isEmpty() ? ' ' : line.charAt(0);
        String text = line.isEmpty() ? "" : line.substring(1);
        if (kind != '+') {
          hunks.get(hunks.size() - 1).before().add(text);
        }
        if (kind != '-') {
          hunks.get(hunks.size() - 1).after().add(text);
        }
      }
    }
    if (hunks.isEmpty()) {
      throw fail("The grammar patch holds no hunk");
    }
    return hunks;
  }

  private static int find(List<String> lines, int from, Hunk hunk) {
    int found = -1;
    for (int start = from; start + hunk.before().size() <= lines.size(); start++) {
      if (lines.subList(start, start + hunk.before().size()).equals(hunk.before())) {
        if (found >= 0) {
          throw fail("A hunk of the grammar patch fits in two places: " + hunk.header());
        }
        found = start;
      }
    }
    if (found < 0) {
      throw fail("A hunk of the grammar patch does not apply any more: " + hunk.header());
    }
    return found;
  }

  private static RuntimeException fail(String message) {
    System.err.println(message);
    System.exit(1);
    throw new AssertionError(message);
  }
}
