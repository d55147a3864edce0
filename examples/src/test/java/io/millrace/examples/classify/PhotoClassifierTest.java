package io.millrace.examples.classify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.ImageValue;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.type.Field;
import io.millrace.core.type.ImageMode;
import io.millrace.core.type.Schema;
import io.millrace.core.udf.UdfBatch;
import io.millrace.core.udf.UdfContext;
import io.millrace.core.udf.UdfOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;

class PhotoClassifierTest {
  private static final int SIDE = EfficientNet.SIDE_PIXELS;

  @Test
  void oneResultPerRowAndNullForNull() throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        PhotoClassifier classifier = new PhotoClassifier();
        FlatVector pictures = pictures(allocator)) {
      classifier.open(new UdfContext("classify_photo", "query", 0, "local"));
      Collected output = new Collected(allocator, new ArrayList<>());

      classifier.apply(new OneColumn(pictures), output);

      assertEquals(3, output.values().size());
      assertNull(output.values().get(1));
      try (VectorBuilder builder = new VectorBuilder(PhotoClassifier.PREDICTION, allocator)) {
        output.values().forEach(builder::appendValue);
        try (FlatVector results = builder.finish()) {
          Map<?, ?> first = (Map<?, ?>) results.valueAt(0);
          assertNotNull(first.get("label"));
          assertEquals(EfficientNet.EMBEDDING_LENGTH, ((float[]) first.get("embedding")).length);
          assertNull(results.valueAt(1));
        }
      }
    }
  }

  @Test
  void closesWithoutOpen() throws IOException {
    new PhotoClassifier().close();
  }

  private static FlatVector pictures(BufferAllocator allocator) {
    try (VectorBuilder builder = new VectorBuilder(PhotoClassifier.PICTURE, allocator)) {
      byte[] grey = new byte[EfficientNet.PICTURE_BYTES];
      java.util.Arrays.fill(grey, (byte) 127);
      builder.appendValue(new ImageValue(ImageMode.RGB, SIDE, SIDE, grey));
      builder.appendNull();
      builder.appendValue(new ImageValue(ImageMode.RGB, SIDE, SIDE, grey.clone()));
      return builder.finish();
    }
  }

  private record OneColumn(FlatVector pictures) implements UdfBatch {
    @Override
    public int rowCount() {
      return pictures.length();
    }

    @Override
    public Schema schema() {
      return new Schema(List.of(Field.nullable("pixels", pictures.type())));
    }

    @Override
    public Object value(int column, int row) {
      return pictures.valueAt(row);
    }

    @Override
    public FlatVector column(int column) {
      return pictures;
    }

    @Override
    public VectorSchemaRoot arrow() {
      throw new UnsupportedOperationException("The function reads vectors");
    }
  }

  private record Collected(BufferAllocator allocator, List<Object> values) implements UdfOutput {
    @Override
    public void append(Object value) {
      values.add(value);
    }

    @Override
    public void set(FieldVector results) {
      throw new UnsupportedOperationException("The function appends");
    }
  }
}
