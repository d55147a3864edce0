package io.millrace.planner.dataframe;

import io.millrace.core.config.Configuration;
import io.millrace.core.config.Setting;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.metrics.QueryProfile;
import io.millrace.core.spi.WriteMode;
import io.millrace.planner.sql.SqlStatement;
import io.millrace.planner.sql.TableReference;
import io.millrace.planner.sql.parser.ParsedStatement;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Does bound statements in a Session. */
final class StatementExecution {
  private static final String MODE_OPTION = "mode";
  private static final String FORMAT_OPTION = "format";

  private final Session session;
  private final SessionListing listing;

  StatementExecution(Session session) {
    this.session = session;
    this.listing = new SessionListing(session);
  }

  StatementResult execute(SqlStatement statement) {
    return switch (statement) {
      case SqlStatement.Query query -> rows(frame(query));
      case SqlStatement.CreateTableAs create -> createTable(create);
      case SqlStatement.CreateView create -> createView(create);
      case SqlStatement.Drop drop -> drop(drop);
      case SqlStatement.Copy copy -> copy(copy);
      case SqlStatement.Insert insert -> insert(insert);
      case SqlStatement.CreateFunction create -> createFunction(create);
      case SqlStatement.SetSetting set -> set(set);
      case SqlStatement.Show show -> rows(show(show));
      case SqlStatement.Describe describe -> rows(listing.columns(frame(describe.query())));
      case SqlStatement.Explain explain -> rows(explain(explain));
    };
  }

  private DataFrame frame(SqlStatement.Query query) {
    return session.frame(query.rel());
  }

  private static StatementResult rows(DataFrame frame) {
    return new StatementResult.Rows(frame);
  }

  private static StatementResult done(String action) {
    return new StatementResult.Done(action, 0, QueryProfile.EMPTY);
  }

  private StatementResult createTable(SqlStatement.CreateTableAs create) {
    boolean exists = session.catalog().find(create.name()).isPresent();
    if (exists && create.ifNotExists()) {
      return done("CREATE TABLE");
    }
    if (exists && !create.replace()) {
      throw Catalog.exists(create.name());
    }
    WriteResult written =
        session.stored().create(create.name(), frame(create.query()), create.replace());
    return new StatementResult.Done("CREATE TABLE", written.rows(), written.profile());
  }

  private StatementResult createView(SqlStatement.CreateView create) {
    boolean exists = session.catalog().find(create.name()).isPresent();
    if (!exists || !create.ifNotExists()) {
      session.catalog().putView(create.name(), frame(create.query()), create.replace());
    }
    return done("CREATE VIEW");
  }

  private StatementResult drop(SqlStatement.Drop drop) {
    boolean dropped =
        switch (drop.kind()) {
          case TABLE, VIEW -> session.catalog().drop(drop.name());
          case FUNCTION ->
              session.userFunctions().remove(drop.name().toLowerCase(Locale.ROOT)) != null;
        };
    if (!dropped && !drop.ifExists()) {
      throw drop.kind() == ParsedStatement.ObjectKind.FUNCTION
          ? new MillraceException(
              ErrorCode.UNKNOWN_FUNCTION,
              "No registered function of this name: '" + drop.name() + "'")
          : session.catalog().unknown(drop.name());
    }
    return done("DROP " + drop.kind());
  }

  /** COPY makes a new file or table unless its MODE option says otherwise. */
  private StatementResult copy(SqlStatement.Copy copy) {
    Map<String, String> options = new TreeMap<>();
    copy.options().forEach((name, value) -> options.put(name, TableFunctions.text(value)));
    WriteMode mode =
        Optional.ofNullable(options.remove(MODE_OPTION))
            .map(StatementExecution::mode)
            .orElse(WriteMode.OVERWRITE);
    Optional<String> format =
        Optional.ofNullable(options.remove(FORMAT_OPTION))
            .map(name -> name.toLowerCase(Locale.ROOT));
    WriteResult written =
        session.write(frame(copy.query()).relation(), format, copy.target(), mode, options);
    return new StatementResult.Done("COPY", written.rows(), written.profile());
  }

  private static WriteMode mode(String text) {
    return Arrays.stream(WriteMode.values())
        .filter(mode -> mode.name().equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(
            () ->
                new MillraceException(
                    ErrorCode.INVALID_OPTION_VALUE,
                    "The option mode is one of "
                        + Arrays.toString(WriteMode.values())
                        + ": '"
                        + text
                        + "'"));
  }

  private StatementResult insert(SqlStatement.Insert insert) {
    DataFrame source = frame(insert.query());
    WriteResult written =
        switch (insert.target().source()) {
          case TableReference.Source.Path(String path) ->
              session.write(source.relation(), Optional.empty(), path, WriteMode.APPEND, Map.of());
          case TableReference.Source.Name(List<String> names) ->
              session.stored().append(String.join(".", names), source);
          case TableReference.Source.Function function ->
              throw new MillraceException(
                  ErrorCode.UNSUPPORTED_SQL,
                  "INSERT takes a table's name or a path, not a function: " + function.name());
        };
    return new StatementResult.Done("INSERT", written.rows(), written.profile());
  }

  private StatementResult createFunction(SqlStatement.CreateFunction create) {
    String name = create.name().toLowerCase(Locale.ROOT);
    boolean exists = session.userFunctions().containsKey(name);
    if (exists && !create.replace() && !create.ifNotExists()) {
      throw new MillraceException(
          ErrorCode.DUPLICATE_NAME,
          "There is a function of this name; write CREATE OR REPLACE: '" + create.name() + "'");
    }
    if (!exists || create.replace()) {
      session.register(
          session.functionClasses().load(create.name(), create.className(), create.jar()));
    }
    return done("CREATE FUNCTION");
  }

  private StatementResult set(SqlStatement.SetSetting set) {
    if (set.value().isPresent()) {
      session.set(set.key(), set.value().get());
    } else {
      Setting<?> setting = Configuration.require(set.key());
      session.set(setting.name(), setting.defaultText());
    }
    return done("SET");
  }

  private DataFrame show(SqlStatement.Show show) {
    return switch (show.kind()) {
      case TABLES -> listing.tables(show.pattern());
      case FUNCTIONS -> listing.functions(show.pattern());
      case SETTINGS -> listing.settings(show.pattern());
      case SETTING -> listing.setting(show.key().orElseThrow());
      case COLUMNS -> listing.columns(frame(show.table().orElseThrow()));
      case TABLE_HEALTH ->
          throw new MillraceException(
              ErrorCode.UNSUPPORTED_SQL, "SHOW TABLE HEALTH is not supported yet.");
    };
  }

  DataFrame explain(SqlStatement.Explain explain) {
    SqlStatement.Query query =
        explain
            .statement()
            .source()
            .orElseThrow(
                () ->
                    new MillraceException(
                        ErrorCode.UNSUPPORTED_SQL, "EXPLAIN takes a statement with a query."));
    DataFrame frame = frame(query);
    String text =
        explain.analyze() ? frame.explainAnalyze() : frame.explain(phase(explain.phase()));
    return listing.lines("plan", text);
  }

  private static ExplainPhase phase(ParsedStatement.ExplainPhase phase) {
    return switch (phase) {
      case ALL -> ExplainPhase.ALL;
      case LOGICAL -> ExplainPhase.LOGICAL;
      case OPTIMIZED -> ExplainPhase.OPTIMIZED;
      case PHYSICAL -> ExplainPhase.PHYSICAL;
      case STAGES -> ExplainPhase.STAGES;
    };
  }
}
