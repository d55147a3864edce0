package io.millrace.planner.sql.parser;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Carries a {@link ParsedStatement} through the parser, whose statements are Calcite nodes. */
public final class StatementNode extends SqlCall {
  private static final SqlOperator OPERATOR =
      new SqlSpecialOperator("STATEMENT", SqlKind.OTHER_DDL);

  private final ParsedStatement statement;

  public StatementNode(SqlParserPos position, ParsedStatement statement) {
    super(position);
    this.statement = statement;
  }

  public ParsedStatement statement() {
    return statement;
  }

  @Override
  public SqlOperator getOperator() {
    return OPERATOR;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return List.of();
  }
}
