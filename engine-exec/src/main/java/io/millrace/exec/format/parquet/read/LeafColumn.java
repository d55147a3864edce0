package io.millrace.exec.format.parquet.read;

import org.apache.parquet.format.SchemaElement;

/**
 * A physical column.
 *
 * @param index position among the column chunks of a row group
 * @param maximumDefinition level at which a value is stored
 * @param conversion how stored values become the engine's
 */
record LeafColumn(
    int index,
    SchemaElement element,
    int maximumDefinition,
    int maximumRepetition,
    LeafConversion conversion) {}
