package io.millrace.exec.format.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.exec.format.text.TypeGuess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Infers a type from JSON values. All booleans: boolean; all integers of 64 bits: int64; all
 * integers: decimal(38, 0); numbers: float64; strings that are all dates or timestamps: those;
 * objects: a struct of all members seen; arrays: a list; anything mixed: string, which holds the
 * JSON text of what is no string. Null fits all; without other values it is string.
 */
final class JsonGuess {
  private final TypeGuess strings = new TypeGuess();
  private final Map<String, JsonGuess> members = new LinkedHashMap<>();
  private JsonGuess element;
  private boolean booleans;
  private boolean integers;
  private boolean longIntegers;
  private boolean reals;
  private boolean objects;

  /** Looks at the value that starts with the current token and moves to its last token. */
  void see(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    switch (token) {
      case VALUE_NULL -> {}
      case VALUE_TRUE, VALUE_FALSE -> booleans = true;
      case VALUE_NUMBER_INT -> {
        boolean small = parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
        boolean decimal = parser.getTextLength() <= DataType.Decimal.PRECISION_LIMIT;
        integers |= small;
        longIntegers |= !small && decimal;
        reals |= !small && !decimal;
      }
      case VALUE_NUMBER_FLOAT -> reals = true;
      case VALUE_STRING -> {
        byte[] text = parser.getText().getBytes(StandardCharsets.UTF_8);
        strings.see(text, 0, text.length);
      }
      case START_ARRAY -> {
        element = element == null ? new JsonGuess() : element;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          element.see(parser);
        }
      }
      case START_OBJECT -> {
        objects = true;
        seeMembers(parser);
      }
      default -> throw new IOException("an unexpected " + token);
    }
  }

  /** Looks at the members of the object that the parser is at the start of. */
  void seeMembers(JsonParser parser) throws IOException {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      JsonGuess member = members.computeIfAbsent(parser.currentName(), name -> new JsonGuess());
      parser.nextToken();
      member.see(parser);
    }
  }

  /** The members as columns, in the order in which they were met. */
  List<Field> fields() {
    List<Field> fields = new ArrayList<>();
    members.forEach((name, guess) -> fields.add(Field.nullable(name, guess.type())));
    return fields;
  }

  DataType type() {
    boolean numbers = integers || longIntegers || reals;
    int kinds = 0;
    for (boolean kind :
        new boolean[] {booleans, numbers, strings.hasSeen(), objects, element != null}) {
      kinds += kind ? 1 : 0;
    }
    if (kinds != 1) {
      return DataType.STRING;
    }
    if (booleans) {
      return DataType.BOOLEAN;
    }
    if (numbers) {
      return reals
          ? DataType.FLOAT64
          : longIntegers ? DataType.decimal(DataType.Decimal.PRECISION_LIMIT, 0) : DataType.INT64;
    }
    if (objects) {
      return members.isEmpty() ? DataType.STRING : new DataType.Struct(fields());
    }
    return element != null ? DataType.list(element.type()) : stringType();
  }

  /** A number between quotes is meant to be text. */
  private DataType stringType() {
    DataType type = strings.type();
    return type instanceof DataType.Date || type instanceof DataType.Timestamp
        ? type
        : DataType.STRING;
  }
}
