package io.millrace.planner.sql;

import io.millrace.core.type.Schema;
import java.util.OptionalDouble;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.RelNode;

/**
 * A table or view as a query sees it. The Session makes one for each core {@code Table} it opens,
 * each view and each registered DataFrame.
 */
public interface CatalogTable {

  /** The name in plans and errors. */
  String name();

  Schema schema();

  /** Rows, when known. */
  OptionalDouble rowCount();

  /** A tree that gives the table's rows, with exactly its schema, built in this cluster. */
  RelNode toRel(RelOptCluster cluster);
}
