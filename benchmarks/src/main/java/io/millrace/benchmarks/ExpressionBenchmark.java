package io.millrace.benchmarks;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.PhysicalExpression.Call;
import io.millrace.core.plan.PhysicalExpression.Constant;
import io.millrace.core.plan.PhysicalExpression.Input;
import io.millrace.core.plan.PhysicalExpression.Logical;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.expression.CompiledExpression;
import io.millrace.exec.expression.CompiledPredicate;
import io.millrace.exec.expression.ExpressionCompiler;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Time per row of the expressions that analytical queries spend their time in. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(ExpressionBenchmark.ROWS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "--add-opens=java.base/java.nio=ALL-UNNAMED",
      "--enable-native-access=ALL-UNNAMED",
      "--sun-misc-unsafe-memory-access=allow"
    })
public class ExpressionBenchmark {
  static final int ROWS = 16_384;

  private static final DataType MONEY = DataType.decimal(15, 2);
  private static final Input DATE = new Input(0, DataType.DATE);
  private static final Input PRICE = new Input(1, MONEY);
  private static final Input DISCOUNT = new Input(2, MONEY);
  private static final Input COMMENT = new Input(3, DataType.STRING);

  private BufferAllocator allocator;
  private Batch batch;
  private CompiledPredicate range;
  private CompiledPredicate contains;
  private CompiledExpression revenue;
  private final int[] rows = new int[ROWS];

  /** Fills a batch like rows of lineitem. */
  @Setup
  public void open() {
    allocator = new RootAllocator();
    Schema schema =
        new Schema(
            List.of(
                Field.required("date", DataType.DATE),
                Field.required("price", MONEY),
                Field.required("discount", MONEY),
                Field.required("comment", DataType.STRING)));
    Random random = new Random(1);
    try (VectorBuilder dates = new VectorBuilder(DataType.DATE, allocator);
        VectorBuilder prices = new VectorBuilder(MONEY, allocator);
        VectorBuilder discounts = new VectorBuilder(MONEY, allocator);
        VectorBuilder comments = new VectorBuilder(DataType.STRING, allocator)) {
      for (int row = 0; row < ROWS; row++) {
        dates.appendValue(LocalDate.of(1992, 1, 1).plusDays(random.nextInt(2500)));
        prices.appendValue(BigDecimal.valueOf(90_000 + random.nextInt(10_000_000), 2));
        discounts.appendValue(BigDecimal.valueOf(random.nextInt(11), 2));
        comments.appendValue(
            "furiously "
                + random.nextInt(1000)
                + (row % 50 == 0 ? " special" : " even")
                + " deposits");
      }
      List<ColumnVector> columns =
          List.of(dates.finish(), prices.finish(), discounts.finish(), comments.finish());
      batch = new Batch(schema, columns, ROWS);
    }
    ExpressionCompiler compiler = ExpressionCompiler.discovered();
    range =
        compiler.compilePredicate(
            new Logical(
                true,
                List.of(
                    compare("ge", DATE, LocalDate.of(1994, 1, 1)),
                    compare("lt", DATE, LocalDate.of(1995, 1, 1)),
                    compare("ge", DISCOUNT, new BigDecimal("0.05")),
                    compare("le", DISCOUNT, new BigDecimal("0.07")))),
            allocator);
    contains = compiler.compilePredicate(compare("like", COMMENT, "%special%deposits%"), allocator);
    DataType difference = DataType.decimal(16, 2);
    PhysicalExpression left =
        new Call(
            "subtract", List.of(new Constant(new BigDecimal("1.00"), MONEY), DISCOUNT), difference);
    revenue =
        compiler.compile(
            new Call("multiply", List.of(PRICE, left), DataType.decimal(31, 4)), allocator);
  }

  private static PhysicalExpression compare(String function, Input input, Object value) {
    return new Call(function, List.of(input, new Constant(value, input.type())), DataType.BOOLEAN);
  }

  @TearDown
  public void close() {
    range.close();
    contains.close();
    revenue.close();
    batch.close();
    allocator.close();
  }

  /** Four comparisons of dates and decimals. */
  @Benchmark
  public int range() {
    return range.select(batch, rows);
  }

  /** LIKE with two pieces. */
  @Benchmark
  public int contains() {
    return contains.select(batch, rows);
  }

  /** Price times one minus discount. */
  @Benchmark
  public int revenue() {
    try (ColumnVector column = revenue.evaluate(batch)) {
      return column.length();
    }
  }
}
