package io.millrace.examples.classify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

/** The committed model on the committed photos, with the preprocessing that it was trained with. */
class EfficientNetTest {
  private static final Path PHOTOS = Path.of("data/photo-album/photos");
  private static final int ESPRESSO = 967;
  private static final Set<Integer> CATS = Set.of(281, 282, 285);

  @Test
  void seesEspressoAndCats() throws IOException {
    try (EfficientNet model = EfficientNet.load()) {
      List<Prediction> predictions = classify(model, "coffee", "chelsea", "wikkie");

      assertEquals(ESPRESSO, predictions.get(0).classIndex());
      assertEquals("espresso", predictions.get(0).label());
      assertTrue(predictions.get(0).probability() > 0.9f, predictions.get(0).toString());
      assertTrue(CATS.contains(predictions.get(1).classIndex()), predictions.get(1).toString());
      assertTrue(CATS.contains(predictions.get(2).classIndex()), predictions.get(2).toString());
    }
  }

  @Test
  void onePictureAndManyGiveTheSame() throws IOException {
    try (EfficientNet model = EfficientNet.load()) {
      List<Prediction> together = classify(model, "coffee", "rocket", "camera");
      List<Prediction> alone = classify(model, "rocket");

      assertEquals(alone.get(0).classIndex(), together.get(1).classIndex());
      assertEquals(alone.get(0).probability(), together.get(1).probability(), 1e-4f);
      assertTrue(distance(alone.get(0), together.get(1)) < 1e-3);
    }
  }

  @Test
  void aCatIsNearerToACatThanToCoffee() throws IOException {
    try (EfficientNet model = EfficientNet.load()) {
      List<Prediction> p = classify(model, "chelsea", "chelsea-1", "wikkie", "coffee");

      assertTrue(distance(p.get(0), p.get(1)) < distance(p.get(0), p.get(2)));
      assertTrue(distance(p.get(0), p.get(2)) < distance(p.get(0), p.get(3)));
    }
  }

  @Test
  void tooFewBytesAreRefusedAndCloseIsIdempotent() throws IOException {
    EfficientNet model = EfficientNet.load();
    assertThrows(IllegalArgumentException.class, () -> model.classify(ByteBuffer.allocate(100), 1));
    model.close();
    model.close();
  }

  private static List<Prediction> classify(EfficientNet model, String... photos)
      throws IOException {
    ByteBuffer pictures = ByteBuffer.allocate(photos.length * EfficientNet.PICTURE_BYTES);
    for (String photo : photos) {
      pictures.put(centreCrop(PHOTOS.resolve(photo + ".jpg")));
    }
    return model.classify(pictures.flip(), photos.length);
  }

  /** The middle 224/256 of the shorter side, scaled to 224 × 224 pixels. */
  private static byte[] centreCrop(Path file) throws IOException {
    BufferedImage picture;
    try (var in = Files.newInputStream(file)) {
      picture = ImageIO.read(in);
    }
    int side = EfficientNet.SIDE_PIXELS;
    int window = Math.min(picture.getWidth(), picture.getHeight()) * side / 256;
    int left = (picture.getWidth() - window) / 2;
    int top = (picture.getHeight() - window) / 2;
    BufferedImage scaled = new BufferedImage(side, side, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = scaled.createGraphics();
    graphics.setRenderingHint(
        RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BICUBIC);
    graphics.drawImage(picture, 0, 0, side, side, left, top, left + window, top + window, null);
    graphics.dispose();
    byte[] bytes = new byte[EfficientNet.PICTURE_BYTES];
    int at = 0;
    for (int rgb : scaled.getRGB(0, 0, side, side, null, 0, side)) {
      bytes[at++] = (byte) (rgb >> 16);
      bytes[at++] = (byte) (rgb >> 8);
      bytes[at++] = (byte) rgb;
    }
    return bytes;
  }

  private static double distance(Prediction a, Prediction b) {
    double sum = 0;
    for (int i = 0; i < a.embedding().length; i++) {
      double difference = a.embedding()[i] - b.embedding()[i];
      sum += difference * difference;
    }
    return Math.sqrt(sum);
  }
}
