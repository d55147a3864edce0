package io.millrace.planner.sql.parser;

import io.millrace.core.error.ErrorCode;
import io.millrace.planner.logical.GroupsOffset;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlVisitor;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.util.Litmus;

/**
 * A window as it is written, without Calcite's own limits on what frames may count; types are
 * looked at when the plan is made. A frame of GROUPS with offsets is one of rows whose offsets are
 * marked by {@link GroupsOffset}; without offsets it is the same as one of RANGE.
 */
public final class FrameWindow extends SqlWindow {
  private FrameWindow(
      SqlParserPos position,
      SqlIdentifier declaredName,
      SqlIdentifier referencedName,
      SqlNodeList partition,
      SqlNodeList order,
      SqlLiteral isRows,
      SqlNode lowerBound,
      SqlNode upperBound,
      SqlLiteral allowPartial,
      SqlLiteral exclude) {
    super(
        position,
        declaredName,
        referencedName,
        partition,
        order,
        isRows,
        lowerBound,
        upperBound,
        allowPartial,
        exclude);
  }

  /**
   * @param groups whether the frame counts groups of peers; {@code isRows} is false then
   */
  public static FrameWindow of(
      SqlParserPos position,
      SqlIdentifier referencedName,
      SqlNodeList partition,
      SqlNodeList order,
      SqlLiteral isRows,
      SqlNode lowerBound,
      SqlNode upperBound,
      SqlLiteral allowPartial,
      SqlLiteral exclude,
      boolean groups) {
    if (groups && order.isEmpty() && referencedName == null) {
      throw SqlError.at(ErrorCode.INVALID_ARGUMENT, position, "GROUPS frames take an ORDER BY");
    }
    boolean counted = groups && (markGroups(lowerBound) | markGroups(upperBound));
    boolean onlyUpper =
        upperBound == null && lowerBound != null && lowerBound.getKind() == SqlKind.FOLLOWING;
    return new FrameWindow(
        position,
        null,
        referencedName,
        partition,
        order,
        counted ? SqlLiteral.createBoolean(true, position) : isRows,
        onlyUpper ? null : lowerBound,
        onlyUpper ? lowerBound : upperBound,
        allowPartial,
        exclude);
  }

  /** Marks the offset of a bound; whether there is one. */
  private static boolean markGroups(SqlNode bound) {
    if (!(bound instanceof SqlCall call)) {
      return false;
    }
    SqlNode offset = call.operand(0);
    call.setOperand(0, GroupsOffset.INSTANCE.createCall(offset.getParserPosition(), offset));
    return true;
  }

  @Override
  public SqlOperator getOperator() {
    return FrameOperator.INSTANCE;
  }

  /** Two names may stand for windows that are the same. */
  @Override
  public boolean equalsDeep(SqlNode node, Litmus litmus) {
    boolean bothNamed =
        getDeclName() != null && node instanceof SqlWindow window && window.getDeclName() != null;
    return node == this || !bothNamed && super.equalsDeep(node, litmus);
  }

  /** This window with partitioning and order of the one it names; Calcite's loses the frame. */
  @Override
  public SqlWindow overlay(SqlWindow that, SqlValidator validator) {
    boolean framed = that.getLowerBound() != null || that.getUpperBound() != null;
    boolean ordered = !getOrderList().isEmpty() && !that.getOrderList().isEmpty();
    if (!getPartitionList().isEmpty() || ordered || framed) {
      throw SqlError.at(
          ErrorCode.INVALID_ARGUMENT,
          getParserPosition(),
          "A window that names another adds an order or a frame that the other lacks; "
              + "only one of them has each");
    }
    return new FrameWindow(
        SqlParserPos.ZERO,
        getDeclName(),
        that.getRefName(),
        that.getPartitionList(),
        getOrderList().isEmpty() ? that.getOrderList() : getOrderList(),
        SqlLiteral.createBoolean(isRows(), SqlParserPos.ZERO),
        getLowerBound(),
        getUpperBound(),
        operand(7),
        getExclude());
  }

  @Override
  public void validate(SqlValidator validator, SqlValidatorScope scope) {
    SqlWindow resolved = validator.resolveWindow(this, scope);
    for (SqlNode item : resolved.getPartitionList()) {
      item.validateExpr(validator, scope);
    }
    boolean expansion = validator.config().columnReferenceExpansion();
    validator.transform(config -> config.withColumnReferenceExpansion(false));
    try {
      for (SqlNode item : resolved.getOrderList()) {
        item.validateExpr(validator, scope);
      }
    } finally {
      validator.transform(config -> config.withColumnReferenceExpansion(expansion));
    }
    validateBounds(resolved, validator, scope);
  }

  private void validateBounds(SqlWindow resolved, SqlValidator validator, SqlValidatorScope scope) {
    SqlNode lower = resolved.getLowerBound();
    SqlNode upper = resolved.getUpperBound();
    for (SqlNode bound : new SqlNode[] {lower, upper}) {
      if (bound instanceof SqlCall call) {
        call.operand(0).validateExpr(validator, scope);
      }
    }
    int start = lower == null ? (upper == null ? 0 : 2) : place(lower);
    int end = upper == null ? 2 : place(upper);
    if (start == 4 || end == 0 || start > end) {
      throw SqlError.at(
          ErrorCode.INVALID_ARGUMENT,
          getParserPosition(),
          "A frame cannot start where this one does and end before");
    }
  }

  /** 0 for the partition's start to 4 for its end. */
  private static int place(SqlNode bound) {
    if (bound instanceof SqlCall call) {
      return call.getKind() == SqlKind.PRECEDING ? 1 : 3;
    }
    return isUnboundedPreceding(bound) ? 0 : isCurrentRow(bound) ? 2 : 4;
  }

  /** Makes copies that are of this class too. */
  private static final class FrameOperator extends SqlOperator {
    static final FrameOperator INSTANCE = new FrameOperator();

    private FrameOperator() {
      super("WINDOW", SqlKind.WINDOW, 2, true, null, null, null);
    }

    @Override
    public SqlSyntax getSyntax() {
      return SqlSyntax.SPECIAL;
    }

    @Override
    public SqlCall createCall(
        SqlLiteral functionQualifier, SqlParserPos position, SqlNode... operands) {
      return new FrameWindow(
          position,
          (SqlIdentifier) operands[0],
          (SqlIdentifier) operands[1],
          (SqlNodeList) operands[2],
          (SqlNodeList) operands[3],
          (SqlLiteral) operands[4],
          operands[5],
          operands[6],
          (SqlLiteral) operands[7],
          (SqlLiteral) operands[8]);
    }

    /** Names of windows are no expressions. */
    @Override
    public <R> void acceptCall(
        SqlVisitor<R> visitor,
        SqlCall call,
        boolean onlyExpressions,
        SqlBasicVisitor.ArgHandler<R> argHandler) {
      for (int index = 0; index < call.operandCount(); index++) {
        boolean name = index <= 1 && onlyExpressions;
        if (call.operand(index) != null && !name) {
          argHandler.visitChild(visitor, call, index, call.operand(index));
        }
      }
    }

    @Override
    public void unparse(SqlWriter writer, SqlCall call, int left, int right) {
      SqlWindow.create(
              null,
              call.operand(1),
              call.operand(2),
              call.operand(3),
              call.operand(4),
              call.operand(5),
              call.operand(6),
              call.operand(7),
              call.operand(8),
              SqlParserPos.ZERO)
          .unparse(writer, left, right);
    }
  }
}
