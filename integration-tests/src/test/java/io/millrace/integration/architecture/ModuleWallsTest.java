package io.millrace.integration.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which module may see which. */
class ModuleWallsTest {

  /** Root package of each module's main code. */
  private static final Map<String, String> ROOT_PACKAGES =
      Map.of(
          "engine-core", "io.millrace.core",
          "testkit", "io.millrace.testkit",
          "engine-planner", "io.millrace.planner",
          "engine-exec", "io.millrace.exec",
          "udf", "io.millrace.udf",
          "lance-connector", "io.millrace.lance",
          "engine-cluster", "io.millrace.cluster",
          "examples", "io.millrace.examples",
          "engine-kotlin", "io.millrace.kotlin",
          "benchmarks", "io.millrace.benchmarks");

  /** What a module may see beside itself; examples and benchmarks see everything. */
  private static final Map<String, Set<String>> VISIBLE =
      Map.of(
          "engine-core", Set.of(),
          "testkit", Set.of("engine-core"),
          "engine-planner", Set.of("engine-core"),
          "engine-exec", Set.of("engine-core"),
          "udf", Set.of("engine-core"),
          "lance-connector", Set.of("engine-core"),
          "engine-cluster",
              Set.of("engine-core", "engine-planner", "engine-exec", "udf", "lance-connector"),
          "engine-kotlin", Set.of("engine-core", "engine-planner"));

  private static JavaClasses classes;

  @BeforeAll
  static void loadClasses() {
    classes = MillraceClasses.load();
  }

  static Set<String> modulesWithWalls() {
    return VISIBLE.keySet();
  }

  @ParameterizedTest
  @MethodSource("modulesWithWalls")
  void moduleSeesOnlyWhatTheDesignAllows(String module) {
    Set<String> visible = VISIBLE.get(module);
    String[] forbidden =
        ROOT_PACKAGES.entrySet().stream()
            .filter(entry -> !entry.getKey().equals(module) && !visible.contains(entry.getKey()))
            .map(entry -> entry.getValue() + "..")
            .sorted()
            .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage(ROOT_PACKAGES.get(module) + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(forbidden)
        .because(
            module
                + " sees only "
                + (visible.isEmpty() ? "itself" : "itself and " + visible)
                + ": put the shared contract into engine-core's spi package and find the"
                + " implementation by ServiceLoader")
        .allowEmptyShould(true)
        .check(classes);
  }

  @Test
  void mainCodeLiesInTheRootPackageOfItsModule() throws IOException {
    SourceTree tree = SourceTree.ofThisRepository();
    List<String> strays = new ArrayList<>();
    for (Path file : tree.javaFiles()) {
      String path = tree.relative(file);
      int sources = path.indexOf("/src/main/java/");
      if (sources < 0) {
        continue;
      }
      String module = path.substring(0, sources);
      String root = ROOT_PACKAGES.get(module);
      if (root == null) {
        strays.add(path + ": module " + module + " has no root package in ModuleWallsTest");
      } else if (!path.startsWith("/src/main/java/" + root.replace('.', '/') + "/", sources)) {
        strays.add(path + ": belongs below package " + root);
      }
    }
    assertEquals(List.of(), strays);
  }

  @Test
  void classesOfEveryModuleAreChecked() {
    Map<String, Boolean> seen = new TreeMap<>();
    for (String module :
        Set.of("engine-core", "engine-planner", "engine-exec", "lance-connector", "udf")) {
      String prefix = ROOT_PACKAGES.get(module) + ".";
      seen.put(
          module,
          classes.stream().anyMatch(type -> (type.getPackageName() + ".").startsWith(prefix)));
    }
    assertTrue(
        !seen.containsValue(false),
        () -> "modules without classes on the test's class path, so nothing holds them: " + seen);
  }
}
