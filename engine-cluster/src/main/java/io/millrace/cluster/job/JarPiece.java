package io.millrace.cluster.job;

import io.millrace.cluster.protocol.MessageReader;
import io.millrace.cluster.protocol.MessageWriter;

/**
 * A piece of a jar on its way to the coordinator.
 *
 * @param upload names this upload among all
 * @param hash SHA-256 (hex) of the whole jar
 * @param last whether the jar is whole with this piece
 * @param bytes the piece; pieces come in order
 */
record JarPiece(String upload, String hash, boolean last, byte[] bytes) {

  byte[] encode() {
    return new MessageWriter()
        .putString(upload)
        .putString(hash)
        .putBoolean(last)
        .putBytes(bytes)
        .toBytes();
  }

  static JarPiece decode(byte[] request) {
    MessageReader in = new MessageReader(request);
    JarPiece piece =
        new JarPiece(in.takeString(), in.takeString(), in.takeBoolean(), in.takeBytes());
    in.end();
    return piece;
  }
}
