package io.millrace.core.udf;

import io.millrace.core.type.DataType;
import java.util.List;
import java.util.Optional;

/**
 * A user-defined function inside a plan. The payload is opaque to planner and coordinator; only the
 * invoker on the worker decodes it, in the job's class loader.
 *
 * @param name for plans and errors
 * @param jarHash SHA-256 (hex) of the jar that holds its classes; empty for the engine's class path
 * @param payload the encoded implementation
 */
public record UdfReference(
    String name,
    Optional<String> jarHash,
    byte[] payload,
    List<DataType> argumentTypes,
    DataType resultType,
    UdfOptions options) {
  public UdfReference {
    argumentTypes = List.copyOf(argumentTypes);
  }

  /** Two references are equal when they carry the same code and types. */
  @Override
  public boolean equals(Object other) {
    return other instanceof UdfReference that
        && name.equals(that.name)
        && jarHash.equals(that.jarHash)
        && java.util.Arrays.equals(payload, that.payload)
        && argumentTypes.equals(that.argumentTypes)
        && resultType.equals(that.resultType)
        && options.equals(that.options);
  }

  @Override
  public int hashCode() {
    return java.util.Objects.hash(name, java.util.Arrays.hashCode(payload), resultType);
  }

  @Override
  public String toString() {
    return name + "(" + payload.length + " bytes)";
  }
}
