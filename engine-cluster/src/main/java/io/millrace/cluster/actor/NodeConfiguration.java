package io.millrace.cluster.actor;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Akka's configuration for one node, built in code so that no file on the class path changes it.
 */
final class NodeConfiguration {
  /** The name that all actor systems of a cluster share. */
  static final String SYSTEM_NAME = "millrace";

  static final String COORDINATOR_ROLE = "coordinator";
  static final String WORKER_ROLE = "worker";

  private NodeConfiguration() {}

  /**
   * The configuration of a node.
   *
   * @param role one of the two roles
   * @param host the address to bind to and to be known by
   * @param port TCP port of the control channel, 0 for any free one
   */
  static Config of(String role, String host, int port) {
    Map<String, Object> values = new HashMap<>();
    values.put("akka.actor.provider", "cluster");
    values.put("akka.actor.allow-java-serialization", false);
    values.put("akka.actor.serializers.millrace", MessageSerializer.class.getName());
    values.put(
        "akka.actor.serialization-bindings",
        Map.of("\"io.millrace.cluster.protocol.ClusterMessage\"", "millrace"));
    values.put("akka.remote.artery.canonical.hostname", host);
    values.put("akka.remote.artery.canonical.port", port);
    values.put("akka.remote.artery.advanced.maximum-frame-size", "512 KiB");
    values.put("akka.remote.artery.advanced.shutdown-flush-timeout", "200ms");
    values.put("akka.cluster.roles", List.of(role));
    values.put("akka.cluster.jmx.enabled", false);
    // Quick joins: the default of one second per gossip round is felt with --workers.
    values.put("akka.cluster.gossip-interval", "250ms");
    values.put("akka.cluster.leader-actions-interval", "250ms");
    // A loaded machine with two cores stalls for 2 to 8 s; a shorter pause kills live workers. A
    // process that dies is noticed at once by its broken data connection instead.
    values.put("akka.cluster.failure-detector.acceptable-heartbeat-pause", "18s");
    values.put("akka.remote.watch-failure-detector.acceptable-heartbeat-pause", "18s");
    values.put(
        "akka.cluster.downing-provider-class", "akka.cluster.sbr.SplitBrainResolverProvider");
    // The coordinator is the oldest member: its side of a split survives, the other ends.
    values.put("akka.cluster.split-brain-resolver.active-strategy", "keep-oldest");
    values.put("akka.cluster.split-brain-resolver.keep-oldest.down-if-alone", false);
    values.put("akka.cluster.split-brain-resolver.stable-after", "5s");
    values.put("akka.cluster.run-coordinated-shutdown-when-down", true);
    // Workers say goodbye by a message of ours; leaving by gossip would take seconds.
    values.put("akka.coordinated-shutdown.run-by-actor-system-terminate", false);
    values.put("akka.coordinated-shutdown.exit-jvm", false);
    values.put("akka.coordinated-shutdown.run-by-jvm-shutdown-hook", false);
    values.put("akka.jvm-shutdown-hooks", false);
    values.put("akka.loggers", List.of("akka.event.slf4j.Slf4jLogger"));
    values.put("akka.logging-filter", "akka.event.slf4j.Slf4jLoggingFilter");
    values.put("akka.use-slf4j", true);
    values.put("akka.loglevel", "WARNING");
    values.put("akka.stdout-loglevel", "OFF");
    values.put("akka.log-dead-letters", 0);
    values.put("akka.log-dead-letters-during-shutdown", false);
    values.put("akka.log-config-on-start", false);
    return ConfigFactory.parseMap(values)
        .withFallback(ConfigFactory.defaultReference(NodeConfiguration.class.getClassLoader()))
        .resolve();
  }
}
