package io.millrace.exec.format.file;

import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.Split;
import java.util.List;
import java.util.function.IntPredicate;

/** A table of files that can leave out files without opening them. */
public interface PrunableFiles {

  /**
   * The splits of some files.
   *
   * @param read whether the file at a position among the source's uris is read
   */
  List<Split> splits(ScanSpecification specification, int wantedParallelism, IntPredicate read);
}
