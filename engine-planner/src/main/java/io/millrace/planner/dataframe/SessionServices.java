package io.millrace.planner.dataframe;

import io.millrace.core.config.Configuration;
import io.millrace.core.function.FunctionRegistry;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.Connectors;
import io.millrace.core.spi.ConstantEvaluator;
import io.millrace.core.spi.QueryRunner;
import io.millrace.core.spi.UdfInvoker;
import java.util.List;
import java.util.Optional;

/**
 * What a Session works with; {@link Session#local()} finds it all, embedders and tests may give
 * their own.
 *
 * @param functions built-in functions
 * @param connectorContext for opening tables and sinks on this side
 * @param runner runs the plans
 * @param constantEvaluator folds constants; without one calls of constants stay as they are
 * @param udfInvoker encodes user-defined functions; without one they are an error
 * @param jarHash SHA-256 (hex) of the job's jar that holds the classes of user-defined functions;
 *     empty when they are on the engine's class path
 * @param owned closed with the Session, last first
 */
public record SessionServices(
    Configuration configuration,
    FunctionRegistry functions,
    Connectors connectors,
    ConnectorContext connectorContext,
    QueryRunner runner,
    Optional<ConstantEvaluator> constantEvaluator,
    Optional<UdfInvoker> udfInvoker,
    Optional<String> jarHash,
    List<AutoCloseable> owned) {
  public SessionServices {
    owned = List.copyOf(owned);
  }
}
