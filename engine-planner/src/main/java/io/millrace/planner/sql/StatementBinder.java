package io.millrace.planner.sql;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.error.NearestNames;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.type.TypeCoercion;
import io.millrace.planner.rex.Constants;
import io.millrace.planner.rex.FunctionCalls;
import io.millrace.planner.sql.parser.NamedParameter;
import io.millrace.planner.sql.parser.ParsedStatement;
import io.millrace.planner.sql.parser.SqlError;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.util.Pair;

/** Validates one parsed statement against a catalog and converts its query. */
final class StatementBinder {
  private final ParsedText text;
  private final RelOptCluster cluster;
  private final ParameterValues parameters;
  private final WrittenConstants constants;
  private final StatementCatalogReader reader;
  private final MillraceTypeFactory types;
  private final FunctionCalls calls;

  StatementBinder(
      ParsedText text, Catalog catalog, RelOptCluster cluster, Map<String, String> parameters) {
    this.text = text;
    this.cluster = cluster;
    this.parameters = new ParameterValues(parameters);
    this.constants = new WrittenConstants(this.parameters);
    this.types = (MillraceTypeFactory) cluster.getTypeFactory();
    this.reader =
        new StatementCatalogReader(
            catalog, text.tableReferences(), new ReferenceConstants(constants), types);
    this.calls = new FunctionCalls(cluster.getRexBuilder(), catalog.functions());
  }

  SqlStatement bind(ParsedStatement statement) {
    return switch (statement) {
      case ParsedStatement.Query(SqlNode query) -> query(query);
      case ParsedStatement.CreateTableAs create ->
          new SqlStatement.CreateTableAs(
              create.name().toString(),
              create.replace(),
              create.ifNotExists(),
              query(create.query()));
      case ParsedStatement.CreateView create -> {
        String sql = SourceText.at(text.sql(), create.query().getParserPosition());
        yield new SqlStatement.CreateView(
            create.name().toString(),
            create.replace(),
            create.ifNotExists(),
            query(create.query()),
            sql);
      }
      case ParsedStatement.CreateFunction create ->
          new SqlStatement.CreateFunction(
              create.name().getSimple(),
              create.replace(),
              create.ifNotExists(),
              create.className(),
              create.jar());
      case ParsedStatement.Drop drop ->
          new SqlStatement.Drop(drop.kind(), drop.name().toString(), drop.ifExists());
      case ParsedStatement.Copy copy ->
          new SqlStatement.Copy(query(copy.query()), copy.target(), options(copy.options()));
      case ParsedStatement.Insert insert -> insert(insert);
      case ParsedStatement.SetSetting set ->
          new SqlStatement.SetSetting(set.key(), set.value().map(this::settingText));
      case ParsedStatement.Show show ->
          new SqlStatement.Show(
              show.kind(), show.key(), show.query().map(this::query), show.pattern());
      case ParsedStatement.Describe(SqlNode query) -> new SqlStatement.Describe(query(query));
      case ParsedStatement.Explain explain ->
          new SqlStatement.Explain(
              bind(SqlTextParser.statement(explain.statement())),
              explain.analyze(),
              explain.phase());
    };
  }

  private SqlStatement.Query query(SqlNode query) {
    StatementValidator validator =
        new StatementValidator(reader, parameters, constants, types, text.sql());
    try {
      SqlNode validated = validator.validate(query);
      RelRoot root =
          new StatementConverter(validator, reader, cluster).convertQuery(validated, false, true);
      return new SqlStatement.Query(repaired(named(root)));
    } catch (CalciteContextException failure) {
      throw ValidationErrors.translate(failure, reader);
    } catch (AssertionError changedTypes) {
      // How Calcite says that a step has wider types than the rows it starts from.
      if (isRecursive(query)) {
        throw new MillraceException(
            ErrorCode.TYPE_MISMATCH,
            "The step of a recursive query gives other types than its first part; cast one of them",
            changedTypes);
      }
      throw changedTypes;
    }
  }

  private static boolean isRecursive(SqlNode query) {
    boolean[] found = {false};
    query.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public Void visit(SqlCall call) {
            found[0] |= call instanceof SqlWithItem item && item.recursive.booleanValue();
            return super.visit(call);
          }
        });
    return found[0];
  }

  private RelNode repaired(RelNode rel) {
    return rel.accept(
        new ConversionRepairs(cluster.getRexBuilder(), calls, text.namedParameters(), parameters));
  }

  /** The tree with the result's columns and names only, not those that ORDER BY added. */
  private RelNode named(RelRoot root) {
    List<String> names = Pair.right(root.fields);
    if (root.isRefTrivial() && root.rel.getRowType().getFieldNames().equals(names)) {
      return root.rel;
    }
    RexBuilder builder = cluster.getRexBuilder();
    List<RexNode> columns = new ArrayList<>();
    for (int index : Pair.left(root.fields)) {
      columns.add(builder.makeInputRef(root.rel, index));
    }
    return LogicalProject.create(root.rel, List.of(), columns, names, Set.of());
  }

  private SqlStatement.Insert insert(ParsedStatement.Insert insert) {
    TableReference target = reader.reference(insert.target().names);
    CatalogTable table =
        reader
            .catalog()
            .table(target)
            .orElseThrow(
                () ->
                    SqlError.at(
                        ErrorCode.UNKNOWN_TABLE,
                        insert.target().getParserPosition(),
                        "Unknown table '"
                            + insert.target()
                            + "'"
                            + NearestNames.hint(
                                insert.target().toString(), reader.catalog().tableNames())));
    SqlStatement.Query source = query(insert.query());
    return new SqlStatement.Insert(
        target, new SqlStatement.Query(toTarget(insert, source.rel(), table.schema())));
  }

  /** The query's columns by position as the named columns of the target, NULL for the others. */
  private RelNode toTarget(ParsedStatement.Insert insert, RelNode source, Schema target) {
    List<Integer> places = places(insert, target);
    if (places.size() != source.getRowType().getFieldCount()) {
      throw SqlError.at(
          ErrorCode.TYPE_MISMATCH,
          insert.query().getParserPosition(),
          "INSERT gives another number of columns than its target takes: "
              + source.getRowType().getFieldCount()
              + " for "
              + places.size());
    }
    RexBuilder builder = cluster.getRexBuilder();
    List<RexNode> columns = new ArrayList<>();
    for (int index = 0; index < target.size(); index++) {
      Field field = target.field(index);
      int place = places.indexOf(index);
      columns.add(
          place < 0
              ? Constants.of(builder, null, field.type())
              : assigned(insert, builder.makeInputRef(source, place), field));
    }
    return LogicalProject.create(source, List.of(), columns, target.names(), Set.of());
  }

  private RexNode assigned(ParsedStatement.Insert insert, RexNode value, Field field) {
    DataType given = MillraceTypeFactory.dataType(value.getType());
    boolean fits =
        TypeCoercion.canWiden(given, field.type())
            || (given.isNumeric() && field.type().isNumeric());
    if (!fits) {
      throw SqlError.at(
          ErrorCode.TYPE_MISMATCH,
          insert.query().getParserPosition(),
          "A column has another type than the target's; cast it: "
              + field.name()
              + " is "
              + field.type()
              + ", given "
              + given);
    }
    return calls.cast(value, field.type(), false);
  }

  private static List<Integer> places(ParsedStatement.Insert insert, Schema target) {
    List<Integer> places = new ArrayList<>();
    Optional<SqlNodeList> columns = insert.columns();
    if (columns.isEmpty()) {
      for (int index = 0; index < target.size(); index++) {
        places.add(index);
      }
      return places;
    }
    for (SqlNode column : columns.get()) {
      String name = ((SqlIdentifier) column).names.getLast();
      int place =
          target
              .find(name)
              .orElseThrow(
                  () ->
                      SqlError.at(
                          ErrorCode.UNKNOWN_COLUMN,
                          column.getParserPosition(),
                          "Unknown column '"
                              + name
                              + "'"
                              + NearestNames.hint(name, target.names())));
      if (places.contains(place)) {
        throw SqlError.at(
            ErrorCode.DUPLICATE_NAME,
            column.getParserPosition(),
            "A column stands twice in INSERT: '" + name + "'");
      }
      places.add(place);
    }
    return places;
  }

  private Map<String, Object> options(List<ParsedStatement.Option> written) {
    Map<String, Object> options = new LinkedHashMap<>();
    for (ParsedStatement.Option option : written) {
      Object value = option.value().map(this::optionValue).orElse(true);
      if (options.putIfAbsent(option.name().toLowerCase(Locale.ROOT), value) != null) {
        throw SqlError.at(
            ErrorCode.DUPLICATE_NAME,
            option.position(),
            "An option stands twice: " + option.name());
      }
    }
    return options;
  }

  private Object optionValue(SqlNode value) {
    if (value instanceof SqlNodeList list) {
      return list.stream().map(constants::require).toList();
    }
    Object constant = constants.require(value);
    if (constant == null) {
      throw SqlError.at(
          ErrorCode.INVALID_OPTION_VALUE, value.getParserPosition(), "An option is not NULL");
    }
    return constant;
  }

  /** A setting's value in the text form that settings are parsed from. */
  private String settingText(SqlNode value) {
    return switch (value) {
      case SqlIdentifier word -> word.toString();
      case SqlLiteral literal when literal.getValue() != null -> literal.toValue();
      case NamedParameter parameter ->
          String.valueOf(
              parameters.value(parameter.name(), parameters.naturalType(parameter.name())));
      default ->
          throw new MillraceException(
              ErrorCode.INVALID_OPTION_VALUE, "A setting's value is a constant: " + value);
    };
  }
}
