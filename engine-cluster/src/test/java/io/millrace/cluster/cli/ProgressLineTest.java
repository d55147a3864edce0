package io.millrace.cluster.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.core.metrics.OperatorMetrics;
import io.millrace.core.metrics.QueryProfile;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ProgressLineTest {
  @Test
  void saysWhatScansHaveRead() {
    OperatorMetrics scan = new OperatorMetrics(1, "Scan");
    scan.addOutput(1_234_567, 10);
    scan.addReadBytes(3 << 19);
    OperatorMetrics filter = new OperatorMetrics(2, "Filter");
    filter.addOutput(5, 10);
    QueryProfile profile = new QueryProfile(List.of(scan.snapshot(0), filter.snapshot(0)), 0);
    assertEquals(
        "2.5 s, 1,234,567 rows and 1.5 MiB read", ProgressLine.text(2_500_000_000L, profile));
    assertEquals("2.5 s", ProgressLine.text(2_500_000_000L, QueryProfile.EMPTY));
  }

  @Test
  void aQuickQueryShowsNothing() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    ProgressLine.start(() -> QueryProfile.EMPTY, new PrintStream(err)).close();
    assertEquals(0, err.size());
  }
}
