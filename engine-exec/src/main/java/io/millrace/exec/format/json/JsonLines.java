package io.millrace.exec.format.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.StringWriter;

/** How lines of JSON are parsed: one object a line. */
final class JsonLines {
  /** A value over 1 GiB is refused anywhere in the engine. */
  private static final int STRING_LIMIT = 1 << 30;

  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(STRING_LIMIT).build())
          .build();

  private JsonLines() {}

  /** A parser over the bytes of one line; at its first token. */
  static JsonParser parser(byte[] bytes, int from, int to) throws IOException {
    JsonParser parser = FACTORY.createParser(bytes, from, to - from);
    try {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("it is no object");
      }
      return parser;
    } catch (IOException problem) {
      parser.close();
      throw problem;
    }
  }

  static void requireEnd(JsonParser parser) throws IOException {
    if (parser.nextToken() != null) {
      throw new IOException("it goes on after its object");
    }
  }

  static JsonGenerator generator(StringWriter target) throws IOException {
    return FACTORY.createGenerator(target);
  }

  /** Skips the value after the current name, or refuses it: it would be lost without a trace. */
  static void skipUnknown(JsonParser parser, boolean allowed) throws IOException {
    if (!allowed) {
      throw new JsonMisfitException(
          "A field was not in the rows from which columns were inferred; raise option sample_rows"
              + " or name all columns in option schema: '"
              + parser.currentName()
              + "'.");
    }
    parser.nextToken();
    parser.skipChildren();
  }

  static void requireFirst(JsonParser parser, boolean seen) throws IOException {
    if (seen) {
      throw new JsonMisfitException("An object has a name twice: '" + parser.currentName() + "'.");
    }
  }

  /** Whether there is nothing but white space. */
  static boolean isBlank(byte[] bytes, int from, int to) {
    for (int index = from; index < to; index++) {
      if (bytes[index] != ' ' && bytes[index] != '\t' && bytes[index] != '\r') {
        return false;
      }
    }
    return true;
  }

  /** The next line feed, or {@code to}. */
  static int lineEnd(byte[] bytes, int from, int to) {
    int end = from;
    while (end < to && bytes[end] != '\n') {
      end++;
    }
    return end;
  }
}
