package io.millrace.core.function;

import io.millrace.core.type.DataType;
import java.util.List;

/**
 * A call that fits a signature.
 *
 * @param argumentTypes the types that the arguments must be cast to, one per given argument and
 *     then one per default
 * @param defaults values of the parameters that were left out, appended after the given arguments;
 *     {@link Parameter#NULL} for NULL
 */
public record ResolvedFunction(
    FunctionDefinition definition,
    Signature signature,
    List<DataType> argumentTypes,
    List<Object> defaults,
    DataType resultType) {}
