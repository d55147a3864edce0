package io.millrace.core.function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.ImageMode;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FunctionRegistryTest {
  private final FunctionRegistry registry = FunctionRegistry.builtIn();

  private DataType result(String function, DataType... arguments) {
    return registry
        .resolve(
            function, List.of(arguments), Collections.nCopies(arguments.length, Optional.empty()))
        .resultType();
  }

  @Test
  void arithmeticFollowsTheTypeRules() {
    assertEquals(DataType.INT32, result("add", DataType.INT32, DataType.INT32));
    assertEquals(DataType.INT64, result("add", DataType.INT32, DataType.INT64));
    assertEquals(DataType.INT64, result("add", DataType.UINT32, DataType.INT32));
    assertEquals(DataType.FLOAT64, result("multiply", DataType.INT64, DataType.FLOAT32));
    assertEquals(
        DataType.decimal(16, 2), result("add", DataType.decimal(15, 2), DataType.decimal(15, 2)));
    assertEquals(
        DataType.decimal(30, 4),
        result("multiply", DataType.decimal(15, 2), DataType.decimal(15, 2)));
    assertEquals(
        DataType.decimal(13, 2), result("subtract", DataType.INT32, DataType.decimal(12, 2)));
  }

  @Test
  void productOfThreeDecimalsIsCappedNotRefused() {
    DataType two = result("multiply", DataType.decimal(16, 2), DataType.decimal(16, 2));
    DataType three = result("multiply", two, DataType.decimal(16, 2));
    assertEquals(DataType.decimal(38, 6), three);
  }

  @Test
  void aggregatesFollowTheTypeRules() {
    assertEquals(DataType.INT64, result("sum", DataType.INT32));
    assertEquals(DataType.decimal(38, 0), result("sum", DataType.INT64));
    assertEquals(DataType.decimal(38, 2), result("sum", DataType.decimal(15, 2)));
    assertEquals(DataType.FLOAT64, result("avg", DataType.INT32));
    assertEquals(DataType.INT64, result("count"));
  }

  @Test
  void constantTextTakesTheOtherType() {
    ResolvedFunction call =
        registry.resolve(
            "ge",
            List.of(DataType.DATE, DataType.STRING),
            List.of(Optional.empty(), Optional.of("2020-01-01")));
    assertEquals(List.of(DataType.DATE, DataType.DATE), call.argumentTypes());
    assertThrows(MillraceException.class, () -> result("ge", DataType.DATE, DataType.STRING));
  }

  @Test
  void imagesGetTheirShapeFromConstants() {
    ResolvedFunction decode =
        registry.resolve("decode_image", List.of(DataType.BINARY), List.of(Optional.empty()));
    assertEquals(new DataType.Image(Optional.of(ImageMode.RGB)), decode.resultType());
    assertEquals(List.of("raise", "RGB"), decode.defaults());
    ResolvedFunction resize =
        registry.resolve(
            "resize",
            List.of(decode.resultType(), DataType.INT32, DataType.INT32),
            Arrays.asList(Optional.empty(), Optional.of(224), Optional.of(200)));
    assertEquals(new DataType.FixedShapeImage(ImageMode.RGB, 200, 224), resize.resultType());
  }

  @Test
  void anUnknownFunctionNamesTheNearest() {
    MillraceException error =
        assertThrows(MillraceException.class, () -> result("lenght", DataType.STRING));
    assertEquals(ErrorCode.UNKNOWN_FUNCTION, error.code());
    assertTrue(error.getMessage().contains("'length'"), error.getMessage());
  }

  @Test
  void wrongTypesListTheSignatures() {
    MillraceException error =
        assertThrows(MillraceException.class, () -> result("upper", DataType.INT32));
    assertEquals(ErrorCode.TYPE_MISMATCH, error.code());
    assertTrue(error.getMessage().contains("upper(value string)"), error.getMessage());
  }

  @Test
  void aSecondFunctionOfANameIsRefused() {
    FunctionDefinition again = registry.require("upper").alias();
    assertThrows(IllegalStateException.class, () -> new FunctionRegistry(List.of(again, again)));
  }

  @Test
  void everyFunctionIsDocumented() {
    for (FunctionDefinition definition : registry.definitions()) {
      assertFalse(definition.summary().isBlank(), definition.name());
      assertTrue(definition.summary().endsWith("."), definition.name());
    }
  }
}
