package io.millrace.udf.codec;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.serializers.ClosureSerializer;
import com.esotericsoftware.kryo.util.DefaultInstantiatorStrategy;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.udf.UdfImplementation;
import org.objenesis.strategy.StdInstantiatorStrategy;

/**
 * User code as bytes: Kryo with references, closures included. What a closure captures is written
 * with it, so captured values must be plain data; classes are looked up in the job's class loader.
 */
public final class UdfCodec {
  private static final int INITIAL_BYTES = 1024;

  /** Larger captures belong into a file that {@code open} reads. */
  private static final int LIMIT_BYTES = 16 << 20;

  private UdfCodec() {}

  /**
   * @throws MillraceException UDF_NOT_LOADABLE when something captured cannot be written, or is too
   *     large
   */
  public static byte[] encode(UdfImplementation implementation) {
    Output output = new Output(INITIAL_BYTES, LIMIT_BYTES);
    try {
      kryo(implementation.getClass().getClassLoader()).writeClassAndObject(output, implementation);
    } catch (RuntimeException problem) {
      throw new MillraceException(
          ErrorCode.UDF_NOT_LOADABLE,
          "The function captures something that cannot be sent to a worker; open it in open(),"
              + " or capture plain values of at most 16 MiB: "
              + firstLine(problem),
          problem);
    }
    return output.toBytes();
  }

  /**
   * @throws MillraceException UDF_NOT_LOADABLE when a class is missing or the bytes do not fit it
   */
  public static UdfImplementation decode(String name, byte[] payload, ClassLoader classLoader) {
    try {
      return (UdfImplementation) kryo(classLoader).readClassAndObject(new Input(payload));
    } catch (RuntimeException problem) {
      throw new MillraceException(
          ErrorCode.UDF_NOT_LOADABLE,
          "The function's classes cannot be loaded here; submit the jar that holds them: "
              + name
              + ": "
              + firstLine(problem),
          problem);
    }
  }

  private static Kryo kryo(ClassLoader classLoader) {
    Kryo kryo = new Kryo();
    kryo.setRegistrationRequired(false);
    kryo.setReferences(true);
    kryo.setInstantiatorStrategy(new DefaultInstantiatorStrategy(new StdInstantiatorStrategy()));
    kryo.register(ClosureSerializer.Closure.class, new ClosureCodec());
    if (classLoader != null) {
      kryo.setClassLoader(classLoader);
    }
    return kryo;
  }

  private static String firstLine(RuntimeException problem) {
    Throwable root = problem;
    while (root instanceof KryoException && root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage()).lines().findFirst().orElse(root.toString());
  }
}
