package io.millrace.integration.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import java.util.regex.Pattern;

/** The compiled classes of all modules; tests, test fixtures and generated code left out. */
final class MillraceClasses {

  private static final Pattern TEST_CODE =
      Pattern.compile(".*(/test-classes/|-tests\\.jar|/io/millrace/(testkit|integration)/).*");

  /** Written by JavaCC, in its own style. */
  private static final Pattern GENERATED =
      Pattern.compile(".*/io/millrace/planner/sql/parser/impl/.*");

  private MillraceClasses() {}

  static JavaClasses load() {
    ImportOption mainCode =
        (Location location) -> !location.matches(TEST_CODE) && !location.matches(GENERATED);
    return new ClassFileImporter().withImportOption(mainCode).importPackages("io.millrace");
  }
}
