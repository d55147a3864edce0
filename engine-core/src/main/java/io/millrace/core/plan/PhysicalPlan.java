package io.millrace.core.plan;

import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.spi.Split;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.udf.UdfReference;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What runs: one record per operator, free of planner types, written by {@link PlanCodec}. Every
 * node has an id that is unique in the whole query, so that metrics of all tasks add up. Columns
 * are addressed by position.
 */
public sealed interface PhysicalPlan {

  int id();

  Schema outputSchema();

  List<PhysicalPlan> inputs();

  /**
   * Reads the splits of a source. Columns of type reference carry row addresses in place of heavy
   * values.
   *
   * @param specification projection, filters and limit that the source takes over
   * @param splits what is to be read, in any order, each once
   */
  record Scan(int id, ScanSpecification specification, List<Split> splits) implements PhysicalPlan {
    public Scan {
      splits = List.copyOf(splits);
    }

    @Override
    public Schema outputSchema() {
      return specification.outputSchema();
    }

    @Override
    public List<PhysicalPlan> inputs() {
      return List.of();
    }
  }

  /**
   * Constant rows.
   *
   * @param rows one list per row with one value per column, classes as {@code FlatVector.valueAt}
   *     gives; null for NULL
   */
  record Values(int id, Schema outputSchema, List<List<Object>> rows) implements PhysicalPlan {
    public Values {
      rows = List.copyOf(rows);
    }

    @Override
    public List<PhysicalPlan> inputs() {
      return List.of();
    }
  }

  /** Keeps the rows for which the predicate is true (not false, not null). */
  record Filter(int id, PhysicalPlan input, PhysicalExpression predicate) implements PhysicalPlan {
    @Override
    public Schema outputSchema() {
      return input.outputSchema();
    }

    @Override
    public List<PhysicalPlan> inputs() {
      return List.of(input);
    }
  }

  /** Computes each output column from the input's columns. */
  record Project(
      int id, PhysicalPlan input, List<PhysicalExpression> expressions, Schema outputSchema)
      implements PhysicalPlan {
    public Project {
      expressions = List.copyOf(expressions);
    }

    @Override
    public List<PhysicalPlan> inputs() {
      return List.of(input);
    }
  }

  /**
   * Joins by equality of keys. The output is all columns of the probe (left) side, then all of the
   * build (right) side; semi and anti give the probe side only. Null keys match nothing unless
   * {@code nullSafe} says so for that key. Without keys every pair is a candidate (a nested loop).
   *
   * @param residual over probe columns then build columns; a pair must also satisfy it
   */
  record HashJoin(
      int id,
      PhysicalPlan probe,
      PhysicalPlan build,
      JoinType joinType,
      List<Integer> probeKeys,
      List<Integer> buildKeys,
      List<Boolean> nullSafe,
      Optional<PhysicalExpression> residual,
      Schema outputSchema)
      implements PhysicalPlan {
    public HashJoin {
      probeKeys = List.copyOf(probeKeys);
      buildKeys = List.copyOf(buildKeys);
      nullSafe = List.copyOf(nullSafe);
    }

    @Override
    public List<PhysicalPlan> inputs() {
      return List.of(probe, build);
    }
  }

  /**
   * Groups rows by equal keys (null equals null, NaN equals NaN, −0.0 equals 0.0). Without keys
   * there is exactly one group, also over no rows (but a PARTIAL step over no rows may give none).
   *
   * <p>Output: keys, then per call its result (SINGLE, FINAL) or its state columns (PARTIAL). The
   * input of FINAL has the shape of PARTIAL's output.
   */
  record Aggregate(
      int id,
      PhysicalPlan input,
      AggregateStep step,
      List<Integer> groupKeys,
      List<AggregateCall> calls,
      Schema outputSchema)
      implements PhysicalPlan {
    public Aggregate {
      groupKeys = List.copyOf(groupKeys);
      calls = List.copyOf(calls);
    }

    @Override
    public List<PhysicalPlan> inputs() {
      return List.of(input);
    }
  }

  /** Orders all rows of its partition. */
  record Sort(int id, PhysicalPlan input, List<OrderKey> keys) implements PhysicalPlan {
    public Sort {
      keys = List.copyOf(keys);
    }

    @Override
    public Schema outputSchema() {
      return input.outputSchema();
    }

    @Override
    public List<PhysicalPlan> inputs() {
      return List.of(input);
    }
  }

  /**
   * Appends one column per call, computed over the row's partition. The input has the rows of a
   * partition together and in order: sorted by the partition keys (in whatever order), then by the
   * order keys. Rows keep their order.
   *
   * @param partitionKeys rows that are equal here (null equals null) form a partition; may be empty
   * @param orderKeys rows that are equal here too are peers; without keys all rows of a partition
   * @param outputSchema the input's columns, then one per call
   */
  record Window(
      int id,
      PhysicalPlan input,
      List<Integer> partitionKeys,
      List<OrderKey> orderKeys,
      List<WindowCall> calls,
      Schema outputSchema)
      implements PhysicalPlan {
    public Window {
      partitionKeys = List.copyOf(partitionKeys);
      orderKeys = List.copyOf(orderKeys);
      calls = List.copyOf(calls);
    }

    @Override
    public List<PhysicalPlan> inputs() {
      return List.of(input);
    }
  }

  /** The first {@code limit} rows in order, after leaving out {@code offset}. */
  record TopN(int id, PhysicalPlan input, List<OrderKey> keys, long offset, long limit)
      implements PhysicalPlan {
    public TopN {
      keys = List.copyOf(keys);
    }

    @Override
    public Schema outputSchema() {
      return input.outputSchema();
    }

    @Override
    public List<PhysicalPlan> inputs() {
      return List.of(input);
    }
  }

  /** At most {@code limit} rows after leaving out {@code offset}. */
  record Limit(int id, PhysicalPlan input, long offset, long limit) implements PhysicalPlan {
    @Override
    public Schema outputSchema() {
      return input.outputSchema();
    }

    @Override
    public List<PhysicalPlan> inputs() {
      return List.of(input);
    }
  }

  /** The rows of all inputs (UNION ALL); columns by position, types equal. */
  record Union(int id, List<PhysicalPlan> inputs, Schema outputSchema) implements PhysicalPlan {
    public Union {
      inputs = List.copyOf(inputs);
    }
  }

  /**
   * Appends one column: the user-defined function over the argument columns. Only these travel to
   * it.
   */
  record Udf(
      int id, PhysicalPlan input, UdfReference function, List<Integer> arguments, Field output)
      implements PhysicalPlan {
    public Udf {
      arguments = List.copyOf(arguments);
    }

    @Override
    public Schema outputSchema() {
      return input.outputSchema().concat(Schema.of(output));
    }

    @Override
    public List<PhysicalPlan> inputs() {
      return List.of(input);
    }
  }

  /**
   * Replaces reference columns of one source by their values, in place. Order and duplicates are
   * kept, null stays null. Columns of one Fetch with equal addresses are taken in one read.
   */
  record Fetch(int id, PhysicalPlan input, SourceReference source, List<FetchColumn> columns)
      implements PhysicalPlan {
    public Fetch {
      columns = List.copyOf(columns);
    }

    @Override
    public Schema outputSchema() {
      List<Field> fields = new java.util.ArrayList<>(input.outputSchema().fields());
      columns.forEach(column -> fields.set(column.inputIndex(), column.output()));
      return new Schema(fields);
    }

    @Override
    public List<PhysicalPlan> inputs() {
      return List.of(input);
    }
  }

  /** Gives each input row once per projection, so that it can count in several groupings. */
  record Expand(
      int id, PhysicalPlan input, List<List<PhysicalExpression>> projections, Schema outputSchema)
      implements PhysicalPlan {
    public Expand {
      projections = projections.stream().map(List::copyOf).toList();
    }

    @Override
    public List<PhysicalPlan> inputs() {
      return List.of(input);
    }
  }

  /**
   * Gives one row per element of its list columns, which are walked side by side: a shorter one
   * ends in nulls. The output is the kept columns, then the elements (key and value for a map, none
   * for an int64 column, which says how often the row is repeated), then the element's position
   * from 1 (int64, with {@code ordinality}).
   *
   * @param outer whether a row without elements is kept once, with nulls
   */
  record Unnest(
      int id,
      PhysicalPlan input,
      List<Integer> kept,
      List<Integer> lists,
      boolean ordinality,
      boolean outer,
      Schema outputSchema)
      implements PhysicalPlan {
    public Unnest {
      kept = List.copyOf(kept);
      lists = List.copyOf(lists);
    }

    @Override
    public List<PhysicalPlan> inputs() {
      return List.of(input);
    }
  }

  /**
   * Keeps a random share of the rows.
   *
   * @param share from 0 to 1
   * @param blocks whether whole batches are kept or left out, which is cheaper and less even
   * @param seed makes the choice depend on the rows' values and this number alone, so that it is
   *     the same in each run; equal rows are then kept or left out together
   */
  record Sample(int id, PhysicalPlan input, double share, boolean blocks, OptionalLong seed)
      implements PhysicalPlan {
    @Override
    public Schema outputSchema() {
      return input.outputSchema();
    }

    @Override
    public List<PhysicalPlan> inputs() {
      return List.of(input);
    }
  }

  /**
   * Gives the input's rows, then those that the step gives over the rows given last, until there
   * are none. The step runs inside of this node's task: its exchanges are no cuts. It reads the
   * rows from the StageInput of the id {@code workTable}.
   *
   * @param all whether a row that was given before is given again
   */
  record Recursion(
      int id,
      PhysicalPlan input,
      PhysicalPlan step,
      int workTable,
      boolean all,
      Schema outputSchema)
      implements PhysicalPlan {
    @Override
    public List<PhysicalPlan> inputs() {
      return List.of(input);
    }
  }

  /** Moves rows to partitions; stages are cut here. */
  record Exchange(int id, PhysicalPlan input, Partitioning partitioning) implements PhysicalPlan {
    @Override
    public Schema outputSchema() {
      return input.outputSchema();
    }

    @Override
    public List<PhysicalPlan> inputs() {
      return List.of(input);
    }
  }

  /** In a stage, the rows of this task's partition of another stage's output. */
  record StageInput(int id, int stageId, Schema outputSchema) implements PhysicalPlan {
    @Override
    public List<PhysicalPlan> inputs() {
      return List.of();
    }
  }

  /**
   * Writes its partition to a sink. Each task gives rows of ({@code fragment} binary, {@code rows}
   * int64); the driver commits all fragments of the first successful attempts once.
   */
  record Write(int id, PhysicalPlan input, SinkSpecification sink) implements PhysicalPlan {
    @Override
    public Schema outputSchema() {
      return SinkSpecification.FRAGMENT_SCHEMA;
    }

    @Override
    public List<PhysicalPlan> inputs() {
      return List.of(input);
    }
  }
}
