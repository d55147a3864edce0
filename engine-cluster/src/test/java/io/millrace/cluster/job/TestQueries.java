package io.millrace.cluster.job;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Configuration;
import io.millrace.core.memory.RootMemory;
import io.millrace.core.plan.Partitioning;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.ObjectStores;
import io.millrace.core.spi.QueryRequest;
import io.millrace.core.spi.ResultStream;
import io.millrace.core.spi.RunnerProvider;
import io.millrace.core.spi.UdfInvoker;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.udf.ScalarFunctions;
import io.millrace.core.udf.UdfImplementation;
import io.millrace.core.udf.UdfOptions;
import io.millrace.core.udf.UdfReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.LongStream;

/** Hand-made plans over numbers, and what a runner needs in tests. */
final class TestQueries {
  static final Schema NUMBERS = Schema.of(Field.nullable("n", DataType.INT64));

  private TestQueries() {}

  static RunnerProvider.RunnerContext context(RootMemory memory, Configuration configuration) {
    ObjectStores stores = ServiceLoader.load(ObjectStores.class).findFirst().orElseThrow();
    return new RunnerProvider.RunnerContext(
        new ConnectorContext(memory.allocator(), ForkJoinPool.commonPool(), stores, configuration),
        memory,
        configuration);
  }

  static List<Long> numbers(int count) {
    return LongStream.range(0, count).boxed().toList();
  }

  static PhysicalPlan values(List<Long> numbers) {
    return new PhysicalPlan.Values(
        1, NUMBERS, numbers.stream().map(number -> List.<Object>of(number)).toList());
  }

  static PhysicalPlan spread(int id, PhysicalPlan input) {
    return new PhysicalPlan.Exchange(id, input, new Partitioning.RoundRobin());
  }

  static PhysicalPlan gather(int id, PhysicalPlan input) {
    return new PhysicalPlan.Exchange(id, input, Partitioning.SINGLE);
  }

  /** Replaces the last column by the function of it, by way of a further column. */
  static PhysicalPlan apply(
      int id, PhysicalPlan input, String name, ScalarFunctions.Of1<Long, Long> function) {
    byte[] payload =
        ServiceLoader.load(UdfInvoker.class)
            .findFirst()
            .orElseThrow()
            .encode(new UdfImplementation.Scalar(function));
    UdfReference reference =
        new UdfReference(
            name,
            Optional.empty(),
            payload,
            List.of(DataType.INT64),
            DataType.INT64,
            UdfOptions.DEFAULT.withBatchRows(1));
    int last = input.outputSchema().size() - 1;
    return new PhysicalPlan.Udf(
        id, input, reference, List.of(last), Field.nullable("u" + id, DataType.INT64));
  }

  /** Writes its process id into a folder, then waits while a file "hold" is there. */
  static ScalarFunctions.Of1<Long, Long> held(String folder) {
    return number -> {
      Path place = Path.of(folder);
      Files.writeString(place.resolve("at-" + ProcessHandle.current().pid()), "");
      while (Files.exists(place.resolve("hold"))) {
        Thread.sleep(20);
      }
      return number;
    };
  }

  static QueryRequest request(String id, PhysicalPlan plan) {
    return new QueryRequest(id, plan, Configuration.DEFAULTS, TestQueries.class.getClassLoader());
  }

  /** The values of the last column, in the order in which they come. */
  static List<Long> drain(ResultStream stream) {
    List<Long> rows = new ArrayList<>();
    for (Optional<Batch> next = stream.next(); next.isPresent(); next = stream.next()) {
      try (Batch batch = next.get()) {
        for (int row = 0; row < batch.rowCount(); row++) {
          rows.add((Long) batch.valueAt(batch.columnCount() - 1, row));
        }
      }
    }
    return rows;
  }
}
