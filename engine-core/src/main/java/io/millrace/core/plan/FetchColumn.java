package io.millrace.core.plan;

import io.millrace.core.type.Field;

/**
 * One reference column to replace.
 *
 * @param inputIndex position of the reference column
 * @param sourceColumn name of the heavy column in the source
 * @param output field of the value
 */
public record FetchColumn(int inputIndex, String sourceColumn, Field output) {}
