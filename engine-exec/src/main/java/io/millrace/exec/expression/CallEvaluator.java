package io.millrace.exec.expression;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.DictionaryVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.RowSet;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.SelectingKernel;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A call of a kernel. Constant arguments give a constant; one dictionary among constants gives a
 * dictionary of results, when that is less work than a result per row.
 */
final class CallEvaluator implements Evaluator {
  private final DataType type;
  private final List<Evaluator> arguments;
  private final ScalarKernel kernel;
  private final Properties properties;

  /** Whether all arguments but one are constants of the expression, not of a batch. */
  private final boolean oneVaries;

  private final EntryResults entryResults = new EntryResults();

  /**
   * What the compiler may assume.
   *
   * @param nullOnNull a null argument gives null
   * @param immutable equal arguments always give equal results
   */
  record Properties(boolean nullOnNull, boolean immutable) {}

  CallEvaluator(
      DataType type, List<Evaluator> arguments, ScalarKernel kernel, Properties properties) {
    this.type = type;
    this.arguments = arguments;
    this.kernel = kernel;
    this.properties = properties;
    this.oneVaries =
        properties.immutable
            && properties.nullOnNull
            && arguments.stream().filter(argument -> !(argument instanceof ConstantNode)).count()
                == 1;
  }

  @Override
  public ColumnVector evaluate(Evaluation evaluation, RowSet rows) {
    if (rows.count() == 0) {
      return ConstantVector.ofNull(type, rows.length(), evaluation.allocator());
    }
    List<ColumnVector> values = new ArrayList<>(arguments.size());
    try {
      for (Evaluator argument : arguments) {
        values.add(argument.evaluate(evaluation, rows));
      }
      return apply(values, rows, evaluation.allocator());
    } finally {
      values.forEach(ColumnVector::close);
    }
  }

  private ColumnVector apply(List<ColumnVector> values, RowSet rows, BufferAllocator allocator) {
    int varying = 0;
    DictionaryVector coded = null;
    for (ColumnVector value : values) {
      if (value instanceof ConstantVector constant) {
        if (properties.nullOnNull && constant.isNull()) {
          return ConstantVector.ofNull(type, rows.length(), allocator);
        }
      } else {
        varying++;
        coded = value instanceof DictionaryVector dictionary ? dictionary : null;
      }
    }
    if (properties.immutable && varying == 0) {
      return applyOnce(values, rows.length(), allocator);
    }
    if (properties.immutable
        && varying == 1
        && coded != null
        && (properties.nullOnNull || coded.hasNoNulls())) {
      FlatVector known = oneVaries ? entryResults.of(coded) : null;
      if (known != null) {
        return DictionaryVector.of(coded.codeVector().retain(), known.retain(), allocator);
      }
      ColumnVector result =
          coded.dictionary().length() <= rows.count()
              ? applyToDictionary(values, coded, allocator)
              : null;
      if (result != null) {
        return result;
      }
    }
    return kernel.evaluate(values, rows, allocator);
  }

  private ColumnVector applyOnce(List<ColumnVector> values, int length, BufferAllocator allocator) {
    List<ColumnVector> single = resized(values, null, 1);
    try (ColumnVector result = kernel.evaluate(single, RowSet.all(1), allocator)) {
      return new ConstantVector(result.flatten(allocator), length);
    } finally {
      single.forEach(ColumnVector::close);
    }
  }

  /** Null when a value that may belong to no row of the set fails. */
  private ColumnVector applyToDictionary(
      List<ColumnVector> values, DictionaryVector coded, BufferAllocator allocator) {
    FlatVector dictionary = coded.dictionary();
    List<ColumnVector> entries = resized(values, dictionary, dictionary.length());
    try (ColumnVector result =
        kernel.evaluate(entries, RowSet.all(dictionary.length()), allocator)) {
      FlatVector flat = result.flatten(allocator);
      if (oneVaries) {
        entryResults.remember(coded, flat);
      }
      return DictionaryVector.of(coded.codeVector().retain(), flat, allocator);
    } catch (MillraceException fault) {
      return null;
    } finally {
      entries.forEach(ColumnVector::close);
    }
  }

  /** The constants at another length, and the dictionary for the one that is none. */
  private static List<ColumnVector> resized(
      List<ColumnVector> values, FlatVector dictionary, int length) {
    List<ColumnVector> resized = new ArrayList<>(values.size());
    for (ColumnVector value : values) {
      resized.add(
          value instanceof ConstantVector constant
              ? new ConstantVector(constant.value().retain(), length)
              : dictionary.retain());
    }
    return resized;
  }

  @Override
  public int select(Evaluation evaluation, RowSet rows, int[] target) {
    if (!(kernel instanceof SelectingKernel selecting) || !selecting.canSelect()) {
      return Evaluator.super.select(evaluation, rows, target);
    }
    if (rows.count() == 0) {
      return 0;
    }
    List<ColumnVector> values = new ArrayList<>(arguments.size());
    try {
      boolean flat = false;
      DictionaryVector coded = null;
      for (Evaluator argument : arguments) {
        ColumnVector value = argument.evaluate(evaluation, rows);
        values.add(value);
        flat |= value instanceof FlatVector || value instanceof DictionaryVector && coded != null;
        coded = value instanceof DictionaryVector dictionary ? dictionary : coded;
      }
      if (flat) {
        return selecting.select(values, rows, target);
      }
      if (coded != null) {
        if (oneVaries && entryResults.of(coded) != null) {
          return Truths.selectCoded(coded, entryResults.truths(), rows, target);
        }
        if (coded.dictionary().length() > rows.count()) {
          return selecting.select(values, rows, target);
        }
      }
      try (ColumnVector truths = apply(values, rows, evaluation.allocator())) {
        return Truths.select(truths, rows, target);
      }
    } finally {
      values.forEach(ColumnVector::close);
    }
  }

  @Override
  public void close() {
    entryResults.close();
    arguments.forEach(Evaluator::close);
    kernel.close();
  }
}
