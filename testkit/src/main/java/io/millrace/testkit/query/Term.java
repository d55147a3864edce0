package io.millrace.testkit.query;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** An expression of a random query: typed, printable and shrinkable. */
public sealed interface Term {

  ValueType type();

  /** Its SQL text, in parentheses where precedence could matter. */
  String sql();

  /** Simpler terms of the same type, the simplest first. */
  Stream<Term> smaller();

  /** Whether it holds an aggregate or a window call, which not every clause allows. */
  boolean isPlain();

  /** Whether an aggregate or window call stands around it, so that nothing bare may replace it. */
  static Term nullOf(ValueType type) {
    return new Constant(type, "CAST(NULL AS " + type.sqlName() + ")");
  }

  /** A column of a table in scope. */
  record Reference(String alias, String column, ValueType type) implements Term {
    @Override
    public String sql() {
      return alias + "." + column;
    }

    @Override
    public Stream<Term> smaller() {
      return Stream.of();
    }

    @Override
    public boolean isPlain() {
      return true;
    }
  }

  /** A literal. */
  record Constant(ValueType type, String sql) implements Term {
    @Override
    public Stream<Term> smaller() {
      return Stream.of();
    }

    @Override
    public boolean isPlain() {
      return true;
    }
  }

  /**
   * An operator, function or aggregate.
   *
   * @param template its text with a {@code %s} for each operand
   * @param kind whether it may stand in WHERE and below other calls
   */
  record Call(ValueType type, Kind kind, String template, List<Term> operands) implements Term {
    /** How a call may be nested. */
    public enum Kind {
      SCALAR,
      AGGREGATE,
      WINDOW
    }

    public Call {
      operands = List.copyOf(operands);
    }

    static Call scalar(ValueType type, String template, Term... operands) {
      return new Call(type, Kind.SCALAR, template, List.of(operands));
    }

    @Override
    public String sql() {
      return String.format(template, operands.stream().map(Term::sql).toArray());
    }

    @Override
    public Stream<Term> smaller() {
      List<Term> terms = new ArrayList<>();
      if (kind == Kind.SCALAR) {
        operands.stream().filter(operand -> operand.type() == type).forEach(terms::add);
        if (isPlain()) {
          terms.add(nullOf(type));
        }
      }
      for (int place = 0; place < operands.size(); place++) {
        int changed = place;
        operands.get(place).smaller().map(term -> with(changed, term)).forEach(terms::add);
      }
      return terms.stream();
    }

    private Term with(int place, Term operand) {
      List<Term> changed = new ArrayList<>(operands);
      changed.set(place, operand);
      return new Call(type, kind, template, changed);
    }

    @Override
    public boolean isPlain() {
      return kind == Kind.SCALAR && operands.stream().allMatch(Term::isPlain);
    }
  }

  /**
   * A condition or value that a query gives.
   *
   * @param template its text; the first {@code %s} is the query, or the last when there is an
   *     operand before it
   */
  record Subquery(ValueType type, String template, List<Term> operands, RandomQuery query)
      implements Term {
    public Subquery {
      operands = List.copyOf(operands);
    }

    @Override
    public String sql() {
      List<Object> texts = new ArrayList<>(operands.stream().map(Term::sql).toList());
      texts.add(query.sql());
      return String.format(template, texts.toArray());
    }

    @Override
    public Stream<Term> smaller() {
      return Stream.concat(
          Stream.of(nullOf(type)),
          query
              .smaller()
              .filter(smaller -> smaller.width() == query.width())
              .map(smaller -> new Subquery(type, template, operands, smaller)));
    }

    @Override
    public boolean isPlain() {
      return true;
    }
  }
}
