package io.millrace.exec.media.image;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.imageio.ImageIO;
import org.opencv.core.CvType;
import org.opencv.core.Mat;

/** The first frame of a GIF, through the JDK: the default OpenCV build has no GIF decoder. */
final class GifDecoder {
  private GifDecoder() {}

  /** In OpenCV's BGRA order; the caller releases it. */
  static Mat firstFrame(ByteBuffer bytes) throws ImageDecoder.DecodeException {
    byte[] data = new byte[bytes.limit()];
    bytes.get(0, data);
    BufferedImage frame;
    try {
      frame = ImageIO.read(new ByteArrayInputStream(data));
    } catch (IOException | RuntimeException damaged) {
      frame = null;
    }
    if (frame == null) {
      throw new ImageDecoder.DecodeException("the GIF data are damaged");
    }
    int width = frame.getWidth();
    int height = frame.getHeight();
    byte[] samples = new byte[4 * width * height];
    int[] line = new int[width];
    int position = 0;
    for (int y = 0; y < height; y++) {
      frame.getRGB(0, y, width, 1, line, 0, width);
      for (int pixel : line) {
        samples[position++] = (byte) pixel;
        samples[position++] = (byte) (pixel >> 8);
        samples[position++] = (byte) (pixel >> 16);
        samples[position++] = (byte) (pixel >> 24);
      }
    }
    Mat picture = new Mat(height, width, CvType.CV_8UC4);
    picture.put(0, 0, samples);
    return picture;
  }
}
