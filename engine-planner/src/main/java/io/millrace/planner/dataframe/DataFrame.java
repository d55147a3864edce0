package io.millrace.planner.dataframe;

import io.millrace.core.batch.Batch;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.expr.Column;
import io.millrace.core.expr.Columns;
import io.millrace.core.expr.Expr;
import io.millrace.core.expr.SortKey;
import io.millrace.core.plan.JoinType;
import io.millrace.core.spi.ResultStream;
import io.millrace.core.type.Schema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An immutable, lazy query. Every call that takes columns resolves and type-checks them at once;
 * nothing is read before an action: {@link #collect}, {@link #stream}, {@link #count}, {@link
 * #show}, {@link #write}. Usable while its Session is open, from several threads.
 */
public final class DataFrame {
  private static final int SHOWN_ROWS = 20;

  private final Session session;
  private final Relation relation;

  DataFrame(Session session, Relation relation) {
    this.session = session;
    this.relation = relation;
  }

  Relation relation() {
    return relation;
  }

  public Session session() {
    return session;
  }

  private DataFrame with(Relation newRelation) {
    return new DataFrame(session, newRelation);
  }

  private Relations relations() {
    return session.relations();
  }

  /** Names and types of the result's columns. */
  public Schema schema() {
    return relation.schema();
  }

  /** These columns only, in this order; {@code "*"} stands for all. */
  public DataFrame select(String... columns) {
    return select(Arrays.stream(columns).map(DataFrame::named).toArray(Column[]::new));
  }

  /** One column per expression. */
  public DataFrame select(Column... columns) {
    return with(relations().select(relation, exprs(columns)));
  }

  private static Column named(String name) {
    return name.equals("*") ? new Column(new Expr.Star()) : Columns.col(name);
  }

  private static List<Expr> exprs(Column... columns) {
    return Arrays.stream(columns).map(Column::expr).toList();
  }

  /** The rows for which the condition is true (not false, not null). */
  public DataFrame where(Column condition) {
    return with(relations().filter(relation, condition.expr()));
  }

  /** The same as {@link #where}. */
  public DataFrame filter(Column condition) {
    return where(condition);
  }

  /** All columns and one more; a column of that name is replaced in its place. */
  public DataFrame withColumn(String name, Column column) {
    return withColumns(Map.of(name, column));
  }

  /** All columns and these, each computed from the columns as they are now. */
  public DataFrame withColumns(Map<String, Column> columns) {
    Map<String, Expr> exprs = new LinkedHashMap<>();
    columns.forEach((name, column) -> exprs.put(name, column.expr()));
    return with(relations().withColumns(relation, exprs));
  }

  /**
   * All columns but these.
   *
   * @throws MillraceException UNKNOWN_COLUMN
   */
  public DataFrame drop(String... columns) {
    return with(relations().drop(relation, List.of(columns)));
  }

  /** The column under another name. */
  public DataFrame rename(String column, String newName) {
    return with(relations().rename(relation, column, newName));
  }

  /** The same rows; columns can be qualified by the alias, {@code col("alias.name")}. */
  public DataFrame alias(String alias) {
    return with(relation.withAlias(alias));
  }

  /** Inner join. */
  public DataFrame join(DataFrame other, JoinOn on) {
    return join(other, on, JoinType.INNER);
  }

  /** Inner join on a condition over the columns of both. */
  public DataFrame join(DataFrame other, Column condition) {
    return join(other, JoinOn.on(condition), JoinType.INNER);
  }

  /**
   * Join; with {@code on(names)} each of these columns comes once and first.
   *
   * @throws MillraceException INVALID_ARGUMENT when the DataFrames belong to different Sessions
   */
  public DataFrame join(DataFrame other, JoinOn on, JoinType type) {
    requireSameSession(other);
    return with(relations().join(relation, other.relation, on, type));
  }

  private void requireSameSession(DataFrame other) {
    if (other.session != session) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT, "Both DataFrames must come from the same Session.");
    }
  }

  /** Groups rows by equal values; null equals null. */
  public GroupedDataFrame groupBy(String... columns) {
    return groupBy(Arrays.stream(columns).map(Columns::col).toArray(Column[]::new));
  }

  /** Groups rows by equal values of expressions. */
  public GroupedDataFrame groupBy(Column... columns) {
    return new GroupedDataFrame(this, exprs(columns));
  }

  /** One row: aggregates over all rows. */
  public DataFrame agg(Column... aggregates) {
    return groupBy(new Column[0]).agg(aggregates);
  }

  DataFrame aggregate(List<Expr> keys, List<Expr> aggregates) {
    return with(relations().aggregate(relation, keys, aggregates));
  }

  /** Each different row once. */
  public DataFrame distinct() {
    return with(relations().distinct(relation));
  }

  /** Rows in ascending order of these columns, nulls last. */
  public DataFrame sort(String... columns) {
    return sort(
        Arrays.stream(columns).map(name -> Columns.col(name).ascending()).toArray(SortKey[]::new));
  }

  /** Rows in order of these keys. */
  public DataFrame sort(SortKey... keys) {
    return with(relations().sort(relation, List.of(keys)));
  }

  /** The same as {@link #sort(String...)}. */
  public DataFrame orderBy(String... columns) {
    return sort(columns);
  }

  /** The same as {@link #sort(SortKey...)}. */
  public DataFrame orderBy(SortKey... keys) {
    return sort(keys);
  }

  /** At most this many rows; the first ones when sorted, else any. */
  public DataFrame limit(long rows) {
    return with(relations().limit(relation, 0, Optional.of(rows)));
  }

  /** Without the first rows. */
  public DataFrame offset(long rows) {
    return with(relations().limit(relation, rows, Optional.empty()));
  }

  /** One row per element of a list column, which becomes the element; none for an empty list. */
  public DataFrame explode(String column) {
    return with(relations().shapes().explode(relation, column, false));
  }

  /** As {@link #explode}, and a row with null for an empty or null list. */
  public DataFrame explodeOuter(String column) {
    return with(relations().shapes().explode(relation, column, true));
  }

  /**
   * One row per given column: the other columns, then the column's name and its value. Nulls stay.
   */
  public DataFrame unpivot(List<String> columns, String nameColumn, String valueColumn) {
    return with(relations().shapes().unpivot(relation, columns, nameColumn, valueColumn));
  }

  /** A random part of the rows, of about this share (0 to 1) of them. */
  public DataFrame sample(double share) {
    return with(relations().shapes().sample(relation, share, OptionalLong.empty()));
  }

  /** As {@link #sample(double)}, the same rows each time; equal rows stay or go together. */
  public DataFrame sample(double share, int seed) {
    return with(relations().shapes().sample(relation, share, OptionalLong.of(seed)));
  }

  /**
   * The rows of both, duplicates kept; columns by position, brought to their common type.
   *
   * @throws MillraceException SCHEMA_MISMATCH
   */
  public DataFrame union(DataFrame other) {
    requireSameSession(other);
    return with(relations().union(relation, other.relation));
  }

  /** Runs the query; batches come as they are read, and reading slowly slows the query down. */
  public ResultStream stream() {
    return session.run(relation);
  }

  /** Runs the query and keeps all rows in this process. */
  public List<Row> collect() {
    List<Row> rows = new ArrayList<>();
    try (ResultStream stream = stream()) {
      Schema schema = stream.schema();
      for (Optional<Batch> next = stream.next(); next.isPresent(); next = stream.next()) {
        try (Batch batch = next.get()) {
          for (int row = 0; row < batch.rowCount(); row++) {
            rows.add(row(schema, batch, row));
          }
        }
      }
    }
    return rows;
  }

  private static Row row(Schema schema, Batch batch, int row) {
    List<Object> values = new ArrayList<>(schema.size());
    for (int column = 0; column < schema.size(); column++) {
      values.add(batch.valueAt(column, row));
    }
    return new Row(schema, values);
  }

  /** Runs the query and counts its rows. */
  public long count() {
    return (Long) agg(Columns.count().as("count")).collect().getFirst().value(0);
  }

  /** The first 20 rows as a table of text. */
  public String show() {
    return RowTable.of(limit(SHOWN_ROWS).collect(), schema());
  }

  /** Writes {@link #show()} to the target. */
  public void show(Appendable target) {
    try {
      target.append(show());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** The plan of a phase as text; nothing runs but what opening tables needs. */
  public String explain(ExplainPhase phase) {
    return session.explain(relation, phase);
  }

  /** The plan as workers get it. */
  public String explain() {
    return explain(ExplainPhase.PHYSICAL);
  }

  /** Runs the query, drops its rows and gives the physical plan with what each operator did. */
  public String explainAnalyze() {
    return session.explainAnalyze(relation);
  }

  /** Writes the rows. */
  public DataFrameWriter write() {
    return new DataFrameWriter(session, relation);
  }

  /** Makes this query a table of the Session under the name, replacing a view of that name. */
  public void createOrReplaceView(String name) {
    session.catalog().putView(name, this, true);
  }

  @Override
  public String toString() {
    return "DataFrame" + schema();
  }
}
