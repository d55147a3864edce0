package io.millrace.exec.media.image;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.ImageValue;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.function.media.Images;
import io.millrace.core.spi.FunctionKernels.BoundCall;
import io.millrace.core.spi.RowSet;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import io.millrace.core.type.ImageMode;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageKernelsTest {
  private static final DataType RGB = new DataType.Image(Optional.of(ImageMode.RGB));
  private BufferAllocator allocator;

  @BeforeEach
  void open() {
    allocator = new RootAllocator();
  }

  /** Fails when a kernel leaked. */
  @AfterEach
  void close() {
    allocator.close();
  }

  /** Red grows to the right, green downwards; blue is 40. */
  private static ImageValue gradient(int width, int height) {
    byte[] samples = new byte[3 * width * height];
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        int at = 3 * (y * width + x);
        samples[at] = (byte) (255 * x / (width - 1));
        samples[at + 1] = (byte) (255 * y / (height - 1));
        samples[at + 2] = 40;
      }
    }
    return new ImageValue(ImageMode.RGB, height, width, samples);
  }

  private List<Object> run(
      String function,
      DataType result,
      RowSet rows,
      List<ColumnVector> columns,
      List<Optional<Object>> constants) {
    BoundCall call =
        new BoundCall(
            function, columns.stream().map(ColumnVector::type).toList(), constants, result);
    try (ScalarKernel kernel = new ImageKernels().scalar(call).orElseThrow();
        ColumnVector out = kernel.evaluate(columns, rows, allocator)) {
      assertEquals(result, out.type());
      Object[] values = new Object[out.length()];
      for (int row = 0; row < values.length; row++) {
        values[row] = out.valueAt(row);
      }
      return Arrays.asList(values);
    } finally {
      columns.forEach(ColumnVector::close);
    }
  }

  private ColumnVector column(DataType type, Object... values) {
    try (VectorBuilder builder = new VectorBuilder(type, allocator)) {
      Stream.of(values).forEach(builder::appendValue);
      return builder.finish();
    }
  }

  private byte[] encoded(ImageValue image, String format) {
    return (byte[])
        run(
                "encode_image",
                DataType.BINARY,
                RowSet.all(1),
                List.of(column(RGB, image)),
                List.of(Optional.empty(), Optional.of(format), Optional.of(95)))
            .get(0);
  }

  private List<Object> decoded(String onError, DataType result, Object... files) {
    return run(
        "decode_image",
        result,
        RowSet.all(files.length),
        List.of(column(DataType.BINARY, files)),
        List.of(Optional.empty(), Optional.of(onError), Optional.empty()));
  }

  private List<Object> decodedAndResized(int width, int height, Object... files) {
    return run(
        Images.DECODE_RESIZE,
        new DataType.FixedShapeImage(ImageMode.RGB, height, width),
        RowSet.all(files.length),
        List.of(column(DataType.BINARY, files)),
        List.of(
            Optional.empty(),
            Optional.of(width),
            Optional.of(height),
            Optional.of("auto"),
            Optional.of("raise"),
            Optional.of("RGB")));
  }

  private static int difference(ImageValue left, ImageValue right) {
    assertEquals(left.width(), right.width());
    assertEquals(left.height(), right.height());
    int greatest = 0;
    for (int at = 0; at < left.data().length; at++) {
      greatest = Math.max(greatest, Math.abs((left.data()[at] & 0xFF) - (right.data()[at] & 0xFF)));
    }
    return greatest;
  }

  @ParameterizedTest
  @ValueSource(strings = {"PNG", "TIFF", "BMP"})
  void losslessFormatsGiveTheSamePixelsInRgbOrder(String format) {
    ImageValue image = gradient(61, 37);
    ImageValue back = (ImageValue) decoded("raise", RGB, encoded(image, format)).get(0);
    assertArrayEquals(image.data(), back.data());
  }

  @ParameterizedTest
  @ValueSource(strings = {"JPEG", "WEBP"})
  void lossyFormatsGiveNearlyTheSamePixels(String format) {
    ImageValue image = gradient(64, 48);
    ImageValue back = (ImageValue) decoded("raise", RGB, encoded(image, format)).get(0);
    assertTrue(difference(image, back) < 24, "difference " + difference(image, back));
  }

  @Test
  void gifIsDecodedByItsFirstFrame() throws IOException {
    BufferedImage picture = new BufferedImage(16, 16, BufferedImage.TYPE_INT_RGB);
    picture.setRGB(2, 8, 0xFF0000);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(picture, "gif", bytes);
    ImageValue image = (ImageValue) decoded("raise", RGB, bytes.toByteArray()).get(0);
    assertEquals(16, image.width());
    assertEquals(255, image.data()[3 * (8 * 16 + 2)] & 0xFF);
  }

  @Test
  void nullsStayNullAndUnselectedRowsAreNotDecoded() {
    byte[] good = encoded(gradient(8, 8), "PNG");
    List<Object> values =
        run(
            "decode_image",
            RGB,
            RowSet.of(3, new int[] {0, 1}, 2),
            List.of(column(DataType.BINARY, good, null, new byte[] {1, 2, 3})),
            List.of(Optional.empty(), Optional.of("raise"), Optional.empty()));
    assertEquals(8, ((ImageValue) values.get(0)).width());
    assertNull(values.get(1));
    assertNull(values.get(2));
  }

  @Test
  void damagedValuesFailNamingTheRowOrGiveNull() {
    byte[] jpeg = encoded(gradient(64, 64), "JPEG");
    byte[] png = encoded(gradient(64, 64), "PNG");
    List<byte[]> damaged =
        List.of(
            new byte[0],
            "no image".getBytes(java.nio.charset.StandardCharsets.UTF_8),
            Arrays.copyOf(jpeg, jpeg.length / 2),
            Arrays.copyOf(png, png.length / 2),
            Arrays.copyOf(jpeg, 3));
    for (byte[] bytes : damaged) {
      MillraceException error =
          assertThrows(MillraceException.class, () -> decoded("raise", RGB, jpeg, bytes));
      assertEquals(ErrorCode.IMAGE_DECODE_FAILED, error.code());
      assertTrue(error.getMessage().contains("row 1"), error.getMessage());
      assertNull(decoded("null", RGB, jpeg, bytes).get(1));
    }
  }

  @Test
  void aHeaderThatClaimsAHugePictureIsRefusedBeforeMemoryIsTaken() {
    byte[] png = encoded(gradient(64, 64), "PNG");
    ByteBuffer.wrap(png).putInt(16, 100_000).putInt(20, 100_000);
    MillraceException error =
        assertThrows(MillraceException.class, () -> decoded("raise", RGB, (Object) png));
    assertTrue(error.getMessage().contains("100000 x 100000"), error.getMessage());
  }

  @Test
  void exifOrientationTurnsThePictureUpright() {
    byte[] jpeg = encoded(gradient(64, 32), "JPEG");
    byte[] turned = withOrientation(jpeg, 6);
    ImageValue image = (ImageValue) decoded("raise", RGB, (Object) turned).get(0);
    assertEquals(32, image.width());
    assertEquals(64, image.height());
    // Turned clockwise, what was the bottom is on the left: green falls to the right.
    assertTrue((image.data()[1] & 0xFF) > 200);
    ImageValue small = (ImageValue) decodedAndResized(8, 16, (Object) turned).get(0);
    assertTrue((small.data()[1] & 0xFF) > 200);
    DataType rgba = new DataType.Image(Optional.of(ImageMode.RGBA));
    ImageValue withAlpha = (ImageValue) decoded("raise", rgba, (Object) turned).get(0);
    assertEquals(32, withAlpha.width());
    assertTrue((withAlpha.data()[1] & 0xFF) > 200);
  }

  private static byte[] withOrientation(byte[] jpeg, int orientation) {
    ByteBuffer exif = ByteBuffer.allocate(36);
    exif.putShort((short) 0xFFE1).putShort((short) 34).putInt(0x45786966).putShort((short) 0);
    exif.putInt(0x4D4D002A).putInt(8).putShort((short) 1);
    exif.putShort((short) 0x0112).putShort((short) 3).putInt(1);
    exif.putShort((short) orientation).putShort((short) 0).putInt(0);
    byte[] result = new byte[jpeg.length + 36];
    System.arraycopy(jpeg, 0, result, 0, 2);
    System.arraycopy(exif.array(), 0, result, 2, 36);
    System.arraycopy(jpeg, 2, result, 38, jpeg.length - 2);
    return result;
  }

  @Test
  void decodeAndResizeInOneIsNearlyDecodeThenResize() {
    byte[] jpeg = encoded(gradient(640, 480), "JPEG");
    ImageValue fused = (ImageValue) decodedAndResized(64, 48, (Object) jpeg).get(0);
    ImageValue full = (ImageValue) decoded("raise", RGB, (Object) jpeg).get(0);
    ImageValue separate =
        (ImageValue)
            run(
                    "resize",
                    new DataType.FixedShapeImage(ImageMode.RGB, 48, 64),
                    RowSet.all(1),
                    List.of(
                        column(RGB, full),
                        ConstantVector.of(DataType.INT32, 64, 1, allocator),
                        ConstantVector.of(DataType.INT32, 48, 1, allocator)),
                    List.of(
                        Optional.empty(), Optional.of(64), Optional.of(48), Optional.of("auto")))
                .get(0);
    assertTrue(difference(fused, separate) <= 6, "difference " + difference(fused, separate));
  }

  @ParameterizedTest
  @ValueSource(strings = {"L", "LA", "RGBA", "L16", "RGB16", "RGB32F"})
  void everyModeHasItsSamples(String name) {
    ImageMode mode = ImageMode.valueOf(name);
    byte[] png = encoded(gradient(16, 8), "PNG");
    ImageValue image =
        (ImageValue) decoded("raise", new DataType.Image(Optional.of(mode)), (Object) png).get(0);
    assertEquals(mode, image.mode());
    assertEquals(16 * 8 * mode.channels() * mode.sampleBytes(), image.data().length);
  }

  @Test
  void anUnknownFormatOrPolicyNamesWhatIsAllowed() {
    MillraceException format =
        assertThrows(MillraceException.class, () -> encoded(gradient(4, 4), "HEIC"));
    assertTrue(format.getMessage().contains("WEBP"), format.getMessage());
    MillraceException policy =
        assertThrows(
            MillraceException.class, () -> decoded("ignore", RGB, (Object) new byte[] {1}));
    assertEquals(ErrorCode.INVALID_ARGUMENT, policy.code());
  }
}
