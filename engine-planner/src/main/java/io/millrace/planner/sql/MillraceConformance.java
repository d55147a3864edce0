package io.millrace.planner.sql;

import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlDelegatingConformance;

/** Friendly rules: aliases and ordinals in GROUP BY and ORDER BY, {@code !=}, {@code %}. */
final class MillraceConformance extends SqlDelegatingConformance {
  static final MillraceConformance INSTANCE = new MillraceConformance();

  private MillraceConformance() {
    super(SqlConformanceEnum.LENIENT);
  }

  /** {@code LIMIT 1, 2} reads as MySQL's and surprises everybody else. */
  @Override
  public boolean isLimitStartCountAllowed() {
    return false;
  }

  @Override
  public boolean isOffsetLimitAllowed() {
    return true;
  }

  @Override
  public boolean isFromRequired() {
    return false;
  }

  @Override
  public boolean supportsUnsignedTypes() {
    return true;
  }

  @Override
  public boolean allowAliasUnnestItems() {
    return true;
  }
}
