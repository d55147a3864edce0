package io.millrace.core.function.string;

import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionFamily;
import io.millrace.core.function.NullPolicy;
import io.millrace.core.function.Parameter;
import io.millrace.core.function.ResultType;
import io.millrace.core.function.Signature;
import io.millrace.core.function.TypePattern;
import io.millrace.core.type.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Text functions. Positions and lengths count code points from 1; casing is locale-free. */
public final class Text implements FunctionFamily {
  private static final ResultType STRING = ResultType.always(DataType.STRING);
  private static final ResultType INT64 = ResultType.always(DataType.INT64);
  private static final ResultType BOOLEAN = ResultType.always(DataType.BOOLEAN);
  private static final Parameter VALUE = Parameter.of("value", TypePattern.STRING);
  private static final Signature TO_TEXT = Signature.of(STRING, VALUE);

  @Override
  public String name() {
    return "text";
  }

  private static Signature pairTest(String second) {
    return Signature.of(BOOLEAN, VALUE, Parameter.of(second, TypePattern.STRING));
  }

  private static Signature trim() {
    return Signature.of(STRING, VALUE, Parameter.option("characters", TypePattern.STRING, " "));
  }

  @Override
  public List<FunctionDefinition> definitions() {
    List<FunctionDefinition> all = new ArrayList<>(formsAndParts());
    all.addAll(trimmingAndSearching());
    return all;
  }

  private static List<FunctionDefinition> formsAndParts() {
    return List.of(
        FunctionDefinition.scalar("upper", "Text in upper case.", TO_TEXT)
            .example("UPPER('straße')", "STRASSE"),
        FunctionDefinition.scalar("lower", "Text in lower case.", TO_TEXT)
            .example("LOWER('ABC')", "abc"),
        FunctionDefinition.scalar("length", "Number of code points.", Signature.of(INT64, VALUE))
            .alias("char_length", "character_length")
            .example("LENGTH('naïve')", "5"),
        FunctionDefinition.scalar(
                "octet_length",
                "Number of bytes, of text in UTF-8.",
                Signature.of(INT64, VALUE),
                Signature.of(INT64, Parameter.of("value", TypePattern.BINARY)))
            .alias("length_bytes")
            .example("OCTET_LENGTH('naïve')", "6"),
        FunctionDefinition.scalar(
                "substring",
                "The part from a position (from 1), of at most this length.",
                Signature.of(STRING, VALUE, Parameter.of("start", TypePattern.INT64)),
                Signature.of(
                    STRING,
                    VALUE,
                    Parameter.of("start", TypePattern.INT64),
                    Parameter.of("length", TypePattern.INT64)))
            .alias("substr")
            .example("SUBSTRING('millrace' FROM 5 FOR 4)", "race"),
        FunctionDefinition.scalar(
                "concat",
                "All arguments one after the other; null when one is null.",
                Signature.of(STRING, VALUE).asVariadic())
            .example("'mill' || 'race'", "millrace"));
  }

  private static List<FunctionDefinition> trimmingAndSearching() {
    return List.of(
        FunctionDefinition.scalar("trim", "Text without these characters at both ends.", trim())
            .alias("btrim")
            .example("TRIM('  a ')", "a"),
        FunctionDefinition.scalar("ltrim", "Text without these characters at its start.", trim())
            .example("LTRIM('  a ')", "a "),
        FunctionDefinition.scalar("rtrim", "Text without these characters at its end.", trim())
            .example("RTRIM(' a  ')", " a"),
        FunctionDefinition.scalar(
                "replace",
                "Text with every occurrence of one text replaced by another.",
                Signature.of(
                    STRING,
                    VALUE,
                    Parameter.of("search", TypePattern.STRING),
                    Parameter.of("replacement", TypePattern.STRING)))
            .example("REPLACE('banana', 'an', 'o')", "booa"),
        FunctionDefinition.scalar(
                "position",
                "Where a text occurs first, from 1; 0 when it does not.",
                Signature.of(INT64, Parameter.of("search", TypePattern.STRING), VALUE))
            .example("POSITION('an' IN 'banana')", "2"),
        FunctionDefinition.scalar("starts_with", "Whether it begins so.", pairTest("prefix"))
            .example("STARTS_WITH('millrace', 'mill')", "true"),
        FunctionDefinition.scalar("ends_with", "Whether it ends so.", pairTest("suffix"))
            .example("ENDS_WITH('millrace', 'race')", "true"),
        FunctionDefinition.scalar("contains", "Whether it occurs in it.", pairTest("search"))
            .example("CONTAINS('millrace', 'lra')", "true"),
        FunctionDefinition.scalar(
                "like",
                "Whether the whole text fits a pattern: % any text, _ one code point.",
                Signature.of(
                    BOOLEAN,
                    VALUE,
                    Parameter.of("pattern", TypePattern.STRING),
                    new Parameter(
                        "escape", TypePattern.STRING, false, Optional.of(Parameter.NULL))))
            .nulls(NullPolicy.CALLED_ON_NULL)
            .example("'millrace' LIKE 'mill%'", "true"));
  }
}
