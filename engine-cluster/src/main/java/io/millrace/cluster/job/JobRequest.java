package io.millrace.cluster.job;

import io.millrace.cluster.protocol.MessageReader;
import io.millrace.cluster.protocol.MessageWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A pipeline to run on the coordinator's machine.
 *
 * @param jarHash SHA-256 (hex) of its jar, which the coordinator has
 * @param mainClass empty for the one that the jar names
 * @param arguments of the pipeline
 * @param settings for its session, by name
 */
record JobRequest(
    String jarHash,
    Optional<String> mainClass,
    List<String> arguments,
    Map<String, String> settings) {

  JobRequest {
    arguments = List.copyOf(arguments);
    settings = Map.copyOf(settings);
  }

  byte[] encode() {
    return new MessageWriter()
        .putString(jarHash)
        .putOptional(mainClass, MessageWriter::putString)
        .putList(arguments, MessageWriter::putString)
        .putList(
            new TreeMap<>(settings).entrySet(),
            (out, entry) -> out.putString(entry.getKey()).putString(entry.getValue()))
        .toBytes();
  }

  static JobRequest decode(byte[] bytes) {
    MessageReader in = new MessageReader(bytes);
    String hash = in.takeString();
    Optional<String> mainClass = in.takeOptional(MessageReader::takeString);
    List<String> arguments = in.takeList(MessageReader::takeString);
    Map<String, String> settings = new TreeMap<>();
    in.takeList(reader -> settings.put(reader.takeString(), reader.takeString()) == null);
    in.end();
    return new JobRequest(hash, mainClass, arguments, settings);
  }
}
