package io.millrace.core.type;

import io.millrace.core.error.MillraceException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names and metadata of the Arrow extension types that hold multimodal values. Canonical Arrow
 * types are used where they have our storage; ours carry the SQL spelling of the type as metadata,
 * or the type's bytes in base64 where the spelling says less than the type.
 */
final class ExtensionTypes {
  static final String NAME_KEY = "ARROW:extension:name";
  static final String METADATA_KEY = "ARROW:extension:metadata";

  private static final String OURS = "millrace.";
  private static final String BYTES = "base64:";
  private static final String UUID = "arrow.uuid";
  private static final String FIXED_SHAPE_TENSOR = "arrow.fixed_shape_tensor";
  private static final Pattern SHAPE = Pattern.compile("\"shape\"\\s*:\\s*\\[([0-9,\\s]*)\\]");

  private ExtensionTypes() {}

  /** The extension name of a type; empty for plain types. */
  static Optional<String> name(DataType type) {
    return switch (type) {
      case DataType.Uuid t -> Optional.of(UUID);
      case DataType.FixedShapeTensor t -> Optional.of(FIXED_SHAPE_TENSOR);
      case DataType.Image t -> Optional.of(OURS + "image");
      case DataType.FixedShapeImage t -> Optional.of(OURS + "fixed_shape_image");
      case DataType.Tensor t -> Optional.of(OURS + "tensor");
      case DataType.SparseTensor t -> Optional.of(OURS + "sparse_tensor");
      case DataType.Embedding t -> Optional.of(OURS + "embedding");
      case DataType.File t -> Optional.of(OURS + "file");
      case DataType.Reference t -> Optional.of(OURS + "reference");
      case DataType.Null t -> Optional.empty();
      case DataType.Bool t -> Optional.empty();
      case DataType.Int t -> Optional.empty();
      case DataType.Float t -> Optional.empty();
      case DataType.Decimal t -> Optional.empty();
      case DataType.Date t -> Optional.empty();
      case DataType.Time t -> Optional.empty();
      case DataType.Timestamp t -> Optional.empty();
      case DataType.Duration t -> Optional.empty();
      case DataType.Interval t -> Optional.empty();
      case DataType.Text t -> Optional.empty();
      case DataType.Binary t -> Optional.empty();
      case DataType.FixedBinary t -> Optional.empty();
      case DataType.ListOf t -> Optional.empty();
      case DataType.FixedList t -> Optional.empty();
      case DataType.Struct t -> Optional.empty();
      case DataType.MapOf t -> Optional.empty();
    };
  }

  /** The metadata text beside the name. */
  static String metadata(DataType type) {
    return switch (type) {
      case DataType.Uuid t -> "";
      case DataType.FixedShapeTensor t ->
          "{\"shape\":" + t.shape().toString().replace(" ", "") + "}";
      default ->
          spells(type)
              ? type.toString()
              : BYTES + Base64.getEncoder().encodeToString(TypeCodec.toBytes(type));
    };
  }

  private static boolean spells(DataType type) {
    try {
      return TypeParser.parse(type.toString()).equals(type);
    } catch (MillraceException unreadable) {
      return false;
    }
  }

  /** The type behind a name over a storage type; empty when it is unknown or does not fit. */
  static Optional<DataType> read(String name, String metadata, DataType storage) {
    Optional<DataType> type =
        switch (name) {
          case UUID -> Optional.of(DataType.UUID);
          case FIXED_SHAPE_TENSOR -> fixedShapeTensor(metadata, storage);
          default -> name.startsWith(OURS) ? ours(metadata) : Optional.empty();
        };
    return type.filter(found -> StorageTypes.sameShape(StorageTypes.of(found), storage));
  }

  private static Optional<DataType> ours(String metadata) {
    try {
      return Optional.of(
          metadata.startsWith(BYTES)
              ? TypeCodec.fromBytes(Base64.getDecoder().decode(metadata.substring(BYTES.length())))
              : TypeParser.parse(metadata));
    } catch (MillraceException | IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }

  private static Optional<DataType> fixedShapeTensor(String metadata, DataType storage) {
    Matcher shape = SHAPE.matcher(metadata);
    if (!(storage instanceof DataType.FixedList list)
        || !shape.find()
        || metadata.contains("\"permutation\"")) {
      return Optional.empty();
    }
    List<Integer> extents = new ArrayList<>();
    for (String extent : shape.group(1).split(",", -1)) {
      if (!extent.isBlank()) {
        extents.add(Integer.valueOf(extent.strip()));
      }
    }
    return Optional.of(new DataType.FixedShapeTensor(list.element().type(), extents));
  }
}
