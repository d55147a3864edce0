package io.millrace.testkit.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A random query: printable as SQL, with simpler variants of itself. */
public sealed interface RandomQuery {

  String sql();

  /** Number of columns. */
  int width();

  /** Simpler queries, the boldest cuts first; not all need be valid. */
  Stream<RandomQuery> smaller();

  /**
   * One SELECT.
   *
   * @param order whether rows are sorted by all columns, which makes their order certain
   * @param limit rows kept; only with an order
   */
  record Select(
      boolean distinct,
      List<Term> output,
      Source from,
      Optional<Term> where,
      List<Term> groupBy,
      Optional<Term> having,
      boolean order,
      Optional<Integer> limit)
      implements RandomQuery {
    public Select {
      output = List.copyOf(output);
      groupBy = List.copyOf(groupBy);
    }

    @Override
    public int width() {
      return output.size();
    }

    @Override
    public String sql() {
      StringBuilder sql = new StringBuilder(distinct ? "SELECT DISTINCT " : "SELECT ");
      sql.append(
          IntStream.range(0, output.size())
              .mapToObj(place -> output.get(place).sql() + " AS c" + place)
              .collect(Collectors.joining(", ")));
      sql.append(" FROM ").append(from.sql());
      where.ifPresent(condition -> sql.append(" WHERE ").append(condition.sql()));
      if (!groupBy.isEmpty()) {
        sql.append(
            groupBy.stream().map(Term::sql).collect(Collectors.joining(", ", " GROUP BY ", "")));
      }
      having.ifPresent(condition -> sql.append(" HAVING ").append(condition.sql()));
      if (order) {
        sql.append(
            IntStream.rangeClosed(1, output.size())
                .mapToObj(place -> place + (place % 2 == 0 ? " DESC NULLS LAST" : " NULLS FIRST"))
                .collect(Collectors.joining(", ", " ORDER BY ", "")));
      }
      limit.ifPresent(rows -> sql.append(" LIMIT ").append(rows));
      return sql.toString();
    }

    @Override
    public Stream<RandomQuery> smaller() {
      List<RandomQuery> queries = new ArrayList<>();
      from.smaller().forEach(source -> queries.add(withFrom(source)));
      if (having.isPresent()) {
        queries.add(withConditions(where, Optional.empty()));
      }
      if (where.isPresent()) {
        queries.add(withConditions(Optional.empty(), having));
      }
      if (limit.isPresent()) {
        queries.add(withEnd(distinct, order, Optional.empty()));
      } else if (order) {
        queries.add(withEnd(distinct, false, limit));
      }
      if (distinct) {
        queries.add(withEnd(false, order, limit));
      }
      if (output.size() > 1) {
        for (int place = 0; place < output.size(); place++) {
          queries.add(withOutput(without(output, place)));
        }
      }
      where.ifPresent(
          term -> term.smaller().forEach(t -> queries.add(withConditions(Optional.of(t), having))));
      having.ifPresent(
          term -> term.smaller().forEach(t -> queries.add(withConditions(where, Optional.of(t)))));
      if (groupBy.isEmpty()) {
        replaced(output, Term::smaller).forEach(terms -> queries.add(withOutput(terms)));
      } else {
        replaced(output, term -> term.isPlain() ? Stream.of() : term.smaller())
            .forEach(terms -> queries.add(withOutput(terms)));
      }
      return queries.stream();
    }

    private Select withFrom(Source source) {
      return new Select(distinct, output, source, where, groupBy, having, order, limit);
    }

    private Select withOutput(List<Term> terms) {
      return new Select(distinct, terms, from, where, groupBy, having, order, limit);
    }

    private Select withConditions(Optional<Term> filter, Optional<Term> groupFilter) {
      return new Select(distinct, output, from, filter, groupBy, groupFilter, order, limit);
    }

    private Select withEnd(boolean isDistinct, boolean isOrdered, Optional<Integer> rows) {
      return new Select(isDistinct, output, from, where, groupBy, having, isOrdered, rows);
    }
  }

  /** UNION, INTERSECT or EXCEPT, with or without ALL. */
  record SetOperation(String operator, RandomQuery left, RandomQuery right) implements RandomQuery {
    @Override
    public int width() {
      return left.width();
    }

    @Override
    public String sql() {
      return "(" + left.sql() + ") " + operator + " (" + right.sql() + ")";
    }

    @Override
    public Stream<RandomQuery> smaller() {
      return Stream.of(
              Stream.of(left, right),
              left.smaller()
                  .filter(query -> query.width() == width())
                  .map(query -> (RandomQuery) new SetOperation(operator, query, right)),
              right
                  .smaller()
                  .filter(query -> query.width() == width())
                  .map(query -> (RandomQuery) new SetOperation(operator, left, query)))
          .flatMap(Function.identity());
    }
  }

  /** What stands in FROM. */
  sealed interface Source {
    String sql();

    Stream<Source> smaller();
  }

  /** A table under an alias. */
  record TableSource(TestTable table, String alias) implements Source {
    @Override
    public String sql() {
      return table.source() + " AS " + alias;
    }

    @Override
    public Stream<Source> smaller() {
      return Stream.of();
    }
  }

  /** A query in FROM. */
  record QuerySource(RandomQuery query, String alias) implements Source {
    @Override
    public String sql() {
      return "(" + query.sql() + ") AS " + alias;
    }

    @Override
    public Stream<Source> smaller() {
      return query
          .smaller()
          .filter(smaller -> smaller.width() == query.width())
          .map(smaller -> new QuerySource(smaller, alias));
    }
  }

  /**
   * A join.
   *
   * @param kind words such as {@code LEFT JOIN}
   * @param condition empty for a cross join
   */
  record JoinSource(String kind, Source left, Source right, Optional<Term> condition)
      implements Source {
    @Override
    public String sql() {
      return left.sql()
          + " "
          + kind
          + " "
          + right.sql()
          + condition.map(term -> " ON " + term.sql()).orElse("");
    }

    @Override
    public Stream<Source> smaller() {
      return Stream.of(
              Stream.of(left, right),
              left.smaller().map(source -> (Source) new JoinSource(kind, source, right, condition)),
              right.smaller().map(source -> (Source) new JoinSource(kind, left, source, condition)),
              condition.stream()
                  .flatMap(Term::smaller)
                  .map(term -> (Source) new JoinSource(kind, left, right, Optional.of(term))))
          .flatMap(Function.identity());
    }
  }

  private static <T> List<T> without(List<T> list, int place) {
    List<T> rest = new ArrayList<>(list);
    rest.remove(place);
    return rest;
  }

  /** The list with one term replaced by each of its smaller ones. */
  private static Stream<List<Term>> replaced(
      List<Term> terms, Function<Term, Stream<Term>> smaller) {
    return IntStream.range(0, terms.size())
        .boxed()
        .flatMap(
            place ->
                smaller
                    .apply(terms.get(place))
                    .map(
                        term -> {
                          List<Term> changed = new ArrayList<>(terms);
                          changed.set(place, term);
                          return changed;
                        }));
  }
}
