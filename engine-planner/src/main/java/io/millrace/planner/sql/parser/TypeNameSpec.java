package io.millrace.planner.sql.parser;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCollectionTypeNameSpec;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlTypeNameSpec;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.util.Litmus;

/** A type as written in SQL, already resolved to its DataType. */
public final class TypeNameSpec extends SqlTypeNameSpec {
  private final DataType type;

  private TypeNameSpec(DataType type, SqlParserPos position) {
    super(new SqlIdentifier(type.toString(), position), position);
    this.type = type;
  }

  /** A type that is not written but follows. */
  public static TypeNameSpec of(DataType type, SqlParserPos position) {
    return new TypeNameSpec(type, position);
  }

  public DataType type() {
    return type;
  }

  @Override
  public RelDataType deriveType(SqlValidator validator) {
    return ((MillraceTypeFactory) validator.getTypeFactory()).of(type, false);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrecedence, int rightPrecedence) {
    writer.print(type.toString());
    writer.setNeedWhitespace(true);
  }

  @Override
  public boolean equalsDeep(SqlTypeNameSpec node, Litmus litmus) {
    return node instanceof TypeNameSpec other && other.type.equals(type)
        ? litmus.succeed()
        : litmus.fail("{} != {}", this, node);
  }

  /** Whether angle brackets after the word belong to it; {@code x::int < 5} is a comparison. */
  public static boolean takesTypes(String word) {
    return TypeNames.takesTypes(word.toUpperCase(Locale.ROOT));
  }

  /** Whether the word's arguments are names with types. */
  public static boolean takesMembers(String word) {
    return TypeNames.takesMembers(word.toUpperCase(Locale.ROOT));
  }

  /** The DataType of a type name as the parser builds them. */
  public static DataType dataType(SqlTypeNameSpec spec) {
    return switch (spec) {
      case TypeNameSpec known -> known.type;
      case SqlCollectionTypeNameSpec collection ->
          DataType.list(dataType(collection.getElementTypeName()));
      default ->
          throw SqlError.at(
              ErrorCode.UNSUPPORTED_TYPE,
              spec.getParserPos(),
              "Unknown type: " + ((SqlNode) spec.getTypeName()));
    };
  }

  /** Starts a type at its first word. */
  public static Builder builder(String word) {
    return new Builder(word);
  }

  /** Collects the parts of one type; called by the parser in the order of the text. */
  public static final class Builder {
    private final StringBuilder name;
    private final List<TypeArgument> arguments = new ArrayList<>();
    // 0 or more is a list's fixed length, -1 any length; outermost last
    private final List<Integer> lists = new ArrayList<>();

    private Builder(String word) {
      this.name = new StringBuilder(word.toUpperCase(Locale.ROOT));
    }

    /** A further word of the name. */
    public void suffix(String words) {
      name.append(' ').append(words);
    }

    public void number(String digits, SqlParserPos position) {
      arguments.add(new TypeArgument.Number(intValue(digits, position)));
    }

    public void text(String text) {
      arguments.add(new TypeArgument.Word(text));
    }

    public void member(String fieldName, SqlDataTypeSpec fieldType, boolean nullable) {
      arguments.add(
          new TypeArgument.Member(
              Field.nullable(fieldName, dataType(fieldType)).withNullable(nullable)));
    }

    public void type(SqlDataTypeSpec argument) {
      arguments.add(new TypeArgument.Type(dataType(argument)));
    }

    public void array() {
      lists.add(-1);
    }

    public void fixedArray(String length, SqlParserPos position) {
      lists.add(intValue(length, position));
    }

    /** The whole type; refuses an unknown name or wrong arguments. */
    public TypeNameSpec build(SqlParserPos position) {
      DataType type = TypeNames.resolve(name.toString(), arguments, position);
      for (int length : lists) {
        type = length < 0 ? DataType.list(type) : DataType.fixedList(type, length);
      }
      return new TypeNameSpec(type, position);
    }

    private static int intValue(String digits, SqlParserPos position) {
      try {
        return Integer.parseInt(digits);
      } catch (NumberFormatException failure) {
        throw SqlError.at(
            ErrorCode.UNSUPPORTED_TYPE,
            position,
            "A number in a type is too large: " + digits,
            failure);
      }
    }

    private static DataType dataType(SqlDataTypeSpec spec) {
      return TypeNameSpec.dataType(spec.getTypeNameSpec());
    }
  }
}
