package io.millrace.udf.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.udf.ScalarFunctions;
import io.millrace.core.udf.UdfImplementation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UdfCodecTest {
  private final int own = 9;

  /** A captured record. */
  record Range(int low, List<Integer> steps) {}

  @SuppressWarnings("unchecked")
  private static <A, R> R roundTrip(ScalarFunctions.Of1<A, R> function, A argument)
      throws Exception {
    byte[] bytes = UdfCodec.encode(new UdfImplementation.Scalar(function));
    UdfImplementation.Scalar back =
        (UdfImplementation.Scalar) UdfCodec.decode("f", bytes, UdfCodecTest.class.getClassLoader());
    return ((ScalarFunctions.Of1<A, R>) back.function()).apply(argument);
  }

  @Test
  void closuresKeepWhatTheyCapture() throws Exception {
    Range range = new Range(3, List.of(1, 2));
    Map<String, Integer> map = Map.of("k", 4);
    ScalarFunctions.Of1<Integer, Integer> inner = x -> x * 2;
    assertEquals((Object) 8, roundTrip((Integer x) -> x + range.low() + range.steps().size(), 3));
    assertEquals((Object) 5, roundTrip((Integer x) -> x + map.get("k"), 1));
    assertEquals((Object) 7, roundTrip((Integer x) -> inner.apply(x) + 1, 3));
    assertEquals((Object) 42, roundTrip((String x) -> Integer.parseInt(x), "42"));
    assertEquals("ab", roundTrip("a"::concat, "b"));
  }

  @Test
  void aClosureOverThisNeedsNoSerializableClass() throws Exception {
    assertEquals((Object) 10, roundTrip((Integer x) -> x + own, 1));
  }

  @Test
  void whatCannotBeSentIsNamed() {
    byte[] large = new byte[20 << 20];
    MillraceException error =
        assertThrows(MillraceException.class, () -> roundTrip((Integer x) -> x + large.length, 1));
    assertEquals(ErrorCode.UDF_NOT_LOADABLE, error.code());
  }

  @Test
  void aMissingClassSaysToSubmitTheJar() {
    byte[] bytes =
        UdfCodec.encode(
            new UdfImplementation.Scalar((ScalarFunctions.Of1<Integer, Integer>) x -> x));
    ClassLoader withoutIt = new ClassLoader(null) {};
    MillraceException error =
        assertThrows(MillraceException.class, () -> UdfCodec.decode("f", bytes, withoutIt));
    assertEquals(ErrorCode.UDF_NOT_LOADABLE, error.code());
    assertTrue(error.getMessage().contains("submit the jar"), error.getMessage());
  }
}
