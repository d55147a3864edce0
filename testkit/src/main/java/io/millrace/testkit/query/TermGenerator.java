package io.millrace.testkit.query;

import io.millrace.testkit.query.Term.Call;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Random scalar terms over the columns in scope. Nothing in them depends on how an engine orders
 * rows, rounds floats or treats errors: values stay small, so that exact types do not overflow.
 */
final class TermGenerator {
  private static final List<String> TEXTS =
      List.of("''", "'a'", "'name 3'", "'Name'", "'é'", "'name 1'", "'%'");

  private final Random random;

  TermGenerator(Random random) {
    this.random = random;
  }

  /** A term of the type, at most {@code depth} calls deep. */
  Term term(ValueType type, List<Term.Reference> scope, int depth) {
    List<Term.Reference> fitting = scope.stream().filter(column -> column.type() == type).toList();
    if (depth <= 0 || random.nextInt(4) == 0) {
      return fitting.isEmpty() || random.nextInt(6) == 0
          ? constant(type)
          : fitting.get(random.nextInt(fitting.size()));
    }
    return switch (random.nextInt(8)) {
      case 0 -> caseOf(type, scope, depth - 1);
      case 1 -> both(type, "coalesce(%s, %s)", scope, depth - 1);
      case 2 -> both(type, "nullif(%s, %s)", scope, depth - 1);
      default -> call(type, scope, depth - 1);
    };
  }

  /** A condition. */
  Term condition(List<Term.Reference> scope, int depth) {
    return term(ValueType.BOOLEAN, scope, depth);
  }

  Term constant(ValueType type) {
    if (random.nextInt(8) == 0) {
      return Term.nullOf(type);
    }
    int number = random.nextInt(41) - 20;
    String text =
        switch (type) {
          case INTEGER -> number < 0 ? "(" + number + ")" : String.valueOf(number);
          case BIGINT -> "CAST(" + number + " AS BIGINT)";
          case DOUBLE -> "CAST(" + number / 4.0 + " AS DOUBLE)";
          case DECIMAL -> "CAST(" + number / 4.0 + " AS DECIMAL(10, 2))";
          case VARCHAR -> TEXTS.get(random.nextInt(TEXTS.size()));
          case BOOLEAN -> number < 0 ? "FALSE" : "TRUE";
          case DATE -> "DATE '1995-0" + (1 + random.nextInt(9)) + "-15'";
          case TIMESTAMP -> "TIMESTAMP '2020-02-29 00:0" + random.nextInt(10) + ":30'";
        };
    return new Term.Constant(type, text);
  }

  private Term both(ValueType type, String template, List<Term.Reference> scope, int depth) {
    return Call.scalar(type, template, term(type, scope, depth), term(type, scope, depth));
  }

  private Term caseOf(ValueType type, List<Term.Reference> scope, int depth) {
    return Call.scalar(
        type,
        "CASE WHEN %s THEN %s ELSE %s END",
        condition(scope, depth),
        term(type, scope, depth),
        term(type, scope, depth));
  }

  private Term cast(ValueType to, ValueType from, List<Term.Reference> scope, int depth) {
    return Call.scalar(to, "CAST(%s AS " + to.sqlName() + ")", term(from, scope, depth));
  }

  private Term call(ValueType type, List<Term.Reference> scope, int depth) {
    return switch (type) {
      case INTEGER ->
          switch (random.nextInt(6)) {
            case 0 -> both(type, "(%s + %s)", scope, depth);
            case 1 -> both(type, "(%s - %s)", scope, depth);
            case 2 -> Call.scalar(type, "(%s * %s)", term(type, scope, depth), constant(type));
            case 3 -> Call.scalar(type, "(%s %% 7)", term(type, scope, depth));
            case 4 -> Call.scalar(type, "abs(%s)", term(type, scope, depth));
            default -> cast(type, ValueType.BOOLEAN, scope, depth);
          };
      case BIGINT ->
          switch (random.nextInt(4)) {
            case 0 -> both(type, "(%s + %s)", scope, depth);
            case 1 -> both(type, "(%s - %s)", scope, depth);
            case 2 -> lengthOf(scope, depth);
            default -> cast(type, ValueType.INTEGER, scope, depth);
          };
      case DOUBLE ->
          switch (random.nextInt(4)) {
            case 0 -> both(type, "(%s + %s)", scope, depth);
            case 1 -> both(type, "(%s - %s)", scope, depth);
            case 2 -> Call.scalar(type, "(- %s)", term(type, scope, depth));
            default -> cast(type, ValueType.INTEGER, scope, depth);
          };
      case DECIMAL ->
          random.nextBoolean()
              ? cast(type, ValueType.INTEGER, scope, depth)
              : caseOf(type, scope, depth);
      case VARCHAR -> text(scope, depth);
      case BOOLEAN -> truth(scope, depth);
      case DATE ->
          Call.scalar(
              type,
              "CAST(%s + INTERVAL '" + random.nextInt(40) + "' DAY AS DATE)",
              term(type, scope, depth));
      case TIMESTAMP ->
          random.nextBoolean()
              ? Call.scalar(
                  type,
                  "(%s + INTERVAL '" + random.nextInt(40) + "' MINUTE)",
                  term(type, scope, depth))
              : cast(type, ValueType.DATE, scope, depth);
    };
  }

  private Term lengthOf(List<Term.Reference> scope, int depth) {
    return Call.scalar(
        ValueType.BIGINT, "CAST(length(%s) AS BIGINT)", term(ValueType.VARCHAR, scope, depth));
  }

  private Term text(List<Term.Reference> scope, int depth) {
    ValueType type = ValueType.VARCHAR;
    return switch (random.nextInt(7)) {
      case 0 -> Call.scalar(type, "upper(%s)", term(type, scope, depth));
      case 1 -> both(type, "(%s || %s)", scope, depth);
      case 2 -> Call.scalar(type, "substring(%s, 2, 3)", term(type, scope, depth));
      case 3 -> Call.scalar(type, "trim(%s)", term(type, scope, depth));
      case 4 -> Call.scalar(type, "replace(%s, 'a', 'bb')", term(type, scope, depth));
      case 5 -> cast(type, ValueType.INTEGER, scope, depth);
      default -> cast(type, ValueType.DATE, scope, depth);
    };
  }

  private Term truth(List<Term.Reference> scope, int depth) {
    ValueType type = ValueType.BOOLEAN;
    ValueType compared = ValueType.values()[random.nextInt(ValueType.values().length)];
    return switch (random.nextInt(10)) {
      case 0 -> both(type, "(%s AND %s)", scope, depth);
      case 1 -> both(type, "(%s OR %s)", scope, depth);
      case 2 -> Call.scalar(type, "(NOT %s)", term(type, scope, depth));
      case 3 -> Call.scalar(type, "(%s IS NULL)", term(compared, scope, depth));
      case 4 -> Call.scalar(type, "(%s IS NOT TRUE)", term(type, scope, depth));
      case 5 -> Call.scalar(type, "(%s LIKE '%%a%%')", term(ValueType.VARCHAR, scope, depth));
      case 6 -> memberOf(compared, scope, depth);
      default ->
          Call.scalar(
              type,
              "(%s " + comparison() + " %s)",
              term(compared, scope, depth),
              term(compared, scope, depth));
    };
  }

  private Term memberOf(ValueType type, List<Term.Reference> scope, int depth) {
    List<Term> operands = new ArrayList<>(List.of(term(type, scope, depth)));
    int size = 1 + random.nextInt(4);
    for (int place = 0; place < size; place++) {
      operands.add(constant(type));
    }
    String members = String.join(", ", Collections.nCopies(size, "%s"));
    return new Call(
        ValueType.BOOLEAN,
        Call.Kind.SCALAR,
        "(%s " + (random.nextBoolean() ? "IN" : "NOT IN") + " (" + members + "))",
        operands);
  }

  private String comparison() {
    return switch (random.nextInt(8)) {
      case 0 -> "<>";
      case 1 -> "<";
      case 2 -> "<=";
      case 3 -> ">";
      case 4 -> ">=";
      case 5 -> "IS DISTINCT FROM";
      case 6 -> "IS NOT DISTINCT FROM";
      default -> "=";
    };
  }
}
