package io.millrace.planner.sql.parser;

import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;

/** What stands in the brackets of a type. */
sealed interface TypeArgument {
  /** As in {@code decimal(10, 2)}. */
  record Number(int value) implements TypeArgument {}

  /** As in {@code image('RGB')}. */
  record Word(String text) implements TypeArgument {}

  /** As in {@code list<int32>}. */
  record Type(DataType type) implements TypeArgument {}

  /** As in {@code struct<a int32>}. */
  record Member(Field field) implements TypeArgument {}
}
