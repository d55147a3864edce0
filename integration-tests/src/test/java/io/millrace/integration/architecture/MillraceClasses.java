package io.millrace.integration.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import java.util.regex.Pattern;

/** The compiled classes of all modules, tests and test fixtures left out. */
final class MillraceClasses {

  private static final Pattern TEST_CODE =
      Pattern.compile(".*(/test-classes/|-tests\\.jar|/io/millrace/(testkit|integration)/).*");

  private MillraceClasses() {}

  static JavaClasses load() {
    ImportOption mainCode = (Location location) -> !location.matches(TEST_CODE);
    return new ClassFileImporter().withImportOption(mainCode).importPackages("io.millrace");
  }
}
