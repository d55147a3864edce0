package io.millrace.cluster.protocol;

/**
 * A query as a client gives it to a coordinator.
 *
 * @param query its id
 * @param setup settings and jars
 * @param plan the physical plan with its exchanges, encoded
 */
public record QuerySubmission(String query, QuerySetup setup, byte[] plan) {

  public byte[] encode() {
    MessageWriter out = new MessageWriter().putString(query);
    setup.put(out);
    return out.putBytes(plan).toBytes();
  }

  public static QuerySubmission decode(byte[] bytes) {
    MessageReader in = new MessageReader(bytes);
    QuerySubmission submission =
        new QuerySubmission(in.takeString(), QuerySetup.take(in), in.takeBytes());
    in.end();
    return submission;
  }
}
