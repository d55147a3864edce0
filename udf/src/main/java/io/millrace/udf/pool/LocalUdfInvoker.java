package io.millrace.udf.pool;

import io.millrace.core.spi.UdfEnvironment;
import io.millrace.core.spi.UdfInvoker;
import io.millrace.core.spi.UdfPool;
import io.millrace.core.udf.UdfImplementation;
import io.millrace.core.udf.UdfReference;
import io.millrace.udf.codec.UdfCodec;

/** Runs user-defined functions on threads of this process. */
public final class LocalUdfInvoker implements UdfInvoker {

  @Override
  public byte[] encode(UdfImplementation implementation) {
    return UdfCodec.encode(implementation);
  }

  @Override
  public UdfPool openPool(UdfReference function, UdfEnvironment environment) {
    UdfImplementation implementation =
        UdfCodec.decode(function.name(), function.payload(), environment.classLoader());
    return new LocalUdfPool(function, implementation, environment);
  }
}
