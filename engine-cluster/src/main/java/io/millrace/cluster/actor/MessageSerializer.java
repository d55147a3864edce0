package io.millrace.cluster.actor;

import akka.actor.ExtendedActorSystem;
import akka.serialization.JSerializer;
import io.millrace.cluster.protocol.ClusterMessage;
import io.millrace.cluster.protocol.MessageCodec;

/**
 * Hooks the control messages' own binary form into Akka; created by Akka through its configuration.
 */
public final class MessageSerializer extends JSerializer {
  private static final int IDENTIFIER = 77_310;

  /** The constructor that Akka calls. */
  public MessageSerializer(ExtendedActorSystem system) {
    // The messages hold no actor references, so the system is not needed.
  }

  @Override
  public int identifier() {
    return IDENTIFIER;
  }

  @Override
  public boolean includeManifest() {
    return false;
  }

  @Override
  public byte[] toBinary(Object message) {
    return MessageCodec.encode((ClusterMessage) message);
  }

  @Override
  public Object fromBinaryJava(byte[] bytes, Class<?> manifest) {
    return MessageCodec.decode(bytes);
  }
}
