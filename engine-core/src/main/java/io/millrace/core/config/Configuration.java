package io.millrace.core.config;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.error.NearestNames;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Values of settings; immutable. What is not set has its default. */
public final class Configuration {
  /** Prefix of environment variables: {@code MILLRACE_BATCH_ROWS} sets {@code batch.rows}. */
  private static final String ENVIRONMENT_PREFIX = "MILLRACE_";

  public static final Configuration DEFAULTS = new Configuration(Map.of());

  private final Map<String, String> texts;

  private Configuration(Map<String, String> texts) {
    this.texts = Map.copyOf(texts);
  }

  /** Values from texts by setting name; each is checked. */
  public static Configuration of(Map<String, String> texts) {
    Configuration result = DEFAULTS;
    for (Map.Entry<String, String> entry : texts.entrySet()) {
      result = result.with(entry.getKey(), entry.getValue());
    }
    return result;
  }

  /** Values from an environment; variables that name no setting are left alone. */
  public static Configuration ofEnvironment(Map<String, String> environment) {
    Configuration result = DEFAULTS;
    for (Setting<?> setting : Settings.all()) {
      String variable =
          ENVIRONMENT_PREFIX + setting.name().toUpperCase(Locale.ROOT).replace('.', '_');
      if (environment.containsKey(variable)) {
        result = result.with(setting.name(), environment.get(variable));
      }
    }
    return result;
  }

  /**
   * These values with one changed.
   *
   * @throws MillraceException UNKNOWN_SETTING naming the nearest, or INVALID_OPTION_VALUE
   */
  public Configuration with(String name, String text) {
    Setting<?> setting = require(name);
    setting.parse(text);
    Map<String, String> changed = new TreeMap<>(texts);
    changed.put(setting.name(), text);
    return new Configuration(changed);
  }

  public <T> Configuration with(Setting<T> setting, T value) {
    return with(setting.name(), String.valueOf(value));
  }

  public <T> T value(Setting<T> setting) {
    String text = texts.get(setting.name());
    return text == null ? setting.defaultValue() : setting.parse(text);
  }

  /** The values that were set, by name, in text form; what a plan carries to workers. */
  public Map<String, String> texts() {
    return texts;
  }

  /** The setting of this name, without regard to case. */
  public static Setting<?> require(String name) {
    List<String> names = Settings.all().stream().<String>map(Setting::name).toList();
    return Settings.all().stream()
        .filter(setting -> setting.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new MillraceException(
                    ErrorCode.UNKNOWN_SETTING,
                    "Unknown setting '" + name + "'" + NearestNames.hint(name, names)));
  }
}
