package io.millrace.exec.format.parquet;

import io.millrace.core.spi.TableStatistics.ColumnStatistics;
import io.millrace.core.type.DataType;
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
  private boolean distinctKnown = true;
  private double mostDistinct;
  private double allDistinct;

  BoundsSummary(Field column) {
    this.column = column;
  }

  ColumnStatistics of(List<ParquetFooter> footers) {
    for (ParquetFooter footer : footers) {
      for (int group = 0; group < footer.rowGroupCount(); group++) {
        rows += footer.rowCount(group);
        bytes += footer.plainByteCount(group, column.name());
        add(footer.bounds(group, column));
        addDistinct(footer.distinctCount(group, column), footer.rowCount(group));
      }
    }
    return new ColumnStatistics(
        distinct(),
        nullsKnown && rows > 0 ? OptionalDouble.of((double) nulls / rows) : OptionalDouble.empty(),
        rows > 0 ? OptionalLong.of(bytes / rows) : OptionalLong.empty(),
        boundsKnown && least != null ? ColumnBounds.javaValue(least, column) : null,
        boundsKnown && greatest != null ? ColumnBounds.javaValue(greatest, column) : null);
  }

  private void addDistinct(double count, long groupRows) {
    distinctKnown &= count >= 0 || groupRows == 0;
    mostDistinct = Math.max(mostDistinct, count);
    allDistinct += Math.max(0, count);
  }

  /**
   * Row groups mostly have the same values: what one of them repeats often, the others have too.
   * The less it repeats them, the more new ones the others bring.
   */
  private OptionalLong distinct() {
    if (!distinctKnown || rows == 0 || mostDistinct == 0) {
      return OptionalLong.empty();
    }
    double share = Math.min(1, allDistinct / rows);
    double count = mostDistinct + (allDistinct - mostDistinct) * share;
    if (boundsKnown && least != null && isWhole()) {
      count = Math.min(count, greatest.subtract(least).doubleValue() + 1);
    }
    return OptionalLong.of(Math.max(1, Math.min(rows, Math.round(count))));
  }

  private boolean isWhole() {
    return column.type() instanceof DataType.Int || column.type() instanceof DataType.Date;
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
