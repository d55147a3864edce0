package io.millrace.exec.format.parquet.read;

import io.millrace.core.type.Field;
import java.util.List;

/**
 * A column or a part of one, with the levels that say which entries of its leaves stand for it.
 * Source: the Dremel encoding, as in the Parquet specification's Nested Encoding section.
 *
 * @param field name, type and nullability as the engine sees them
 * @param shape how its children make it up
 * @param definitionLevel least definition level at which the value is there and not null
 * @param repetitionLevel number of lists around it
 * @param children parts: the element of a list, key and value of a map, members of a struct
 * @param leaf the physical column of a leaf; null for others
 */
record ParquetField(
    Field field,
    Shape shape,
    int definitionLevel,
    int repetitionLevel,
    List<ParquetField> children,
    LeafColumn leaf) {

  /** What kind of part it is. */
  enum Shape {
    LEAF,
    STRUCT,
    LIST,
    MAP
  }

  /** Any leaf below: its levels tell about this part too. */
  LeafColumn firstLeaf() {
    ParquetField part = this;
    while (part.shape != Shape.LEAF) {
      part = part.children.getFirst();
    }
    return part.leaf;
  }

  /** Level from which on the element of this list or map exists, even if it is null. */
  int elementLevel() {
    return definitionLevel + 1;
  }
}
