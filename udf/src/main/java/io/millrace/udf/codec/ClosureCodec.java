package io.millrace.udf.codec;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;

/**
 * Lambdas through the two methods that the compiler adds to serialisable ones ({@code writeReplace}
 * and {@code $deserializeLambda$}). Kryo's own serializer for closures reads a JDK field instead
 * and so needs a JVM flag.
 */
final class ClosureCodec extends Serializer<Object> {

  @Override
  public void write(Kryo kryo, Output output, Object lambda) {
    SerializedLambda form = serializedForm(lambda);
    output.writeInt(form.getCapturedArgCount(), true);
    for (int index = 0; index < form.getCapturedArgCount(); index++) {
      kryo.writeClassAndObject(output, form.getCapturedArg(index));
    }
    output.writeString(form.getCapturingClass());
    output.writeString(form.getFunctionalInterfaceClass());
    output.writeString(form.getFunctionalInterfaceMethodName());
    output.writeString(form.getFunctionalInterfaceMethodSignature());
    output.writeInt(form.getImplMethodKind(), true);
    output.writeString(form.getImplClass());
    output.writeString(form.getImplMethodName());
    output.writeString(form.getImplMethodSignature());
    output.writeString(form.getInstantiatedMethodType());
  }

  private static SerializedLambda serializedForm(Object lambda) {
    try {
      Method writeReplace = lambda.getClass().getDeclaredMethod("writeReplace");
      writeReplace.setAccessible(true);
      return (SerializedLambda) writeReplace.invoke(lambda);
    } catch (NoSuchMethodException problem) {
      throw new KryoException(
          "a lambda whose interface is not Serializable: " + lambda.getClass().getName(), problem);
    } catch (ReflectiveOperationException problem) {
      throw new KryoException(problem);
    }
  }

  @Override
  public Object read(Kryo kryo, Input input, Class<?> type) {
    Object[] captured = new Object[input.readInt(true)];
    for (int index = 0; index < captured.length; index++) {
      captured[index] = kryo.readClassAndObject(input);
    }
    String capturingName = input.readString();
    try {
      Class<?> capturing =
          Class.forName(capturingName.replace('/', '.'), true, kryo.getClassLoader());
      SerializedLambda form =
          new SerializedLambda(
              capturing,
              input.readString(),
              input.readString(),
              input.readString(),
              input.readInt(true),
              input.readString(),
              input.readString(),
              input.readString(),
              input.readString(),
              captured);
      Method deserialize =
          capturing.getDeclaredMethod("$deserializeLambda$", SerializedLambda.class);
      deserialize.setAccessible(true);
      Object lambda = deserialize.invoke(null, form);
      kryo.reference(lambda);
      return lambda;
    } catch (ReflectiveOperationException problem) {
      throw new KryoException("a lambda of " + capturingName + " cannot be made again", problem);
    }
  }
}
