package io.millrace.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** One text per value, for values of batches and for those of an expectation file alike. */
final class FixtureValues {
  private FixtureValues() {}

  /** The text of a Java value as {@code ColumnVector.valueAt} gives it. */
  static String text(Object value) {
    return switch (value) {
      case null -> "null";
      case byte[] bytes -> Base64.getEncoder().encodeToString(bytes);
      case float[] numbers -> {
        List<Object> list = new ArrayList<>();
        for (float number : numbers) {
          list.add(number);
        }
        yield text(list);
      }
      case double[] numbers -> {
        List<Object> list = new ArrayList<>();
        for (double number : numbers) {
          list.add(number);
        }
        yield text(list);
      }
      case List<?> list -> list.stream().map(FixtureValues::text).toList().toString();
      case Map<?, ?> map -> {
        Map<String, String> members = new LinkedHashMap<>();
        map.forEach((key, member) -> members.put(text(key), text(member)));
        yield members.toString();
      }
      case BigDecimal decimal -> decimal.toPlainString();
      case String string -> '"' + string + '"';
      default -> value.toString();
    };
  }

  /** The text of an expected value, read as a value of the type. */
  static String text(JsonNode node, DataType type) {
    return node.isObject() && type instanceof DataType.Binary
        ? node.get("length").asText() + " bytes " + node.get("sha256").textValue()
        : text(javaValue(node, type));
  }

  /** The text of a binary of which only length and SHA-256 are expected. */
  static String digest(byte[] bytes) {
    try {
      byte[] sha = MessageDigest.getInstance("SHA-256").digest(bytes);
      return bytes.length + " bytes " + HexFormat.of().formatHex(sha);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }

  private static Object javaValue(JsonNode node, DataType type) {
    if (node.isNull()) {
      return null;
    }
    return switch (type) {
      case DataType.Bool bool -> node.booleanValue();
      case DataType.Int integer -> integer(node, integer);
      case DataType.Float real when real.bits() == 64 -> Double.valueOf(node.asText());
      case DataType.Float real -> (float) Double.parseDouble(node.asText());
      case DataType.Decimal decimal -> new BigDecimal(node.asText());
      case DataType.Date date -> LocalDate.parse(node.textValue());
      case DataType.Time time -> LocalTime.parse(node.textValue());
      case DataType.Timestamp timestamp when timestamp.zone().isPresent() ->
          Instant.parse(node.textValue());
      case DataType.Timestamp timestamp -> LocalDateTime.parse(node.textValue());
      case DataType.Uuid uuid -> UUID.fromString(node.textValue());
      case DataType.Binary binary -> Base64.getDecoder().decode(node.textValue());
      case DataType.FixedBinary binary -> Base64.getDecoder().decode(node.textValue());
      case DataType.ListOf list -> elements(node, list.element().type());
      case DataType.FixedList list -> elements(node, list.element().type());
      case DataType.Embedding embedding -> elements(node, embedding.element());
      case DataType.Struct struct -> members(node, struct);
      case DataType.MapOf map -> entries(node, map);
      default -> node.isTextual() ? node.textValue() : node;
    };
  }

  private static Object integer(JsonNode node, DataType.Int type) {
    BigInteger value = node.bigIntegerValue();
    return type.signed() || type.bits() < 64 ? (Object) value.longValueExact() : value;
  }

  private static List<Object> elements(JsonNode node, DataType element) {
    List<Object> list = new ArrayList<>();
    node.forEach(part -> list.add(javaValue(part, element)));
    return list;
  }

  private static Map<String, Object> members(JsonNode node, DataType.Struct struct) {
    Map<String, Object> members = new LinkedHashMap<>();
    for (Field field : struct.fields()) {
      JsonNode member = node.get(field.name());
      members.put(field.name(), member == null ? null : javaValue(member, field.type()));
    }
    return members;
  }

  private static Map<Object, Object> entries(JsonNode node, DataType.MapOf map) {
    Map<Object, Object> entries = new LinkedHashMap<>();
    node.forEach(
        entry ->
            entries.put(
                javaValue(entry.get("key"), map.key().type()),
                javaValue(entry.get("value"), map.value().type())));
    return entries;
  }
}
