package io.millrace.planner.sanity;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.FetchColumn;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlanCheckerTest {
  private static final Schema LONG = Schema.of(Field.nullable("a", DataType.INT64));
  private static final Schema REFERENCE =
      Schema.of(Field.nullable("image", new DataType.Reference(1, "image", DataType.BINARY)));

  private static PhysicalPlan values(Schema schema) {
    return new PhysicalPlan.Values(0, schema, List.of());
  }

  private static void assertInvalid(PhysicalPlan plan, String reason) {
    MillraceException failure =
        assertThrows(MillraceException.class, () -> PlanChecker.checkPhysical(plan));
    assertEquals(ErrorCode.INVALID_PLAN, failure.code());
    assertTrue(failure.getMessage().contains(reason), failure.getMessage());
    assertTrue(failure.getMessage().contains("Values"), "the plan is attached");
  }

  @Test
  void goodPlanPasses() {
    assertDoesNotThrow(
        () -> PlanChecker.checkPhysical(new PhysicalPlan.Limit(1, values(LONG), 0, 1)));
  }

  @Test
  void columnsAreInRange() {
    PhysicalExpression beyond = new PhysicalExpression.Input(1, DataType.INT64);
    assertInvalid(new PhysicalPlan.Project(1, values(LONG), List.of(beyond), LONG), "out of range");
  }

  @Test
  void columnsHaveTheTypeThatExpressionsExpect() {
    PhysicalExpression wrong = new PhysicalExpression.Input(0, DataType.INT32);
    assertInvalid(
        new PhysicalPlan.Project(
            1, values(LONG), List.of(wrong), Schema.of(Field.nullable("a", DataType.INT32))),
        "$0 is int32 and not int64");
  }

  @Test
  void predicatesAreBoolean() {
    assertInvalid(
        new PhysicalPlan.Filter(1, values(LONG), new PhysicalExpression.Input(0, DataType.INT64)),
        "predicate");
  }

  @Test
  void idsAreUnique() {
    assertInvalid(new PhysicalPlan.Limit(0, values(LONG), 0, 1), "id 0");
  }

  @Test
  void referencesDoNotLeaveThePlan() {
    assertInvalid(new PhysicalPlan.Limit(1, values(REFERENCE), 0, 1), "reference leaves");
  }

  @Test
  void referencesAreFetchedFromTheirOwnSource() {
    SourceReference other =
        new SourceReference(2, "fake", List.of("t"), Map.of(), Optional.empty());
    assertInvalid(
        new PhysicalPlan.Fetch(
            1,
            values(REFERENCE),
            other,
            List.of(new FetchColumn(0, "image", Field.nullable("image", DataType.BINARY)))),
        "no reference to its source");
  }
}
