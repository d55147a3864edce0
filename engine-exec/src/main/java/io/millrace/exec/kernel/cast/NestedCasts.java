package io.millrace.exec.kernel.cast;

import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import io.millrace.core.type.StorageTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Conversions of lists, embeddings, maps and structs. */
final class NestedCasts {
  private NestedCasts() {}

  static Optional<ScalarKernel> of(CastRequest request) {
    DataType from = request.from();
    DataType to = request.to();
    if (isList(from) && isList(to)
        || from instanceof DataType.MapOf && to instanceof DataType.MapOf) {
      return CastKernels.find(
              new CastRequest(
                  StorageTypes.childTypes(from).getFirst(),
                  StorageTypes.childTypes(to).getFirst(),
                  request.safe()))
          .map(element -> new ListCast(request, element));
    }
    if (from instanceof DataType.Struct source && to instanceof DataType.Struct target) {
      return struct(source, target, request.safe());
    }
    return Optional.empty();
  }

  private static boolean isList(DataType type) {
    return type instanceof DataType.ListOf
        || type instanceof DataType.FixedList
        || type instanceof DataType.Embedding
        || type instanceof DataType.FixedShapeTensor;
  }

  private static Optional<ScalarKernel> struct(
      DataType.Struct source, DataType.Struct target, boolean safe) {
    if (source.fields().size() != target.fields().size()) {
      return Optional.empty();
    }
    List<ScalarKernel> members = new ArrayList<>();
    for (int index = 0; index < source.fields().size(); index++) {
      Optional<ScalarKernel> member =
          CastKernels.find(
              new CastRequest(
                  source.fields().get(index).type(), target.fields().get(index).type(), safe));
      if (member.isEmpty()) {
        return Optional.empty();
      }
      members.add(member.get());
    }
    return Optional.of(new StructCast(target, members));
  }
}
