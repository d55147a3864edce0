package io.millrace.exec.kernel;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.PhysicalExpression.Constant;
import io.millrace.core.plan.PhysicalExpression.Input;
import io.millrace.core.type.DataType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TextKernelsTest {
  private static final DataType TEXT = DataType.STRING;
  private static final List<String> SAMPLES =
      Arrays.asList(
          "",
          "a",
          "Straße",
          "ABC def",
          "  padded ",
          "naïve",
          "😀 smile 😀",
          "ǅ",
          "İstanbul",
          null,
          "banana",
          "aaaa",
          "日本語テキスト",
          "x%y_z");

  private final KernelHarness harness = new KernelHarness();

  @AfterEach
  void close() {
    harness.close();
  }

  private static List<List<Object>> samples() {
    List<List<Object>> rows = new ArrayList<>();
    SAMPLES.forEach(sample -> rows.add(Arrays.asList((Object) sample)));
    return rows;
  }

  private void checkOne(String function, Function<String, Object> reference) {
    harness.check(
        function,
        List.of(TEXT),
        samples(),
        row -> row.get(0) == null ? null : reference.apply((String) row.get(0)));
  }

  @Test
  void casingAndLength() {
    checkOne("upper", text -> text.toUpperCase(Locale.ROOT));
    checkOne("lower", text -> text.toLowerCase(Locale.ROOT));
    checkOne("length", text -> (long) text.codePointCount(0, text.length()));
    checkOne("octet_length", text -> (long) text.getBytes(StandardCharsets.UTF_8).length);
    checkOne("trim", text -> text.replaceAll("^ +| +$", ""));
    checkOne("ltrim", text -> text.replaceAll("^ +", ""));
    checkOne("rtrim", text -> text.replaceAll(" +$", ""));
  }

  @Test
  void substringsByCodePoint() {
    List<List<Object>> rows = new ArrayList<>();
    for (String sample : SAMPLES) {
      for (long start : new long[] {-3, 0, 1, 2, 5, 100, Long.MIN_VALUE, Long.MAX_VALUE}) {
        for (long length : new long[] {0, 1, 4, Long.MAX_VALUE}) {
          rows.add(Arrays.asList(sample, start, length));
        }
      }
    }
    harness.check(
        "substring",
        List.of(TEXT, DataType.INT64, DataType.INT64),
        rows,
        row ->
            row.get(0) == null
                ? null
                : substring((String) row.get(0), (long) row.get(1), (long) row.get(2)));
    harness.checkFails(
        harness.call("substring", TEXT, DataType.INT64, DataType.INT64),
        List.of(TEXT, DataType.INT64, DataType.INT64),
        List.of("abc", 1L, -1L),
        List.of("abc", 1L, 1L),
        ErrorCode.INVALID_ARGUMENT);
  }

  private static String substring(String text, long start, long length) {
    int[] points = text.codePoints().toArray();
    StringBuilder part = new StringBuilder();
    java.math.BigInteger end =
        java.math.BigInteger.valueOf(start).add(java.math.BigInteger.valueOf(length));
    for (int index = 0; index < points.length; index++) {
      long position = index + 1L;
      if (position >= start && java.math.BigInteger.valueOf(position).compareTo(end) < 0) {
        part.appendCodePoint(points[index]);
      }
    }
    return part.toString();
  }

  @Test
  void partsOfText() {
    List<List<Object>> rows = new ArrayList<>();
    for (String left : SAMPLES) {
      for (String right : Arrays.asList("", "a", "an", "😀", "ß", "nothing", null, "テキ")) {
        rows.add(Arrays.asList(left, right));
      }
    }
    List<DataType> types = List.of(TEXT, TEXT);
    checkPair("starts_with", types, rows, String::startsWith);
    checkPair("ends_with", types, rows, String::endsWith);
    checkPair("contains", types, rows, String::contains);
    checkPair("concat", types, rows, String::concat);
    List<List<Object>> swapped =
        rows.stream().map(row -> Arrays.asList(row.get(1), row.get(0))).toList();
    checkPair(
        "position",
        types,
        swapped,
        (search, text) -> {
          int index = text.indexOf(search);
          return index < 0 ? 0L : (long) text.codePointCount(0, index) + 1;
        });
    List<List<Object>> threes =
        rows.stream().map(row -> Arrays.asList(row.get(0), row.get(1), (Object) "<>")).toList();
    harness.check(
        "replace",
        List.of(TEXT, TEXT, TEXT),
        threes,
        row ->
            row.get(0) == null || row.get(1) == null
                ? null
                : ((String) row.get(1)).isEmpty()
                    ? row.get(0)
                    : ((String) row.get(0)).replace((String) row.get(1), "<>"));
  }

  private interface Pair {
    Object apply(String left, String right);
  }

  private void checkPair(
      String function, List<DataType> types, List<List<Object>> rows, Pair reference) {
    harness.check(
        function,
        types,
        rows,
        row ->
            row.get(0) == null || row.get(1) == null
                ? null
                : reference.apply((String) row.get(0), (String) row.get(1)));
  }

  @Test
  void trimsTheGivenCharacters() {
    PhysicalExpression trim =
        harness.callOf("trim", new Input(0, TEXT), new Constant("😀 a", TEXT));
    harness.check(
        trim,
        List.of(TEXT),
        samples(),
        row ->
            row.get(0) == null ? null : ((String) row.get(0)).replaceAll("^[😀 a]+|[😀 a]+$", ""));
  }

  @Test
  void likeAgreesWithRegularExpressions() {
    Random random = new Random(3);
    String[] alphabet = {"a", "b", "ß", "😀", "%", "_", "%", "_"};
    for (int run = 0; run < 120; run++) {
      String pattern = word(random, alphabet, 6);
      List<List<Object>> rows = new ArrayList<>();
      for (int row = 0; row < 40; row++) {
        int limit = row % 4 == 0 ? 60 : 7;
        rows.add(Arrays.asList((Object) word(random, Arrays.copyOf(alphabet, 4), limit)));
      }
      rows.add(Arrays.asList((Object) null));
      Pattern expected = regex(pattern, -1);
      harness.check(
          harness.callOf("like", new Input(0, TEXT), new Constant(pattern, TEXT)),
          List.of(TEXT),
          rows,
          row -> row.get(0) == null ? null : expected.matcher((String) row.get(0)).matches());
    }
  }

  private static String word(Random random, String[] alphabet, int lengthLimit) {
    StringBuilder word = new StringBuilder();
    int length = random.nextInt(lengthLimit + 1);
    for (int index = 0; index < length; index++) {
      word.append(alphabet[random.nextInt(alphabet.length)]);
    }
    return word.toString();
  }

  private static Pattern regex(String like, int escape) {
    StringBuilder regex = new StringBuilder();
    int[] points = like.codePoints().toArray();
    for (int index = 0; index < points.length; index++) {
      if (points[index] == escape) {
        regex.append(Pattern.quote(Character.toString(points[++index])));
      } else if (points[index] == '%') {
        regex.append(".*");
      } else if (points[index] == '_') {
        regex.append('.');
      } else {
        regex.append(Pattern.quote(Character.toString(points[index])));
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  @Test
  void likeWithEscapeAndColumnsOfPatterns() {
    harness.check(
        harness.callOf(
            "like", new Input(0, TEXT), new Constant("x!%y!_z", TEXT), new Constant("!", TEXT)),
        List.of(TEXT),
        samples(),
        row -> row.get(0) == null ? null : row.get(0).equals("x%y_z"));
    List<List<Object>> rows = new ArrayList<>();
    for (String text : SAMPLES) {
      for (String pattern : Arrays.asList("%", "a%", "%a", "_____", null)) {
        rows.add(Arrays.asList(text, pattern));
      }
    }
    harness.check(
        "like",
        List.of(TEXT, TEXT),
        rows,
        row ->
            row.get(0) == null || row.get(1) == null
                ? null
                : regex((String) row.get(1), -1).matcher((String) row.get(0)).matches());
    harness.checkFails(
        harness.callOf("like", new Input(0, TEXT), new Input(1, TEXT), new Constant("!", TEXT)),
        List.of(TEXT, TEXT),
        List.of("a", "a!"),
        List.of("a", "a"),
        ErrorCode.INVALID_ARGUMENT);
  }
}
