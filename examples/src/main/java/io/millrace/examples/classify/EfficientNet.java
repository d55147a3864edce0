package io.millrace.examples.classify;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * EfficientNet-Lite0 with its ImageNet names, read from this package's resources.
 *
 * <p>Input: square RGB pictures of {@link #SIDE_PIXELS}, one byte a channel, row by row, the three
 * channels of a pixel side by side. One instance holds about 40 MB of native memory; it serves one
 * thread at a time and uses one thread itself, because many instances run side by side.
 */
public final class EfficientNet implements AutoCloseable {
  /** Width and height of the pictures that the model takes, in pixels. */
  public static final int SIDE_PIXELS = 224;

  /** The number of floats of an embedding. */
  public static final int EMBEDDING_LENGTH = 1280;

  private static final int CHANNEL_COUNT = 3;
  private static final int CHANNEL_VALUES = SIDE_PIXELS * SIDE_PIXELS;

  /** The number of bytes of one picture. */
  public static final int PICTURE_BYTES = CHANNEL_COUNT * CHANNEL_VALUES;

  private static final String MODEL = "efficientnet-lite0-fp16w.onnx";
  private static final String NAMES = "imagenet_names.json";
  private static final String INPUT = "image";
  private static final String PROBABILITIES = "probabilities";
  private static final String EMBEDDING = "embedding";

  /** The model was trained on values (v − 127) / 128. */
  private static final float MEAN = 127f;

  private static final float SCALE = 1f / 128f;

  private final OrtSession session;
  private final String[] names;
  private boolean closed;

  private EfficientNet(OrtSession session, String[] names) {
    this.session = session;
    this.names = names;
  }

  /**
   * Loads the model; takes about 0.1 s.
   *
   * @throws IOException a resource is missing or the runtime refuses the model
   */
  public static EfficientNet load() throws IOException {
    String[] names = new ObjectMapper().readValue(resource(NAMES), String[].class);
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(1);
      options.setInterOpNumThreads(1);
      return new EfficientNet(
          OrtEnvironment.getEnvironment().createSession(resource(MODEL), options), names);
    } catch (OrtException e) {
      throw new IOException("The ONNX runtime refused the model: " + e.getMessage(), e);
    }
  }

  /**
   * Classifies pictures.
   *
   * @param pictures {@code count} pictures of {@link #PICTURE_BYTES} each, from the buffer's
   *     position on; the position is left where it was
   * @param count the number of pictures, 1 or more
   * @return one prediction per picture, in their order
   * @throws IOException the runtime failed
   */
  public List<Prediction> classify(ByteBuffer pictures, int count) throws IOException {
    if (count < 1 || pictures.remaining() < count * PICTURE_BYTES) {
      throw new IllegalArgumentException(
          "Too few bytes for the pictures: " + pictures.remaining() + " for " + count);
    }
    try (OnnxTensor input =
            OnnxTensor.createTensor(
                OrtEnvironment.getEnvironment(),
                planes(pictures, count),
                new long[] {count, CHANNEL_COUNT, SIDE_PIXELS, SIDE_PIXELS});
        OrtSession.Result result =
            session.run(Map.of(INPUT, input), Set.of(PROBABILITIES, EMBEDDING))) {
      return predictions(floats(result, PROBABILITIES), floats(result, EMBEDDING), count);
    } catch (OrtException e) {
      throw new IOException("The model failed: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      session.close();
    } catch (OrtException e) {
      throw new IOException("The model could not be closed: " + e.getMessage(), e);
    }
  }

  /** The model wants each channel as a plane of its own, scaled. */
  private static FloatBuffer planes(ByteBuffer pictures, int count) {
    FloatBuffer planes =
        ByteBuffer.allocateDirect(count * PICTURE_BYTES * Float.BYTES)
            .order(ByteOrder.nativeOrder())
            .asFloatBuffer();
    int start = pictures.position();
    for (int picture = 0; picture < count; picture++) {
      int base = picture * PICTURE_BYTES;
      for (int pixel = 0; pixel < CHANNEL_VALUES; pixel++) {
        int at = start + base + pixel * CHANNEL_COUNT;
        for (int channel = 0; channel < CHANNEL_COUNT; channel++) {
          int value = pictures.get(at + channel) & 0xFF;
          planes.put(base + channel * CHANNEL_VALUES + pixel, (value - MEAN) * SCALE);
        }
      }
    }
    return planes;
  }

  private List<Prediction> predictions(
      FloatBuffer probabilities, FloatBuffer embeddings, int count) {
    List<Prediction> predictions = new ArrayList<>(count);
    for (int picture = 0; picture < count; picture++) {
      int best = 0;
      int base = picture * names.length;
      for (int i = 1; i < names.length; i++) {
        if (probabilities.get(base + i) > probabilities.get(base + best)) {
          best = i;
        }
      }
      float[] embedding = new float[EMBEDDING_LENGTH];
      embeddings.get(picture * EMBEDDING_LENGTH, embedding);
      normalise(embedding);
      predictions.add(new Prediction(best, names[best], probabilities.get(base + best), embedding));
    }
    return predictions;
  }

  private static void normalise(float[] vector) {
    double sum = 0;
    for (float value : vector) {
      sum += (double) value * value;
    }
    if (sum > 0) {
      float factor = (float) (1 / Math.sqrt(sum));
      for (int i = 0; i < vector.length; i++) {
        vector[i] *= factor;
      }
    }
  }

  private static FloatBuffer floats(OrtSession.Result result, String name) {
    return ((OnnxTensor) result.get(name).orElseThrow()).getFloatBuffer();
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = EfficientNet.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new FileNotFoundException("A resource of the example is missing: " + name);
      }
      return in.readAllBytes();
    }
  }
}
