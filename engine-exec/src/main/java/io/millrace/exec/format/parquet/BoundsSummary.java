package io.millrace.exec.format.parquet;

import io.millrace.core.spi.TableStatistics.ColumnStatistics;
import io.millrace.core.type.Field;
import io.millrace.exec.format.parquet.read.ColumnBounds;
import io.millrace.exec.format.parquet.read.ParquetFooter;
import java.math.BigDecimal;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Statistics of one column over all row groups; what one row group does not say is unknown. */
final class BoundsSummary {
  private final Field column;
  private long rows;
  private long bytes;
  private long nulls;
  private boolean nullsKnown = true;
  private boolean boundsKnown = true;
  private BigDecimal least;
  private BigDecimal greatest;

  BoundsSummary(Field column) {
    this.column = column;
  }

  ColumnStatistics of(List<ParquetFooter> footers) {
    for (ParquetFooter footer : footers) {
      for (int group = 0; group < footer.rowGroupCount(); group++) {
        rows += footer.rowCount(group);
        bytes += footer.plainByteCount(group, column.name());
        add(footer.bounds(group, column));
      }
    }
    return new ColumnStatistics(
        OptionalLong.empty(),
        nullsKnown && rows > 0 ? OptionalDouble.of((double) nulls / rows) : OptionalDouble.empty(),
        rows > 0 ? OptionalLong.of(bytes / rows) : OptionalLong.empty(),
        boundsKnown && least != null ? ColumnBounds.javaValue(least, column) : null,
        boundsKnown && greatest != null ? ColumnBounds.javaValue(greatest, column) : null);
  }

  private void add(ColumnBounds bounds) {
    if (bounds == null || bounds.nullCount() < 0) {
      nullsKnown = false;
    } else {
      nulls += bounds.nullCount();
    }
    if (bounds != null && bounds.isAllNull()) {
      return;
    }
    if (bounds != null
        && bounds.lower() instanceof BigDecimal lower
        && bounds.upper() instanceof BigDecimal upper) {
      least = least == null || lower.compareTo(least) < 0 ? lower : least;
      greatest = greatest == null || upper.compareTo(greatest) > 0 ? upper : greatest;
    } else {
      boundsKnown = false;
    }
  }
}
