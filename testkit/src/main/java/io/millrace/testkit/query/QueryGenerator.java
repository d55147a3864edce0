package io.millrace.testkit.query;

import io.millrace.testkit.query.RandomQuery.JoinSource;
import io.millrace.testkit.query.RandomQuery.QuerySource;
import io.millrace.testkit.query.RandomQuery.Select;
import io.millrace.testkit.query.RandomQuery.SetOperation;
import io.millrace.testkit.query.RandomQuery.Source;
import io.millrace.testkit.query.RandomQuery.TableSource;
import io.millrace.testkit.query.Term.Call;
import io.millrace.testkit.query.Term.Reference;
import io.millrace.testkit.query.Term.Subquery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Makes random queries over some tables. The same seed gives the same queries. A LIMIT stands only
 * where all columns are sorted, so that every engine must give the same rows.
 */
public final class QueryGenerator {
  private static final int TERM_DEPTH = 3;
  private static final int QUERY_DEPTH = 2;

  private final List<TestTable> tables;
  private final Random random;
  private final TermGenerator terms;
  private int aliases;

  public QueryGenerator(List<TestTable> tables, long seed) {
    this.tables = List.copyOf(tables);
    this.random = new Random(seed);
    this.terms = new TermGenerator(random);
  }

  /** The next query. */
  public RandomQuery next() {
    aliases = 0;
    if (random.nextInt(6) == 0) {
      List<ValueType> types = types();
      String operator =
          List.of("UNION ALL", "UNION", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL")
              .get(random.nextInt(6));
      return new SetOperation(
          operator,
          select(types, List.of(), QUERY_DEPTH - 1, false),
          select(types, List.of(), QUERY_DEPTH - 1, false));
    }
    return select(types(), List.of(), QUERY_DEPTH, true);
  }

  private List<ValueType> types() {
    return IntStream.rangeClosed(0, random.nextInt(4)).mapToObj(any -> type()).toList();
  }

  private ValueType type() {
    return ValueType.values()[random.nextInt(ValueType.values().length)];
  }

  private String alias() {
    return "t" + aliases++;
  }

  /** A source and the columns that it brings into scope. */
  private record Scoped(Source source, List<Reference> columns) {}

  /**
   * A SELECT.
   *
   * @param outer columns of an enclosing query that conditions may use
   */
  private Select select(List<ValueType> output, List<Reference> outer, int depth, boolean isTop) {
    Scoped from = source(depth);
    List<Reference> scope = new ArrayList<>(from.columns());
    scope.addAll(outer);
    Optional<Term> where =
        random.nextInt(3) == 0 ? Optional.empty() : Optional.of(filter(scope, depth));
    boolean order = isTop && random.nextInt(3) == 0;
    Optional<Integer> limit =
        order && random.nextBoolean() ? Optional.of(random.nextInt(30)) : Optional.empty();
    if (random.nextInt(3) == 0) {
      return grouped(output, from, where, order, limit);
    }
    List<Term> columns = new ArrayList<>();
    for (ValueType type : output) {
      columns.add(
          isTop && random.nextInt(8) == 0
              ? window(from.columns())
              : terms.term(type, from.columns(), TERM_DEPTH));
    }
    boolean distinct = random.nextInt(6) == 0;
    return new Select(
        distinct, columns, from.source(), where, List.of(), Optional.empty(), order, limit);
  }

  private Select grouped(
      List<ValueType> output,
      Scoped from,
      Optional<Term> where,
      boolean order,
      Optional<Integer> limit) {
    List<Term> keys = new ArrayList<>();
    List<Term> columns = new ArrayList<>();
    for (ValueType type : output) {
      Term key = terms.term(type, from.columns(), 1);
      boolean isKey = random.nextBoolean() && !(key instanceof Term.Constant);
      if (isKey) {
        keys.add(key);
      }
      columns.add(isKey ? key : aggregate(type, from.columns()));
    }
    Optional<Term> having =
        keys.isEmpty() || random.nextInt(3) > 0
            ? Optional.empty()
            : Optional.of(
                Call.scalar(
                    ValueType.BOOLEAN, "(%s > 2)", aggregate("count(*)", ValueType.BIGINT)));
    return new Select(false, columns, from.source(), where, keys, having, order, limit);
  }

  private static Term aggregate(String text, ValueType type, Term... operands) {
    return new Call(type, Call.Kind.AGGREGATE, text, List.of(operands));
  }

  private Term aggregate(ValueType type, List<Reference> scope) {
    Term operand = terms.term(type, scope, 2);
    String filter =
        random.nextInt(4) == 0 ? " FILTER (WHERE " + terms.condition(scope, 1).sql() + ")" : "";
    String escaped = filter.replace("%", "%%");
    return switch (type) {
      case BIGINT ->
          switch (random.nextInt(4)) {
            case 0 -> aggregate("count(*)" + escaped, type);
            case 1 -> aggregate("count(DISTINCT %s)", type, terms.term(type(), scope, 2));
            case 2 -> aggregate("count(%s)" + escaped, type, terms.term(type(), scope, 2));
            default ->
                aggregate("sum(%s)" + escaped, type, terms.term(ValueType.INTEGER, scope, 2));
          };
      case DOUBLE ->
          aggregate((random.nextBoolean() ? "sum(%s)" : "min(%s)") + escaped, type, operand);
      case BOOLEAN ->
          aggregate(
              (random.nextBoolean() ? "bool_and(%s)" : "bool_or(%s)") + escaped, type, operand);
      case INTEGER, DECIMAL, VARCHAR, DATE, TIMESTAMP ->
          aggregate((random.nextBoolean() ? "max(%s)" : "min(%s)") + escaped, type, operand);
    };
  }

  /** A window call whose value does not depend on the order of peers. */
  private Term window(List<Reference> scope) {
    Term partition = terms.term(type(), scope, 1);
    Term order = terms.term(type(), scope, 1);
    String call = List.of("rank()", "dense_rank()", "count(*)").get(random.nextInt(3));
    return new Call(
        ValueType.BIGINT,
        Call.Kind.WINDOW,
        call + " OVER (PARTITION BY %s ORDER BY %s NULLS LAST)",
        List.of(partition, order));
  }

  private Term filter(List<Reference> scope, int depth) {
    Term plain = terms.condition(scope, TERM_DEPTH);
    if (depth <= 0 || random.nextInt(3) > 0) {
      return plain;
    }
    return Call.scalar(ValueType.BOOLEAN, "(%s AND %s)", subquery(scope, depth - 1), plain);
  }

  private Term subquery(List<Reference> scope, int depth) {
    boolean isCorrelated = random.nextBoolean();
    List<Reference> outer = isCorrelated ? scope : List.of();
    ValueType type = type();
    return switch (random.nextInt(4)) {
      case 0 -> member("(%s IN (%s))", type, scope, outer, depth);
      case 1 -> member("(%s NOT IN (%s))", type, scope, outer, depth);
      case 2 ->
          new Subquery(
              ValueType.BOOLEAN,
              random.nextBoolean() ? "(EXISTS (%s))" : "(NOT EXISTS (%s))",
              List.of(),
              plainSelect(List.of(type), outer, depth));
      default -> {
        Scoped from = source(0);
        List<Reference> inner = new ArrayList<>(from.columns());
        inner.addAll(outer);
        Term value = aggregate(type, from.columns());
        Select query =
            new Select(
                false,
                List.of(value),
                from.source(),
                Optional.of(correlation(from.columns(), outer)),
                List.of(),
                Optional.empty(),
                false,
                Optional.empty());
        yield new Subquery(
            ValueType.BOOLEAN, "(%s >= (%s))", List.of(terms.term(type, scope, 1)), query);
      }
    };
  }

  private Term member(
      String template, ValueType type, List<Reference> scope, List<Reference> outer, int depth) {
    return new Subquery(
        ValueType.BOOLEAN,
        template,
        List.of(terms.term(type, scope, 1)),
        plainSelect(List.of(type), outer, depth));
  }

  /** A SELECT without grouping, with an equality to the outer query where there is one. */
  private Select plainSelect(List<ValueType> output, List<Reference> outer, int depth) {
    Scoped from = source(Math.min(depth, 1));
    return new Select(
        false,
        output.stream().map(type -> terms.term(type, from.columns(), 1)).toList(),
        from.source(),
        Optional.of(correlation(from.columns(), outer)),
        List.of(),
        Optional.empty(),
        false,
        Optional.empty());
  }

  /** An equality of a column with one outside, or a plain condition. */
  private Term correlation(List<Reference> inner, List<Reference> outer) {
    for (int attempt = 0; attempt < 5 && !outer.isEmpty(); attempt++) {
      Reference outside = outer.get(random.nextInt(outer.size()));
      List<Reference> fitting =
          inner.stream().filter(column -> column.type() == outside.type()).toList();
      if (!fitting.isEmpty()) {
        return Call.scalar(
            ValueType.BOOLEAN,
            random.nextInt(4) == 0 ? "(%s > %s)" : "(%s = %s)",
            fitting.get(random.nextInt(fitting.size())),
            outside);
      }
    }
    return terms.condition(inner, 2);
  }

  private Scoped source(int depth) {
    int shape = random.nextInt(depth > 0 ? 10 : 4);
    if (shape < 4) {
      return table();
    }
    return shape < 8 ? join(depth - 1) : derived(depth - 1);
  }

  private Scoped table() {
    TestTable table = tables.get(random.nextInt(tables.size()));
    String alias = alias();
    return new Scoped(
        new TableSource(table, alias),
        table.columns().stream()
            .map(column -> new Reference(alias, column.name(), column.type()))
            .toList());
  }

  private Scoped derived(int depth) {
    List<ValueType> types = types();
    String alias = alias();
    Select query = select(types, List.of(), depth, false);
    return new Scoped(
        new QuerySource(query, alias),
        IntStream.range(0, types.size())
            .mapToObj(place -> new Reference(alias, "c" + place, query.output().get(place).type()))
            .toList());
  }

  private Scoped join(int depth) {
    Scoped left = depth > 0 && random.nextBoolean() ? source(depth) : table();
    Scoped right = depth > 0 && random.nextInt(3) == 0 ? derived(depth) : table();
    List<Reference> columns = new ArrayList<>(left.columns());
    columns.addAll(right.columns());
    String kind =
        List.of("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "JOIN").get(random.nextInt(5));
    Term equality = correlation(left.columns(), right.columns());
    Term condition =
        random.nextInt(3) == 0
            ? Call.scalar(ValueType.BOOLEAN, "(%s AND %s)", equality, terms.condition(columns, 1))
            : equality;
    return new Scoped(
        new JoinSource(kind, left.source(), right.source(), Optional.of(condition)), columns);
  }
}
