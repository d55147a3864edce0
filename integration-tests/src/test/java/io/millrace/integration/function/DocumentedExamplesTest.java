package io.millrace.integration.function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.error.MillraceException;
import io.millrace.core.function.Example;
import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionRegistry;
import io.millrace.planner.dataframe.Session;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the documentation of a function shows is what it gives. */
class DocumentedExamplesTest {

  @Test
  void examplesGiveTheResultsThatTheyShow() {
    List<String> wrong = new ArrayList<>();
    int run = 0;
    try (Session session = Session.local()) {
      for (FunctionDefinition definition : FunctionRegistry.builtIn().definitions()) {
        for (Example example : definition.examples()) {
          run++;
          String found = result(session, example.sql());
          if (!found.equals(example.result())) {
            wrong.add(example.sql() + " gives " + found + ", not " + example.result());
          }
        }
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(run > 60, "examples run: " + run);
  }

  private static String result(Session session, String expression) {
    try {
      return text(session.sql("SELECT " + expression).collect().getFirst().value(0));
    } catch (MillraceException failure) {
      return failure.code() + ": " + failure.getMessage();
    }
  }

  private static String text(Object value) {
    return switch (value) {
      case null -> "NULL";
      case BigDecimal decimal -> decimal.toPlainString();
      default -> String.valueOf(value);
    };
  }
}
