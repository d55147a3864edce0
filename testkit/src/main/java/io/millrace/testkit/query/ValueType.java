package io.millrace.testkit.query;

/** Types of the expressions of random queries, by their SQL name. */
public enum ValueType {
  INTEGER("INTEGER"),
  BIGINT("BIGINT"),
  /** Only multiples of a quarter, so that sums are exact in any order. */
  DOUBLE("DOUBLE"),
  DECIMAL("DECIMAL(10, 2)"),
  VARCHAR("VARCHAR"),
  BOOLEAN("BOOLEAN"),
  DATE("DATE"),
  TIMESTAMP("TIMESTAMP");

  private final String sqlName;

  ValueType(String sqlName) {
    this.sqlName = sqlName;
  }

  public String sqlName() {
    return sqlName;
  }
}
