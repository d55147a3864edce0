package io.millrace.exec.format.parquet;

import io.millrace.exec.expression.ExpressionCompiler;

/** What all scans of a connector share. Safe for use by several threads; made on first use. */
final class ParquetServices {
  private final FooterCache footers = new FooterCache();
  private ExpressionCompiler expressions;

  FooterCache footers() {
    return footers;
  }

  synchronized ExpressionCompiler expressions() {
    if (expressions == null) {
      expressions = ExpressionCompiler.discovered();
    }
    return expressions;
  }
}
