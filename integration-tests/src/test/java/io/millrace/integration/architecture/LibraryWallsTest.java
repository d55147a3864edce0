package io.millrace.integration.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which package may use which library, and the few language features that need care. */
class LibraryWallsTest {

  private static JavaClasses classes;

  @BeforeAll
  static void loadClasses() {
    classes = MillraceClasses.load();
  }

  @Test
  void calciteOnlyInThePlanner() {
    onlyIn(
        "describe queries by core's Expr and PhysicalPlan instead",
        new String[] {"io.millrace.planner.."},
        "org.apache.calcite..");
  }

  @Test
  void calciteNotInSignaturesOfThePlannersApi() {
    classes()
        .that()
        .resideInAnyPackage("io.millrace.planner", "io.millrace.planner.dataframe..")
        .should(haveNoCalciteInPublicSignatures())
        .because(
            "users of Session and DataFrame must not need Calcite: take and return core's types,"
                + " or make the member package-private")
        .allowEmptyShould(true)
        .check(classes);
  }

  @Test
  void akkaOnlyInTheActorPackages() {
    onlyIn(
        "talk to actors through a plain interface of cluster.protocol, cluster.schedule or"
            + " udf.pool",
        new String[] {"io.millrace.cluster.actor..", "io.millrace.udf.actor.."},
        "akka..");
  }

  @Test
  void localUdfPoolLoadsNoAkka() {
    noClasses()
        .that()
        .resideInAPackage("io.millrace.udf.pool..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.millrace.udf.actor..", "akka..")
        .because("a local run must not load Akka: turn the dependency round, actor sees pool")
        .allowEmptyShould(true)
        .check(classes);
  }

  @Test
  void flightOnlyInTheCluster() {
    onlyIn(
        "exchange batches through core's spi",
        new String[] {"io.millrace.cluster.."},
        "org.apache.arrow.flight..",
        "io.grpc..");
  }

  @Test
  void lanceNativeApiOnlyInItsPackage() {
    onlyIn(
        "call the guarded methods of io.millrace.lance.jni instead: they check what aborts the JVM",
        new String[] {"io.millrace.lance.jni.."},
        "org.lance..",
        "org.apache.arrow.dataset..");
  }

  @Test
  void mediaNativesOnlyInTheMediaPackages() {
    onlyIn(
        "use the decoders and encoders of io.millrace.exec.media",
        new String[] {"io.millrace.exec.media.."},
        "org.opencv..",
        "nu.pattern..",
        "org.bytedeco..");
  }

  @Test
  void parquetLibrariesOnlyInTheParquetFormat() {
    onlyIn(
        "use the reader and writer of io.millrace.exec.format.parquet",
        new String[] {"io.millrace.exec.format.parquet.."},
        "org.apache.parquet..",
        "dev.hardwood..");
  }

  @Test
  void hadoopNowhere() {
    onlyIn(
        "Hadoop is not on the run-time class path: see the comment in engine-exec/pom.xml",
        new String[] {},
        "org.apache.hadoop..");
  }

  @Test
  void kryoOnlyWhereUserCodeTravels() {
    onlyIn(
        "plans and messages of core and planner use core's own tagged codec",
        new String[] {"io.millrace.udf..", "io.millrace.cluster.actor..", "io.millrace.examples.."},
        "com.esotericsoftware..");
  }

  @Test
  void picocliOnlyInTheCommandLine() {
    onlyIn(
        "parse arguments in cluster.cli", new String[] {"io.millrace.cluster.cli.."}, "picocli..");
  }

  @Test
  void operatorsAndKernelsSeeNoArrowVectors() {
    noClasses()
        .that()
        .resideInAnyPackage("io.millrace.exec.operator..", "io.millrace.exec.kernel..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.arrow.vector..")
        .because("operators and kernels read ColumnVector; Arrow's own vectors end at the formats")
        .allowEmptyShould(true)
        .check(classes);
  }

  @Test
  void servicesAreFoundWithTheEnginesClassLoader() {
    noClasses()
        .should()
        .callMethod(ServiceLoader.class, "load", Class.class)
        .orShould()
        .callMethod(Thread.class, "getContextClassLoader")
        .because(
            "the thread's class loader may be a job's: call ServiceLoader.load(type,"
                + " type.getClassLoader()) or pass the job's loader explicitly")
        .allowEmptyShould(true)
        .check(classes);
  }

  @Test
  void standardOutputIsForRows() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "io.millrace.cluster.cli..", "io.millrace.examples..", "io.millrace.benchmarks..")
        .should()
        .accessField(System.class, "out")
        .orShould()
        .callMethod(System.class, "exit", int.class)
        .because("only the command line prints and exits: use slf4j, or throw a MillraceException")
        .check(classes);
  }

  @Test
  void noProcessWideMutableState() {
    fields()
        .that()
        .areStatic()
        .and(describe("are not synthetic", LibraryWallsTest::isWritten))
        .should()
        .beFinal()
        .because("state belongs to an object that is passed in, such as a Session")
        .allowEmptyShould(true)
        .check(classes);
  }

  private static boolean isWritten(JavaField field) {
    return !field.getModifiers().contains(JavaModifier.SYNTHETIC);
  }

  /** Millrace's classes use the library's packages only in the given packages of ours. */
  private static void onlyIn(String replacement, String[] allowed, String... libraryPackages) {
    noClasses()
        .that(describe("reside outside of " + Set.of(allowed), type -> !isIn(allowed, type)))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(libraryPackages)
        .because(replacement)
        .allowEmptyShould(true)
        .check(classes);
  }

  private static boolean isIn(String[] packages, JavaClass type) {
    return packages.length > 0 && resideInAnyPackage(packages).test(type);
  }

  private static ArchCondition<JavaClass> haveNoCalciteInPublicSignatures() {
    return new ArchCondition<>("have no Calcite type in a public or protected signature") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        if (!type.getModifiers().contains(JavaModifier.PUBLIC)) {
          return;
        }
        for (JavaMember member : type.getMembers()) {
          boolean visible =
              member.getModifiers().contains(JavaModifier.PUBLIC)
                  || member.getModifiers().contains(JavaModifier.PROTECTED);
          if (visible && !member.getModifiers().contains(JavaModifier.SYNTHETIC)) {
            involvedTypes(member).stream()
                .filter(used -> used.getPackageName().startsWith("org.apache.calcite"))
                .forEach(
                    used ->
                        events.add(
                            SimpleConditionEvent.violated(
                                member, member.getFullName() + " names " + used.getName())));
          }
        }
      }
    };
  }

  private static Set<JavaClass> involvedTypes(JavaMember member) {
    return switch (member) {
      case JavaField field -> field.getAllInvolvedRawTypes();
      case JavaCodeUnit unit -> unit.getAllInvolvedRawTypes();
      default -> Set.of();
    };
  }
}
