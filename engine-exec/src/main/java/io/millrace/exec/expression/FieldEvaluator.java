package io.millrace.exec.expression;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.DictionaryVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.spi.RowSet;
import io.millrace.exec.kernel.MaskedValues;
import io.millrace.exec.kernel.lane.ValidityMask;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** A member of a struct; null where the struct is. The values are shared, not copied. */
final class FieldEvaluator implements Evaluator {
  private final Evaluator input;
  private final int index;
  private final ValidityMask mask = new ValidityMask();

  FieldEvaluator(Evaluator input, int index) {
    this.input = input;
    this.index = index;
  }

  @Override
  public ColumnVector evaluate(Evaluation evaluation, RowSet rows) {
    BufferAllocator allocator = evaluation.allocator();
    try (ColumnVector struct = input.evaluate(evaluation, rows)) {
      return switch (struct) {
        case FlatVector flat -> member(flat, allocator);
        case ConstantVector constant ->
            new ConstantVector(member(constant.value(), allocator), constant.length());
        case DictionaryVector coded ->
            DictionaryVector.of(
                coded.codeVector().retain(), member(coded.dictionary(), allocator), allocator);
      };
    }
  }

  private FlatVector member(FlatVector struct, BufferAllocator allocator) {
    try (FlatVector member = struct.child(index).slice(0, struct.length())) {
      if (struct.validity() == null) {
        return member.retain();
      }
      mask.reset(struct.length(), List.of(struct, member));
      return MaskedValues.of(member, mask, allocator);
    }
  }

  @Override
  public void close() {
    input.close();
  }
}
