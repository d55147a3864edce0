package io.millrace.exec.store;

import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * What stores are opened with. Credentials come from the environment, where the clouds' own tools
 * look for them too; a setting, when it is given, counts more than the environment.
 *
 * @param environment names and values of environment variables
 */
record StoreSettings(
    String s3Endpoint,
    String s3Region,
    boolean anonymous,
    int attempts,
    long timeoutMillis,
    Map<String, String> environment) {

  static StoreSettings of(Configuration configuration, Map<String, String> environment) {
    return new StoreSettings(
        configuration.value(Settings.STORE_S3_ENDPOINT),
        configuration.value(Settings.STORE_S3_REGION),
        configuration.value(Settings.STORE_ANONYMOUS),
        configuration.value(Settings.STORE_ATTEMPTS),
        configuration.value(Settings.STORE_TIMEOUT_MILLIS),
        environment);
  }

  StoreRetries retries() {
    return new StoreRetries(attempts, 100, 10_000);
  }

  Duration timeout() {
    return Duration.ofMillis(timeoutMillis);
  }

  private String variable(String... names) {
    for (String name : names) {
      String value = environment.get(name);
      if (value != null && !value.isBlank()) {
        return value;
      }
    }
    return "";
  }

  private static void put(Map<String, String> options, String name, String value) {
    if (!value.isEmpty()) {
      options.put(name, value);
    }
  }

  private static String either(String setting, String variable) {
    return setting.isEmpty() ? variable : setting;
  }

  /** Options of a bucket of S3, or of what speaks like it. */
  Map<String, String> s3(String bucket) {
    Map<String, String> options = new HashMap<>();
    options.put("bucket", bucket);
    options.put("root", "/");
    String region = either(s3Region, variable("AWS_REGION", "AWS_DEFAULT_REGION"));
    options.put("region", region.isEmpty() ? "us-east-1" : region);
    put(
        options,
        "endpoint",
        either(s3Endpoint, variable("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")));
    String key = variable("AWS_ACCESS_KEY_ID");
    if (anonymous) {
      options.put("allow_anonymous", "true");
      options.put("skip_signature", "true");
      options.put("disable_config_load", "true");
      options.put("disable_ec2_metadata", "true");
    } else if (!key.isEmpty()) {
      options.put("access_key_id", key);
      put(options, "secret_access_key", variable("AWS_SECRET_ACCESS_KEY"));
      put(options, "session_token", variable("AWS_SESSION_TOKEN"));
      options.put("disable_config_load", "true");
      options.put("disable_ec2_metadata", "true");
    }
    return options;
  }

  /** Options of a bucket of Google's storage. */
  Map<String, String> gcs(String bucket) {
    Map<String, String> options = new HashMap<>();
    options.put("bucket", bucket);
    options.put("root", "/");
    put(options, "endpoint", variable("GOOGLE_STORAGE_ENDPOINT"));
    put(options, "credential_path", variable("GOOGLE_APPLICATION_CREDENTIALS"));
    if (anonymous) {
      options.put("allow_anonymous", "true");
      options.put("disable_vm_metadata", "true");
      options.put("disable_config_load", "true");
    }
    return options;
  }

  /** Options of a container of Azure's blob storage. */
  Map<String, String> azure(String container) {
    Map<String, String> options = new HashMap<>();
    options.put("container", container);
    options.put("root", "/");
    String account = variable("AZURE_STORAGE_ACCOUNT", "AZURE_STORAGE_ACCOUNT_NAME");
    put(options, "account_name", account);
    put(options, "account_key", variable("AZURE_STORAGE_KEY", "AZURE_STORAGE_ACCOUNT_KEY"));
    put(options, "sas_token", variable("AZURE_STORAGE_SAS_TOKEN"));
    String endpoint = variable("AZURE_STORAGE_ENDPOINT");
    put(
        options,
        "endpoint",
        endpoint.isEmpty() && !account.isEmpty()
            ? "https://" + account + ".blob.core.windows.net"
            : endpoint);
    return options;
  }
}
