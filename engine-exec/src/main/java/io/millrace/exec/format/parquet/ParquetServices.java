package io.millrace.exec.format.parquet;

import io.millrace.exec.expression.ExpressionCompiler;
import io.millrace.exec.format.parquet.encoding.PageBuffers;

/** What all scans of a connector share. Safe for use by several threads; made on first use. */
final class ParquetServices {
  private final FooterCache footers = new FooterCache();
  private final PageBuffers buffers = PageBuffers.ofHeap();
  private ExpressionCompiler expressions;

  FooterCache footers() {
    return footers;
  }

  PageBuffers buffers() {
    return buffers;
  }

  synchronized ExpressionCompiler expressions() {
    if (expressions == null) {
      expressions = ExpressionCompiler.discovered();
    }
    return expressions;
  }
}
