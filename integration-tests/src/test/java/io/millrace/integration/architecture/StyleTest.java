package io.millrace.integration.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Size limits and names, over the main and test sources of all modules. */
class StyleTest {

  private static final int MAX_FILE_LINES = 800;
  private static final int MAX_METHOD_LINES = 70;
  private static final Pattern EMPTY_NAME =
      Pattern.compile(".*(Utils?|Helpers?|Common|Managers?)$");
  private static final Pattern GET_PREFIX = Pattern.compile("get[A-Z].*");

  private static SourceTree tree;
  private static final List<String> longMethods = new ArrayList<>();
  private static final List<String> emptyNames = new ArrayList<>();
  private static final List<String> getPrefixes = new ArrayList<>();

  @BeforeAll
  static void readSources() throws IOException {
    tree = SourceTree.ofThisRepository();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  files,
                  null,
                  null,
                  null,
                  files.getJavaFileObjectsFromPaths(tree.javaFiles()));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        unit.accept(new Inspection(unit, positions), null);
      }
    }
  }

  @Test
  void filesStayBelowTheLimit() throws IOException {
    List<String> longFiles = new ArrayList<>();
    for (Path file : tree.javaFiles()) {
      long lines;
      try (var content = Files.lines(file)) {
        lines = content.count();
      }
      if (lines > MAX_FILE_LINES) {
        longFiles.add(tree.relative(file) + ": " + lines + " lines");
      }
    }
    assertNone(
        longFiles,
        "files have more than " + MAX_FILE_LINES + " lines: one concept per file, split");
  }

  @Test
  void methodsStayBelowTheLimit() {
    assertNone(
        longMethods,
        "methods have more than " + MAX_METHOD_LINES + " lines: move steps into named methods");
  }

  @Test
  void namesSayWhatTheThingIs() {
    assertNone(
        emptyNames,
        "types are named *Util(s), *Helper(s), *Common or *Manager: name the thing it is, or move"
            + " the method to the type it works on");
  }

  @Test
  void accessorsHaveNoGetPrefix() {
    assertNone(
        getPrefixes,
        "methods start with get: write name() for an accessor, or the verb (find, read, take)");
  }

  @Test
  void everyPackageSaysWhatItIsFor() {
    Set<String> packages = new TreeSet<>();
    Set<String> described = new TreeSet<>();
    Pattern source = Pattern.compile("[^/]+/src/(main|test)/java/(.+)/([^/]+)\\.java");
    for (Path file : tree.javaFiles()) {
      var matcher = source.matcher(tree.relative(file));
      if (matcher.matches()) {
        packages.add(matcher.group(2));
        if (matcher.group(3).equals("package-info")) {
          described.add(matcher.group(2));
        }
      }
    }
    packages.removeAll(described);
    assertNone(
        List.copyOf(packages), "packages have no package-info.java: say in one what they are for");
  }

  private static void assertNone(List<String> offenders, String message) {
    assertEquals(List.of(), offenders, message);
  }

  /** Collects what one file breaks. */
  private static final class Inspection extends TreeScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final LineMap lines;

    Inspection(CompilationUnitTree unit, SourcePositions positions) {
      this.unit = unit;
      this.positions = positions;
      this.lines = unit.getLineMap();
    }

    @Override
    public Void visitClass(ClassTree type, Void nothing) {
      if (EMPTY_NAME.matcher(type.getSimpleName()).matches()) {
        emptyNames.add(at(type) + " " + type.getSimpleName());
      }
      for (Tree member : type.getMembers()) {
        if (member instanceof BlockTree initializer) {
          checkLength(initializer, "initializer");
        }
      }
      return super.visitClass(type, nothing);
    }

    @Override
    public Void visitMethod(MethodTree method, Void nothing) {
      String name = method.getName().toString();
      checkLength(method, name);
      boolean overrides =
          method.getModifiers().getAnnotations().stream()
              .anyMatch(annotation -> annotation.getAnnotationType().toString().equals("Override"));
      if (GET_PREFIX.matcher(name).matches() && !overrides) {
        getPrefixes.add(at(method) + " " + name);
      }
      return super.visitMethod(method, nothing);
    }

    private void checkLength(Tree tree, String name) {
      long first = lines.getLineNumber(positions.getStartPosition(unit, tree));
      long last = lines.getLineNumber(positions.getEndPosition(unit, tree));
      if (last - first + 1 > MAX_METHOD_LINES) {
        longMethods.add(at(tree) + " " + name + ": " + (last - first + 1) + " lines");
      }
    }

    private String at(Tree position) {
      return tree.relative(Path.of(unit.getSourceFile().toUri()))
          + ":"
          + lines.getLineNumber(positions.getStartPosition(unit, position));
    }
  }
}
