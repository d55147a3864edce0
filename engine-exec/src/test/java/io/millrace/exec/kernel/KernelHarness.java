package io.millrace.exec.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.DictionaryVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.function.FunctionRegistry;
import io.millrace.core.function.Parameter;
import io.millrace.core.function.ResolvedFunction;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.expression.CompiledExpression;
import io.millrace.exec.expression.CompiledPredicate;
import io.millrace.exec.expression.ExpressionCompiler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * Runs expressions over the same values in every form of column (flat, dictionary, sliced, with a
 * selection, one argument constant) and compares with a reference. Close fails on a leak.
 */
public final class KernelHarness implements AutoCloseable {
  private final BufferAllocator allocator = new RootAllocator();
  private final ExpressionCompiler compiler = ExpressionCompiler.discovered();
  private final FunctionRegistry functions = FunctionRegistry.builtIn();

  /** How the values of a column are held. */
  public enum Form {
    FLAT,
    DICTIONARY,
    SLICED
  }

  public BufferAllocator allocator() {
    return allocator;
  }

  /** The call of a function over columns of these types, with its defaults as constants. */
  public PhysicalExpression call(String function, DataType... types) {
    PhysicalExpression[] inputs = new PhysicalExpression[types.length];
    for (int index = 0; index < types.length; index++) {
      inputs[index] = new PhysicalExpression.Input(index, types[index]);
    }
    return callOf(function, inputs);
  }

  /** The call of a function over any arguments; those of another type are cast. */
  public PhysicalExpression callOf(String function, PhysicalExpression... arguments) {
    List<Optional<Object>> constants = new ArrayList<>();
    List<DataType> types = new ArrayList<>();
    for (PhysicalExpression argument : arguments) {
      types.add(argument.type());
      constants.add(
          argument instanceof PhysicalExpression.Constant constant
              ? Optional.of(constant.value() == null ? Parameter.NULL : constant.value())
              : Optional.empty());
    }
    ResolvedFunction resolved = functions.resolve(function, types, constants);
    List<PhysicalExpression> bound = new ArrayList<>();
    for (int index = 0; index < arguments.length; index++) {
      DataType wanted = resolved.argumentTypes().get(index);
      bound.add(
          wanted.equals(types.get(index))
              ? arguments[index]
              : new PhysicalExpression.Cast(arguments[index], wanted, false));
    }
    for (int index = 0; index < resolved.defaults().size(); index++) {
      Object value = resolved.defaults().get(index);
      bound.add(
          new PhysicalExpression.Constant(
              Parameter.NULL.equals(value) ? null : value,
              resolved.argumentTypes().get(arguments.length + index)));
    }
    return new PhysicalExpression.Call(resolved.definition().name(), bound, resolved.resultType());
  }

  /** Checks a function of the registry over rows of arguments. */
  public void check(
      String function,
      List<DataType> types,
      List<List<Object>> rows,
      Function<List<Object>, Object> reference) {
    PhysicalExpression expression = call(function, types.toArray(DataType[]::new));
    check(expression, types, rows, reference);
  }

  /** Checks an expression over rows of input values, in every form. */
  public void check(
      PhysicalExpression expression,
      List<DataType> types,
      List<List<Object>> rows,
      Function<List<Object>, Object> reference) {
    List<Object> expected = new ArrayList<>();
    rows.forEach(row -> expected.add(reference.apply(row)));
    for (Form form : Form.values()) {
      String name = expression + " over " + form;
      assertValues(name, expected, values(expression, types, rows, form, null), null);
      int[] odd = odd(rows.size());
      assertValues(name + " odd", expected, values(expression, types, rows, form, odd), odd);
      if (expression.type() instanceof DataType.Bool) {
        assertTrue(name, expected, select(expression, types, rows, form, null), null);
        assertTrue(name + " odd", expected, select(expression, types, rows, form, odd), odd);
      }
    }
    for (int row = 0; row < Math.min(rows.size(), 50); row++) {
      Object value = constantValue(expression, types, rows.get(row));
      assertEquals(
          text(expected.get(row)),
          text(value),
          expression + " of constants " + text(rows.get(row)));
    }
  }

  private static int[] odd(int rowCount) {
    int[] odd = new int[rowCount / 2];
    Arrays.setAll(odd, index -> 2 * index + 1);
    return odd;
  }

  private static void assertValues(
      String name, List<Object> expected, List<Object> found, int[] selection) {
    int count = selection == null ? expected.size() : selection.length;
    for (int position = 0; position < count; position++) {
      int row = selection == null ? position : selection[position];
      assertEquals(text(expected.get(row)), text(found.get(row)), name + ", row " + row);
    }
  }

  private static void assertTrue(String name, List<Object> expected, int[] found, int[] selection) {
    List<Integer> wanted = new ArrayList<>();
    int count = selection == null ? expected.size() : selection.length;
    for (int position = 0; position < count; position++) {
      int row = selection == null ? position : selection[position];
      if (Boolean.TRUE.equals(expected.get(row))) {
        wanted.add(row);
      }
    }
    assertEquals(wanted, Arrays.stream(found).boxed().toList(), name + " as predicate");
  }

  /** One text per value: bytes and arrays by content. */
  public static String text(Object value) {
    return switch (value) {
      case null -> "null";
      case byte[] bytes -> Arrays.toString(bytes);
      case float[] numbers -> Arrays.toString(numbers);
      case double[] numbers -> Arrays.toString(numbers);
      case List<?> list -> list.stream().map(KernelHarness::text).toList().toString();
      default -> value.getClass().getSimpleName() + ":" + value;
    };
  }

  /** The value for each physical row; for rows outside of the selection anything. */
  public List<Object> values(
      PhysicalExpression expression,
      List<DataType> types,
      List<List<Object>> rows,
      Form form,
      int[] selection) {
    try (Batch batch = batch(types, rows, form, selection);
        CompiledExpression compiled = compiler.compile(expression, allocator);
        ColumnVector result = compiled.evaluate(batch)) {
      assertEquals(rows.size(), result.length());
      List<Object> values = new ArrayList<>();
      boolean[] wanted = new boolean[rows.size()];
      Arrays.fill(wanted, selection == null);
      for (int position = 0; selection != null && position < selection.length; position++) {
        wanted[selection[position]] = true;
      }
      for (int row = 0; row < result.length(); row++) {
        values.add(wanted[row] ? result.valueAt(row) : null);
      }
      return values;
    }
  }

  /** The rows for which a predicate is true. */
  public int[] select(
      PhysicalExpression predicate,
      List<DataType> types,
      List<List<Object>> rows,
      Form form,
      int[] selection) {
    try (Batch batch = batch(types, rows, form, selection);
        CompiledPredicate compiled = compiler.compilePredicate(predicate, allocator)) {
      int[] found = new int[batch.rowCount()];
      return Arrays.copyOf(found, compiled.select(batch, found));
    }
  }

  private Object constantValue(
      PhysicalExpression expression, List<DataType> types, List<Object> row) {
    List<ColumnVector> columns = new ArrayList<>();
    for (int index = 0; index < types.size(); index++) {
      columns.add(ConstantVector.of(types.get(index), row.get(index), 3, allocator));
    }
    try (Batch batch = new Batch(schema(types), columns, 3);
        CompiledExpression compiled = compiler.compile(expression, allocator);
        ColumnVector result = compiled.evaluate(batch)) {
      return result.valueAt(2);
    }
  }

  /** A batch of rows in a form. */
  public Batch batch(List<DataType> types, List<List<Object>> rows, Form form, int[] selection) {
    List<ColumnVector> columns = new ArrayList<>();
    for (int index = 0; index < types.size(); index++) {
      int column = index;
      List<Object> values = new ArrayList<>();
      rows.forEach(row -> values.add(row.get(column)));
      columns.add(column(types.get(index), values, form));
    }
    Batch batch = new Batch(schema(types), columns, rows.size());
    return selection == null ? batch : batch.withSelection(selection.clone(), selection.length);
  }

  private static Schema schema(List<DataType> types) {
    List<Field> fields = new ArrayList<>();
    for (int index = 0; index < types.size(); index++) {
      fields.add(Field.nullable("c" + index, types.get(index)));
    }
    return new Schema(fields);
  }

  /** A column of values in a form. */
  public ColumnVector column(DataType type, List<Object> values, Form form) {
    return switch (form) {
      case FLAT -> flat(type, values);
      case SLICED -> {
        List<Object> padded = new ArrayList<>();
        Object filler = values.isEmpty() ? null : values.getLast();
        padded.addAll(Arrays.asList(filler, null, filler));
        padded.addAll(values);
        padded.add(filler);
        try (FlatVector whole = flat(type, padded)) {
          yield whole.slice(3, values.size());
        }
      }
      case DICTIONARY -> dictionary(type, values);
    };
  }

  private ColumnVector dictionary(DataType type, List<Object> values) {
    List<Object> entries = new ArrayList<>();
    List<Object> codes = new ArrayList<>();
    for (Object value : values) {
      int code = -1;
      for (int entry = 0; entry < entries.size() && code < 0; entry++) {
        code = text(entries.get(entry)).equals(text(value)) ? entry : -1;
      }
      if (code < 0 && value != null) {
        code = entries.size();
        entries.add(value);
      }
      codes.add(value == null ? null : code);
    }
    if (type instanceof DataType.Null) {
      return flat(type, values);
    }
    return new DictionaryVector(flat(DataType.INT32, codes), flat(type, entries));
  }

  private FlatVector flat(DataType type, List<Object> values) {
    try (VectorBuilder builder = new VectorBuilder(type, allocator)) {
      values.forEach(builder::appendValue);
      return builder.finish();
    }
  }

  /** Checks that a row fails with this code when it is selected, and only then. */
  public void checkFails(
      PhysicalExpression expression,
      List<DataType> types,
      List<Object> bad,
      List<Object> good,
      ErrorCode code) {
    List<List<Object>> rows = List.of(good, bad, good, good);
    for (Form form : Form.values()) {
      MillraceException fault =
          assertThrows(
              MillraceException.class,
              () -> values(expression, types, rows, form, null),
              expression + " over " + form);
      assertEquals(code, fault.code(), fault.getMessage());
      values(expression, types, rows, form, new int[] {0, 2, 3});
    }
  }

  @Override
  public void close() {
    allocator.close();
  }
}
