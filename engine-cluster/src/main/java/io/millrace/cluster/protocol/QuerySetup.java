package io.millrace.cluster.protocol;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a worker must know of a query before it runs its first task.
 *
 * @param configuration settings that were set, by name
 * @param jarHashes SHA-256 (hex) of the jars with the user's classes, in class path order
 */
public record QuerySetup(Map<String, String> configuration, List<String> jarHashes) {
  public QuerySetup {
    configuration = Map.copyOf(configuration);
    jarHashes = List.copyOf(jarHashes);
  }

  public byte[] encode() {
    MessageWriter out = new MessageWriter();
    put(out);
    return out.toBytes();
  }

  void put(MessageWriter out) {
    out.putList(
        new TreeMap<>(configuration).entrySet(),
        (writer, entry) -> writer.putString(entry.getKey()).putString(entry.getValue()));
    out.putList(jarHashes, MessageWriter::putString);
  }

  public static QuerySetup decode(byte[] bytes) {
    MessageReader in = new MessageReader(bytes);
    QuerySetup setup = take(in);
    in.end();
    return setup;
  }

  static QuerySetup take(MessageReader in) {
    Map<String, String> configuration = new TreeMap<>();
    in.takeList(reader -> configuration.put(reader.takeString(), reader.takeString()) == null);
    return new QuerySetup(configuration, in.takeList(MessageReader::takeString));
  }
}
