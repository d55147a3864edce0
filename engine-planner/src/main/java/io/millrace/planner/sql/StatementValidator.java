package io.millrace.planner.sql;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.error.NearestNames;
import io.millrace.core.function.FunctionRegistry;
import io.millrace.core.type.DataType;
import io.millrace.planner.sql.parser.NamedParameter;
import io.millrace.planner.sql.parser.SqlError;
import io.millrace.planner.sql.parser.TypeNameSpec;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.runtime.CalciteException;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlValidatorImpl;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql.validate.implicit.TypeCoercion;
import org.apache.calcite.sql.validate.implicit.TypeCoercionImpl;

/** Calcite's validator with our operators, our types and typed parameters. For one statement. */
final class StatementValidator extends SqlValidatorImpl {
  private final Catalog catalog;
  private final ParameterValues parameters;
  private final WrittenConstants constants;
  private final SyntaxRewriter rewriter;
  private final Map<SqlSelect, Boolean> aggregates = new IdentityHashMap<>();

  StatementValidator(
      StatementCatalogReader reader,
      ParameterValues parameters,
      WrittenConstants constants,
      MillraceTypeFactory types,
      String sql) {
    super(
        new SqlOperators(reader.catalog()),
        reader,
        types,
        Config.DEFAULT
            .withTypeCoercionEnabled(false)
            .withConformance(MillraceConformance.INSTANCE)
            .withIdentifierExpansion(true));
    this.catalog = reader.catalog();
    this.parameters = parameters;
    this.constants = constants;
    this.rewriter = new SyntaxRewriter(catalog, sql);
  }

  /** Asked for each column of the list; looked up once, since the answer takes the whole list. */
  @Override
  public boolean isAggregate(SqlSelect select) {
    Boolean known = aggregates.get(select);
    if (known == null) {
      known = super.isAggregate(select);
      aggregates.put(select, known);
    }
    return known;
  }

  FunctionRegistry functions() {
    return catalog.functions();
  }

  MillraceTypeFactory types() {
    return (MillraceTypeFactory) typeFactory;
  }

  ParameterValues parameters() {
    return parameters;
  }

  WrittenConstants constants() {
    return constants;
  }

  Optional<DataType> commonType(List<DataType> types) {
    return io.millrace.core.type.TypeCoercion.commonType(types);
  }

  /** Asked for by USING only, whatever the configuration says. */
  @Override
  public TypeCoercion getTypeCoercion() {
    return new TypeCoercionImpl(typeFactory, this) {
      @Override
      public RelDataType commonTypeForBinaryComparison(RelDataType left, RelDataType right) {
        return typeFactory.leastRestrictive(List.of(left, right));
      }
    };
  }

  /** Whether the node is a parameter whose type is still open. */
  boolean isUntyped(SqlNode node) {
    return node instanceof NamedParameter && getValidatedNodeTypeIfKnown(node) == null;
  }

  /** Gives a parameter its type; its value must be one of it. */
  void assign(NamedParameter parameter, DataType type) {
    boolean isNull = parameters.value(parameter.name(), type) == null;
    setValidatedNodeType(parameter, types().of(type, isNull));
  }

  @Override
  public RelDataType deriveType(SqlValidatorScope scope, SqlNode expression) {
    if (isUntyped(expression)) {
      NamedParameter parameter = (NamedParameter) expression;
      assign(parameter, parameters.naturalType(parameter.name()));
    }
    return super.deriveType(scope, expression);
  }

  @Override
  protected void inferUnknownTypes(
      RelDataType inferredType, SqlValidatorScope scope, SqlNode node) {
    if (node instanceof NamedParameter parameter) {
      if (MillraceTypeFactory.isKnown(inferredType) && isUntyped(parameter)) {
        DataType type = MillraceTypeFactory.dataType(inferredType);
        if (parameters.fits(parameter.name(), type)) {
          assign(parameter, type);
        }
      }
    } else if (SqlUtil.isNullLiteral(node, false) && inferredType.equals(unknownType)) {
      deriveType(scope, node);
    } else if (!(node instanceof SqlCall call
        && call.getOperator() instanceof ExpressionOperator)) {
      super.inferUnknownTypes(inferredType, scope, node);
    }
  }

  @Override
  protected SqlNode performUnconditionalRewrites(SqlNode node, boolean underFrom) {
    return super.performUnconditionalRewrites(
        node == null ? null : rewriter.rewrite(node), underFrom);
  }

  @Override
  protected SqlNode maybeCast(SqlNode node, RelDataType current, RelDataType wanted) {
    DataType type = MillraceTypeFactory.dataType(wanted);
    if (MillraceTypeFactory.dataType(current).equals(type)) {
      return node;
    }
    SqlParserPos position = node.getParserPosition();
    return new CastCall(false)
        .createCall(position, node, new SqlDataTypeSpec(TypeNameSpec.of(type, position), position));
  }

  @Override
  public CalciteException handleUnresolvedFunction(
      SqlCall call,
      SqlOperator unresolved,
      List<RelDataType> argumentTypes,
      List<String> argumentNames) {
    throw unknownFunction(catalog, call);
  }

  static MillraceException unknownFunction(Catalog catalog, SqlCall call) {
    String name = call.getOperator().getName();
    List<String> known = new ArrayList<>(SqlOperators.ownFunctionNames());
    catalog
        .functions()
        .definitions()
        .forEach(
            definition -> {
              known.add(definition.name());
              known.addAll(definition.aliases());
            });
    known.addAll(catalog.userFunctionNames());
    return SqlError.at(
        ErrorCode.UNKNOWN_FUNCTION,
        call.getParserPosition(),
        "Unknown function '"
            + name.toLowerCase(Locale.ROOT)
            + "'"
            + NearestNames.hint(name, known));
  }
}
