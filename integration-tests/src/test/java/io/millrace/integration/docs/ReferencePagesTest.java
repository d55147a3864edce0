package io.millrace.integration.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.core.config.Setting;
import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.function.Example;
import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionFamily;
import io.millrace.core.function.FunctionRegistry;
import io.millrace.core.function.Signature;
import io.millrace.integration.architecture.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The pages under {@code docs/reference} are generated from the code; with {@code
 * -Dmillrace.update=true} these tests write them anew instead of comparing.
 */
class ReferencePagesTest {

  private static void check(String name, String expected) throws IOException {
    Path page = SourceTree.ofThisRepository().root().resolve("docs/reference").resolve(name);
    if (Boolean.getBoolean("millrace.update")) {
      Files.createDirectories(page.getParent());
      Files.writeString(page, expected);
    }
    assertEquals(
        expected,
        Files.exists(page) ? Files.readString(page) : "",
        page + " is out of date; run this test with -Dmillrace.update=true");
  }

  @Test
  void functions() throws IOException {
    List<FunctionFamily> families = new ArrayList<>();
    ServiceLoader.load(FunctionFamily.class, FunctionRegistry.class.getClassLoader())
        .forEach(families::add);
    families.sort(Comparator.comparing(FunctionFamily::name));
    StringBuilder page = new StringBuilder("# Functions\n\nGenerated from the code.\n");
    for (FunctionFamily family : families) {
      page.append("\n## ")
          .append(family.name().substring(0, 1).toUpperCase(Locale.ROOT))
          .append(family.name().substring(1))
          .append("\n\n");
      family.definitions().stream()
          .sorted(Comparator.comparing(FunctionDefinition::name))
          .forEach(definition -> append(page, definition));
    }
    check("functions.md", page.toString());
  }

  private static void append(StringBuilder page, FunctionDefinition definition) {
    page.append("**").append(definition.name()).append("** ").append(definition.summary());
    if (!definition.aliases().isEmpty()) {
      page.append(" Also ").append(String.join(", ", definition.aliases())).append('.');
    }
    page.append("\n\n");
    for (Signature signature : definition.signatures()) {
      page.append("    ")
          .append(definition.name())
          .append(FunctionRegistry.describe(signature))
          .append('\n');
    }
    for (Example example : definition.examples()) {
      page.append("    ")
          .append(example.sql())
          .append("  →  ")
          .append(example.result())
          .append('\n');
    }
    page.append('\n');
  }

  @Test
  void settings() throws IOException {
    StringBuilder page =
        new StringBuilder(
            "# Settings\n\nGenerated from the code. Set one with `--set name=value`, `SET name ="
                + " value`, `Configuration.with` or an environment variable"
                + " (`MILLRACE_BATCH_ROWS` for `batch.rows`).\n\n"
                + "| name | meaning | range | default |\n| --- | --- | --- | --- |\n");
    for (Setting<?> setting : Settings.all()) {
      page.append("| `")
          .append(setting.name())
          .append("` | ")
          .append(setting.description())
          .append(" | ")
          .append(setting.range())
          .append(" | ")
          .append(setting.defaultText().isEmpty() ? "(empty)" : setting.defaultText())
          .append(" |\n");
    }
    check("settings.md", page.toString());
  }

  @Test
  void errors() throws IOException {
    String rows =
        List.of(ErrorCode.values()).stream()
            .map(
                code ->
                    "| `"
                        + code.label()
                        + "` | "
                        + code.category()
                        + " | "
                        + code.category().exitCode()
                        + " | "
                        + (code.retryable() ? "yes" : "no")
                        + " |\n")
            .collect(Collectors.joining());
    check(
        "errors.md",
        "# Error codes\n\nGenerated from the code. A retryable error may go away when the same task"
            + " runs again.\n\n| code | category | exit code | retryable |\n| --- | --- | --- | ---"
            + " |\n"
            + rows);
  }
}
