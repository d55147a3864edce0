package io.millrace.integration.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Every path, package and class that docs/ARCHITECTURE.md names in backticks exists. Fenced blocks
 * are not read.
 */
class ArchitectureDocumentTest {

  private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```");
  private static final Pattern QUOTED = Pattern.compile("`([^`\n]+)`");
  private static final Pattern PATH = Pattern.compile("[\\w.*{},-]+(/[\\w.*{},-]*)+");
  private static final Pattern PACKAGE = Pattern.compile("io\\.millrace(\\.[a-z]\\w*)+");
  private static final Pattern QUALIFIED =
      Pattern.compile("(io\\.millrace(?:\\.[a-z]\\w*)*)\\.([A-Z]\\w*).*");
  private static final Pattern TYPE =
      Pattern.compile("([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)(?:[.#(<].*)?");
  private static final Pattern DECLARED =
      Pattern.compile("\\b(?:class|interface|record|enum)\\s+([A-Z]\\w*)");
  private static final Pattern IMPORTED = Pattern.compile("(?m)^import (?:static )?([\\w.]+)");

  @Test
  void namesInTheArchitectureDocumentResolve() throws IOException {
    SourceTree tree = SourceTree.ofThisRepository();
    Path document = tree.root().resolve("docs/ARCHITECTURE.md");
    assumeTrue(Files.exists(document), "docs/ARCHITECTURE.md is not written yet");
    List<String> unresolved = unresolved(Files.readString(document), tree);
    assertEquals(
        List.of(),
        unresolved,
        "docs/ARCHITECTURE.md names what does not exist: correct the name (paths count from the"
            + " repository's root), or write what is no path or class without backticks");
  }

  @Test
  void namesThatDoNotExistAreFound() throws IOException {
    String text =
        """
        `SourceTree` and `SourceTree.of` in `integration-tests/pom.xml`, package
        `io.millrace.integration.architecture`, `Path`, `--flag`, `HASH`; not `NoSuchType`,
        `integration-tests/nothing.xml`, `io.millrace.nowhere` and `io.millrace.core.NoSuchType`.
        ```
        `NotRead`
        ```
        """;
    assertEquals(
        List.of(
            "NoSuchType",
            "integration-tests/nothing.xml",
            "io.millrace.nowhere",
            "io.millrace.core.NoSuchType"),
        unresolved(text, SourceTree.ofThisRepository()));
  }

  private static List<String> unresolved(String text, SourceTree tree) throws IOException {
    Set<String> packages = new HashSet<>();
    Set<String> types = new HashSet<>();
    for (Path file : tree.javaFiles()) {
      String path = tree.relative(file);
      int start = path.indexOf("/java/");
      if (start > 0) {
        for (String name = parent(path); name.length() > start + 6; name = parent(name)) {
          packages.add(name.substring(start + 6).replace('/', '.'));
        }
      }
      String source = Files.readString(file);
      DECLARED.matcher(source).results().forEach(match -> types.add(match.group(1)));
      // Types of libraries count when some source file imports them.
      IMPORTED
          .matcher(source)
          .results()
          .flatMap(match -> List.of(match.group(1).split("\\.")).stream())
          .filter(name -> Character.isUpperCase(name.charAt(0)))
          .forEach(types::add);
    }
    List<String> unresolved = new ArrayList<>();
    Matcher quoted = QUOTED.matcher(FENCED.matcher(text).replaceAll(""));
    while (quoted.find()) {
      if (!resolves(quoted.group(1), tree, packages, types)) {
        unresolved.add(quoted.group(1));
      }
    }
    return unresolved;
  }

  private static boolean resolves(
      String name, SourceTree tree, Set<String> packages, Set<String> types) {
    Matcher qualified = QUALIFIED.matcher(name);
    if (qualified.matches()) {
      return packages.contains(qualified.group(1)) && types.contains(qualified.group(2));
    }
    if (PACKAGE.matcher(name).matches()) {
      return packages.contains(name);
    }
    if (PATH.matcher(name).matches()) {
      return pathExists(name, tree);
    }
    Matcher type = TYPE.matcher(name);
    return !type.matches() || types.contains(type.group(1)) || isJavaLang(type.group(1));
  }

  /** A path from the root, to a file or folder; may hold {@code *} and {@code {a,b}}. */
  private static boolean pathExists(String name, SourceTree tree) {
    if (!name.contains("*") && !name.contains("{")) {
      return Files.exists(tree.root().resolve(name));
    }
    var glob = tree.root().getFileSystem().getPathMatcher("glob:" + name.replaceAll("/$", "/**"));
    return tree.files().stream()
        .map(tree.root()::relativize)
        .anyMatch(path -> glob.matches(path) || matchesFolder(path, glob));
  }

  private static boolean matchesFolder(Path path, java.nio.file.PathMatcher glob) {
    for (Path folder = path.getParent(); folder != null; folder = folder.getParent()) {
      if (glob.matches(folder)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isJavaLang(String name) {
    try {
      Class.forName("java.lang." + name, false, null);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static String parent(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }
}
