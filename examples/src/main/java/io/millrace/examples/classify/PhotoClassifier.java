package io.millrace.examples.classify;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.ImageMode;
import io.millrace.core.udf.StatefulFunction;
import io.millrace.core.udf.UdfBatch;
import io.millrace.core.udf.UdfContext;
import io.millrace.core.udf.UdfOutput;
import io.millrace.core.udf.UserFunction;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/**
 * The model as a user-defined function: a picture in, a struct of {@code label}, {@code
 * probability} and {@code embedding} out; null gives null. Each instance loads the model once, when
 * it is opened.
 */
public final class PhotoClassifier implements StatefulFunction {
  /** The type of the pictures that the function takes. */
  public static final DataType PICTURE =
      new DataType.FixedShapeImage(
          ImageMode.RGB, EfficientNet.SIDE_PIXELS, EfficientNet.SIDE_PIXELS);

  /** The type of its result. */
  public static final DataType PREDICTION =
      DataType.struct(
          Field.nullable("label", DataType.STRING),
          Field.nullable("probability", DataType.FLOAT32),
          Field.nullable(
              "embedding", DataType.embedding(DataType.FLOAT32, EfficientNet.EMBEDDING_LENGTH)));

  /** Pictures per call; larger batches are not faster on a CPU and hold more memory. */
  private static final int BATCH_ROWS = 8;

  private EfficientNet model;

  /** The function under the name {@code classify_photo}. */
  public static UserFunction function() {
    return UserFunction.stateful(
            "classify_photo", List.of(PICTURE), PREDICTION, PhotoClassifier::new)
        .batchRows(BATCH_ROWS);
  }

  @Override
  public void open(UdfContext context) throws IOException {
    model = EfficientNet.load();
  }

  @Override
  public void apply(UdfBatch input, UdfOutput output) throws IOException {
    FlatVector pictures = input.column(0);
    MemorySegment pixels = pictures.child(0).values();
    for (int row = 0; row < input.rowCount(); row++) {
      if (pictures.isNull(row)) {
        output.append(null);
        continue;
      }
      MemorySegment picture =
          pixels.asSlice((long) row * EfficientNet.PICTURE_BYTES, EfficientNet.PICTURE_BYTES);
      Prediction prediction = model.classify(picture.asByteBuffer(), 1).getFirst();
      output.append(
          Map.of(
              "label", prediction.label(),
              "probability", prediction.probability(),
              "embedding", prediction.embedding()));
    }
  }

  @Override
  public void close() throws IOException {
    if (model != null) {
      model.close();
    }
  }
}
