package io.millrace.udf.actor;

import akka.actor.typed.ActorSystem;
import io.millrace.core.spi.UdfEnvironment;
import io.millrace.core.spi.UdfInvoker;
import io.millrace.core.spi.UdfPool;
import io.millrace.core.udf.UdfImplementation;
import io.millrace.core.udf.UdfReference;
import io.millrace.udf.codec.UdfCodec;

/**
 * Runs user-defined functions in actors of a worker's actor system. The worker makes it and hands
 * it to its tasks in place of the local invoker that ServiceLoader finds.
 */
public final class ActorUdfInvoker implements UdfInvoker {
  private final ActorSystem<?> system;

  /**
   * @param system stays the caller's; its configuration must hold {@code millrace.udf.dispatcher}
   *     (this module's reference.conf does)
   */
  public ActorUdfInvoker(ActorSystem<?> system) {
    this.system = system;
  }

  @Override
  public byte[] encode(UdfImplementation implementation) {
    return UdfCodec.encode(implementation);
  }

  @Override
  public UdfPool openPool(UdfReference function, UdfEnvironment environment) {
    UdfImplementation implementation =
        UdfCodec.decode(function.name(), function.payload(), environment.classLoader());
    return new ActorUdfPool(system, function, implementation, environment);
  }
}
