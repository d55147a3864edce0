package io.millrace.planner.logical;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.error.NearestNames;
import io.millrace.core.expr.Expr;
import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.type.DataType;
import io.millrace.core.udf.UserFunction;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Binds and types what users wrote against the columns in scope. Errors name the nearest columns
 * and functions.
 */
public final class ExpressionResolver {
  private final RexBuilder builder;
  private final FunctionBinding binding;
  private final Map<String, UserFunction> userFunctions;
  private final Scope scope;

  /**
   * @param userFunctions the session's functions by lower-case name
   */
  public ExpressionResolver(
      RexBuilder builder,
      FunctionBinding binding,
      Map<String, UserFunction> userFunctions,
      Scope scope) {
    this.builder = builder;
    this.binding = binding;
    this.userFunctions = userFunctions;
    this.scope = scope;
  }

  /** The same functions over other columns. */
  public ExpressionResolver withScope(Scope newScope) {
    return new ExpressionResolver(builder, binding, userFunctions, newScope);
  }

  /**
   * The expression over the scope's columns.
   *
   * @throws MillraceException UNKNOWN_COLUMN, UNKNOWN_FUNCTION, TYPE_MISMATCH …
   */
  public RexNode resolve(Expr expr) {
    return switch (expr) {
      case Expr.ColumnReference reference -> column(reference);
      case Expr.FieldAccess access -> member(resolve(access.input()), access.field());
      case Expr.Literal literal -> literal(literal);
      case Expr.Parameter parameter ->
          throw new MillraceException(
              ErrorCode.MISSING_PARAMETER,
              "Parameters are for SQL; use lit(value) here: :" + parameter.name());
      case Expr.Call call -> call(call);
      case Expr.Cast cast -> cast(cast);
      case Expr.CaseWhen caseWhen -> caseWhen(caseWhen);
      case Expr.In in -> membership(in);
      case Expr.UdfCall call -> binding.call(call.function(), all(call.arguments()));
      case Expr.AggregateCall aggregate ->
          throw new MillraceException(
              ErrorCode.INVALID_ARGUMENT,
              "An aggregate function stands only in agg(…): " + aggregate.function());
      case Expr.Over over -> new WindowResolver(builder, binding, this::resolve).resolve(over);
      case Expr.Alias alias -> resolve(alias.input());
      case Expr.Star unused ->
          throw new MillraceException(
              ErrorCode.INVALID_ARGUMENT, "All columns (*) cannot stand inside an expression.");
    };
  }

  /** A condition. */
  public RexNode condition(Expr expr) {
    RexNode node = resolve(expr);
    FunctionBinding.requireBoolean(node);
    return node;
  }

  private List<RexNode> all(List<Expr> exprs) {
    return exprs.stream().map(this::resolve).toList();
  }

  private RexNode column(Expr.ColumnReference reference) {
    String name = reference.name();
    OptionalInt index = scope.find(reference.qualifier(), name);
    if (index.isPresent()) {
      return input(index.getAsInt());
    }
    int dot = name.indexOf('.');
    if (reference.qualifier().isEmpty() && dot > 0) {
      Optional<RexNode> parts = parts(name.substring(0, dot), name.substring(dot + 1));
      if (parts.isPresent()) {
        return parts.get();
      }
    }
    throw scope.unknown(reference.qualifier().map(text -> text + "." + name).orElse(name));
  }

  /** {@code first.rest} as a column of an aliased input, or as a member of a struct column. */
  private Optional<RexNode> parts(String first, String rest) {
    OptionalInt qualified = scope.find(Optional.of(first), rest);
    if (qualified.isPresent()) {
      return Optional.of(input(qualified.getAsInt()));
    }
    OptionalInt struct = scope.find(Optional.empty(), first);
    if (struct.isEmpty()) {
      return Optional.empty();
    }
    RexNode value = input(struct.getAsInt());
    return value.getType().isStruct() ? Optional.of(member(value, rest)) : Optional.empty();
  }

  private RexNode input(int index) {
    return builder.makeInputRef(scope.columns().get(index).type(), index);
  }

  private RexNode member(RexNode value, String name) {
    RelDataType type = value.getType();
    if (!type.isStruct()) {
      throw new MillraceException(
          ErrorCode.TYPE_MISMATCH,
          "Only a struct has members; '" + name + "' of " + MillraceTypeFactory.dataType(type));
    }
    RelDataTypeField exact = type.getField(name, true, false);
    RelDataTypeField field = exact == null ? type.getField(name, false, false) : exact;
    if (field == null) {
      throw new MillraceException(
          ErrorCode.UNKNOWN_COLUMN,
          "Unknown member '" + name + "'" + NearestNames.hint(name, type.getFieldNames()));
    }
    return builder.makeFieldAccess(value, field.getIndex());
  }

  private RexNode literal(Expr.Literal literal) {
    DataType own = Literals.typeOf(literal.value());
    if (literal.type().isEmpty() || literal.type().get().equals(own)) {
      return Literals.of(builder, literal.value(), own);
    }
    DataType wanted = literal.type().get();
    boolean numbers = own.isNumeric() && wanted.isNumeric();
    return numbers
        ? binding.cast(Literals.of(builder, literal.value(), own), wanted)
        : Literals.of(builder, literal.value(), wanted);
  }

  private RexNode call(Expr.Call call) {
    String name = call.function().toLowerCase(Locale.ROOT);
    UserFunction userFunction = userFunctions.get(name);
    if (userFunction != null) {
      return binding.call(userFunction, all(call.arguments()));
    }
    List<RexNode> arguments = all(call.arguments());
    if (!call.namedArguments().isEmpty()) {
      Map<String, RexNode> named = new TreeMap<>();
      call.namedArguments().forEach((key, value) -> named.put(key, resolve(value)));
      return binding.call(definition(call.function()).name(), arguments, named);
    }
    return switch (name) {
      case "and" -> binding.logical(SqlStdOperatorTable.AND, arguments);
      case "or" -> binding.logical(SqlStdOperatorTable.OR, arguments);
      case "coalesce" -> binding.coalesce(arguments);
      default -> binding.call(definition(call.function()).name(), arguments);
    };
  }

  /** A built-in function, or an error that names the nearest ones, the session's included. */
  private FunctionDefinition definition(String name) {
    return binding
        .registry()
        .find(name)
        .orElseThrow(
            () -> {
              TreeSet<String> known = new TreeSet<>(userFunctions.keySet());
              binding.registry().definitions().forEach(addNames(known));
              return new MillraceException(
                  ErrorCode.UNKNOWN_FUNCTION,
                  "Unknown function '" + name + "'" + NearestNames.hint(name, known));
            });
  }

  private static java.util.function.Consumer<FunctionDefinition> addNames(TreeSet<String> names) {
    return definition -> {
      names.add(definition.name());
      names.addAll(definition.aliases());
    };
  }

  private RexNode cast(Expr.Cast cast) {
    RexNode input = resolve(cast.input());
    return cast.safe() ? binding.cast(input, cast.type(), true) : binding.cast(input, cast.type());
  }

  private RexNode caseWhen(Expr.CaseWhen caseWhen) {
    List<RexNode> operands = new ArrayList<>();
    for (Expr.Branch branch : caseWhen.branches()) {
      operands.add(resolve(branch.condition()));
      operands.add(resolve(branch.value()));
    }
    operands.add(
        caseWhen
            .otherwise()
            .map(this::resolve)
            .orElseGet(() -> Literals.of(builder, null, DataType.NULL)));
    return binding.caseWhen(operands);
  }

  private RexNode membership(Expr.In in) {
    RexNode value = resolve(in.value());
    String comparison = in.negated() ? "ne" : "eq";
    SqlOperator operator = in.negated() ? SqlStdOperatorTable.AND : SqlStdOperatorTable.OR;
    List<RexNode> comparisons =
        in.candidates().stream()
            .map(candidate -> binding.call(comparison, List.of(value, resolve(candidate))))
            .toList();
    return switch (comparisons.size()) {
      case 0 -> builder.makeLiteral(in.negated());
      case 1 -> comparisons.getFirst();
      default -> binding.logical(operator, comparisons);
    };
  }

  /** The column name that an unnamed output gets. */
  public static String outputName(Expr expr, int position) {
    return switch (expr) {
      case Expr.Alias alias -> alias.name();
      case Expr.ColumnReference reference -> lastPart(reference.name());
      case Expr.FieldAccess access -> access.field();
      case Expr.Cast cast -> outputName(cast.input(), position);
      case Expr.Call call -> call.function();
      case Expr.AggregateCall call -> call.function();
      case Expr.Over call -> call.function();
      case Expr.UdfCall call -> call.function().name();
      default -> "column_" + (position + 1);
    };
  }

  private static String lastPart(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
