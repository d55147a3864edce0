package io.millrace.exec.format.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.exec.format.text.ValueParser;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Appends JSON values of one type to a builder. Not thread-safe. */
interface JsonValueReader {

  /**
   * Appends the value that starts with the current token, which is not null, and moves to its last
   * token.
   *
   * @throws JsonMisfitException when it does not fit; the builder then holds part of it
   */
  void append(JsonParser parser, VectorBuilder target) throws IOException;

  /** Appends any value, null too. */
  default void appendNullable(JsonParser parser, VectorBuilder target) throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_NULL) {
      target.appendNull();
    } else {
      append(parser, target);
    }
  }

  /**
   * @param mayLackMembers whether a struct's value may have members that the type lacks; they are
   *     then left out
   * @throws MillraceException UNSUPPORTED_TYPE
   */
  static JsonValueReader of(DataType type, boolean mayLackMembers) {
    return switch (type) {
      case DataType.Text text -> JsonValueReader::appendText;
      case DataType.Bool bool -> {
        ValueParser parser = ValueParser.of(type);
        yield (json, target) -> {
          switch (json.currentToken()) {
            case VALUE_TRUE -> target.appendBoolean(true);
            case VALUE_FALSE -> target.appendBoolean(false);
            default -> appendParsed(json, parser, target, type);
          }
        };
      }
      case DataType.Int integer when integer.bits() == 64 && integer.signed() -> {
        ValueParser parser = ValueParser.of(type);
        yield (json, target) -> {
          if (json.currentToken() == JsonToken.VALUE_NUMBER_INT
              && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
            target.appendLong(json.getLongValue());
          } else {
            appendParsed(json, parser, target, type);
          }
        };
      }
      case DataType.Struct struct -> new StructReader(struct, mayLackMembers);
      case DataType.ListOf list -> listReader(of(list.element().type(), mayLackMembers), type);
      case DataType.FixedList list -> listReader(of(list.element().type(), mayLackMembers), type);
      case DataType.Embedding list -> listReader(of(list.element(), mayLackMembers), type);
      case DataType.MapOf map -> new MapReader(map, mayLackMembers);
      default -> {
        ValueParser parser = ValueParser.of(type);
        yield (json, target) -> appendParsed(json, parser, target, type);
      }
    };
  }

  private static JsonMisfitException misfit(JsonParser parser, DataType type) throws IOException {
    JsonToken token = parser.currentToken();
    String shown = token.isScalarValue() ? "'" + parser.getText() + "'" : "a nested value";
    return new JsonMisfitException(
        "A value does not fit its type; name the type in option types: "
            + (shown.length() > 70 ? shown.substring(0, 70) + "…" : shown)
            + " for type "
            + type
            + ".");
  }

  /** Numbers and strings have one text form, the one that delimited text has too. */
  private static void appendParsed(
      JsonParser json, ValueParser parser, VectorBuilder target, DataType type) throws IOException {
    JsonToken token = json.currentToken();
    boolean isNumber = token == JsonToken.VALUE_NUMBER_INT || token == JsonToken.VALUE_NUMBER_FLOAT;
    if (token != JsonToken.VALUE_STRING && !isNumber) {
      throw misfit(json, type);
    }
    byte[] text = json.getText().getBytes(StandardCharsets.UTF_8);
    if (!parser.append(text, 0, text.length, target)) {
      throw misfit(json, type);
    }
  }

  private static void appendText(JsonParser json, VectorBuilder target) throws IOException {
    if (json.currentToken().isScalarValue()) {
      target.appendText(json.getText());
      return;
    }
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = JsonLines.generator(text)) {
      generator.copyCurrentStructureExact(json);
    }
    target.appendText(text.toString());
  }

  private static JsonValueReader listReader(JsonValueReader element, DataType type) {
    return (json, target) -> {
      if (json.currentToken() != JsonToken.START_ARRAY) {
        throw misfit(json, type);
      }
      while (json.nextToken() != JsonToken.END_ARRAY) {
        element.appendNullable(json, target.child(0));
      }
      try {
        target.endList();
      } catch (MillraceException wrongLength) {
        throw new JsonMisfitException(wrongLength.getMessage());
      }
    };
  }

  /** Objects as structs; members that are not there are null. */
  final class StructReader implements JsonValueReader {
    private final DataType.Struct type;
    private final boolean mayLackMembers;
    private final Map<String, Integer> positions = new HashMap<>();
    private final List<JsonValueReader> readers;

    StructReader(DataType.Struct type, boolean mayLackMembers) {
      this.type = type;
      this.mayLackMembers = mayLackMembers;
      for (Field field : type.fields()) {
        positions.put(field.name(), positions.size());
      }
      this.readers = type.fields().stream().map(field -> of(field.type(), mayLackMembers)).toList();
    }

    @Override
    public void append(JsonParser json, VectorBuilder target) throws IOException {
      if (json.currentToken() != JsonToken.START_OBJECT) {
        throw misfit(json, type);
      }
      boolean[] seen = new boolean[readers.size()];
      while (json.nextToken() != JsonToken.END_OBJECT) {
        Integer member = positions.get(json.currentName());
        if (member == null) {
          JsonLines.skipUnknown(json, mayLackMembers);
          continue;
        }
        JsonLines.requireFirst(json, seen[member]);
        seen[member] = true;
        json.nextToken();
        readers.get(member).appendNullable(json, target.child(member));
      }
      for (int member = 0; member < seen.length; member++) {
        if (!seen[member]) {
          target.child(member).appendNull();
        }
      }
      target.endStruct();
    }
  }

  /** Objects as maps: names are keys. */
  final class MapReader implements JsonValueReader {
    private final DataType.MapOf type;
    private final ValueParser key;
    private final JsonValueReader value;

    MapReader(DataType.MapOf type, boolean mayLackMembers) {
      this.type = type;
      this.key = ValueParser.of(type.key().type());
      this.value = of(type.value().type(), mayLackMembers);
    }

    @Override
    public void append(JsonParser json, VectorBuilder target) throws IOException {
      if (json.currentToken() != JsonToken.START_OBJECT) {
        throw misfit(json, type);
      }
      VectorBuilder entry = target.child(0);
      while (json.nextToken() != JsonToken.END_OBJECT) {
        byte[] name = json.currentName().getBytes(StandardCharsets.UTF_8);
        if (!key.append(name, 0, name.length, entry.child(0))) {
          throw new JsonMisfitException(
              "A name does not fit the map's key: '" + json.currentName() + "'.");
        }
        json.nextToken();
        value.appendNullable(json, entry.child(1));
        entry.endStruct();
      }
      target.endList();
    }
  }
}
