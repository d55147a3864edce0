package io.millrace.testkit.slt;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** DuckDB in this process, whose answers are taken as right. */
public final class DuckDbOracle implements QueryEngine {
  private final Connection connection;

  public DuckDbOracle() {
    try {
      connection = DriverManager.getConnection("jdbc:duckdb:");
    } catch (SQLException problem) {
      throw new IllegalStateException(problem);
    }
  }

  @Override
  public String name() {
    return "duckdb";
  }

  @Override
  public List<List<Object>> run(String sql) {
    // A failed statement is closed by the driver, so each gets its own.
    try (Statement statement = connection.createStatement()) {
      List<List<Object>> rows = new ArrayList<>();
      if (statement.execute(sql)) {
        try (ResultSet result = statement.getResultSet()) {
          int columns = result.getMetaData().getColumnCount();
          while (result.next()) {
            List<Object> row = new ArrayList<>();
            for (int column = 1; column <= columns; column++) {
              row.add(result.getObject(column));
            }
            rows.add(row);
          }
        }
      }
      return rows;
    } catch (SQLException problem) {
      throw new IllegalStateException("DuckDB: " + problem.getMessage(), problem);
    }
  }

  @Override
  public String errorCode(RuntimeException failure) {
    return failure.getMessage();
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException problem) {
      throw new IllegalStateException(problem);
    }
  }
}
