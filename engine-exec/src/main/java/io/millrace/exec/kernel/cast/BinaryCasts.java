package io.millrace.exec.kernel.cast;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Conversions between binary of any and of fixed width, and of binary in UTF-8 to text. */
final class BinaryCasts {
  private BinaryCasts() {}

  /** From binary of either kind. */
  static Optional<ScalarKernel> of(CastRequest request) {
    return switch (request.to()) {
      case DataType.Binary to -> Optional.of(new RowCast(request, BinaryCasts::copy));
      case DataType.FixedBinary to ->
          Optional.of(
              new RowCast(
                  request,
                  (source, row, target) ->
                      source.byteLengthAt(row) == to.byteWidth() && copy(source, row, target)));
      case DataType.Uuid to ->
          Optional.of(
              new RowCast(
                  request,
                  (source, row, target) ->
                      source.byteLengthAt(row) == 16 && copy(source, row, target)));
      case DataType.Text to -> Optional.of(new RowCast(request, BinaryCasts::copyText));
      default -> Optional.empty();
    };
  }

  private static boolean copy(FlatVector source, int row, VectorBuilder target) {
    target.appendBytes(source.values(), source.byteOffsetAt(row), source.byteLengthAt(row));
    return true;
  }

  private static boolean copyText(FlatVector source, int row, VectorBuilder target) {
    byte[] bytes = source.bytesAt(row);
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
    } catch (CharacterCodingException notText) {
      return false;
    }
    target.appendBytes(bytes);
    return true;
  }
}
