package io.millrace.exec.media.image;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * What an image file says of itself before it is decoded.
 *
 * @param width pixels as stored, before the orientation is applied; 0 when the header does not say
 * @param height likewise
 * @param orientation EXIF orientation 1 to 8; 1 when there is none
 * @param complete false when the file ends before its own end mark
 */
record ImageHeader(ImageFormat format, int width, int height, int orientation, boolean complete) {

  /** The header of these bytes, from position 0; empty when they are no known image. */
  static Optional<ImageHeader> read(ByteBuffer bytes) {
    try {
      return readChecked(bytes.duplicate().order(ByteOrder.BIG_ENDIAN));
    } catch (IndexOutOfBoundsException tooShort) {
      return Optional.empty();
    }
  }

  private static Optional<ImageHeader> readChecked(ByteBuffer bytes) {
    int start = bytes.limit() < 4 ? 0 : bytes.getInt(0);
    if (start >>> 8 == 0xFFD8FF) {
      return Optional.of(JpegHeader.read(bytes));
    }
    if (start == 0x89504E47) {
      return Optional.of(png(bytes));
    }
    if (start == 0x52494646 && bytes.getInt(8) == 0x57454250) {
      return Optional.of(webp(bytes));
    }
    if (start == 0x49492A00 || start == 0x4D4D002A) {
      return Optional.of(tiff(bytes));
    }
    if (start >>> 16 == 0x424D) {
      ByteBuffer little = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
      return Optional.of(
          plain(ImageFormat.BMP, little.getInt(18), Math.abs(little.getInt(22)), true));
    }
    if (start == 0x47494638) {
      ByteBuffer little = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
      return Optional.of(plain(ImageFormat.GIF, little.getChar(6), little.getChar(8), true));
    }
    if (start == 0x0000000C && bytes.getInt(4) == 0x6A502020) {
      return Optional.of(plain(ImageFormat.JPEG_2000, 0, 0, true));
    }
    return Optional.empty();
  }

  private static ImageHeader plain(ImageFormat format, int width, int height, boolean complete) {
    return new ImageHeader(format, width, height, 1, complete);
  }

  /** Source: PNG specification, IHDR first, IEND last. */
  private static ImageHeader png(ByteBuffer bytes) {
    boolean complete = false;
    int position = 8;
    while (position + 12 <= bytes.limit()) {
      int length = bytes.getInt(position);
      if (bytes.getInt(position + 4) == 0x49454E44) {
        complete = true;
        break;
      }
      if (length < 0 || length > bytes.limit() - position - 12) {
        break;
      }
      position += 12 + length;
    }
    return plain(ImageFormat.PNG, bytes.getInt(16), bytes.getInt(20), complete);
  }

  /** Source: WebP container specification; the three kinds of first chunk. */
  private static ImageHeader webp(ByteBuffer bytes) {
    ByteBuffer little = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    boolean complete = Integer.toUnsignedLong(little.getInt(4)) + 8 <= bytes.limit();
    return switch (bytes.getInt(12)) {
      case 0x56503820 -> // "VP8 ", lossy
          plain(
              ImageFormat.WEBP, little.getChar(26) & 0x3FFF, little.getChar(28) & 0x3FFF, complete);
      case 0x5650384C -> { // "VP8L", lossless
        int packed = little.getInt(21);
        yield plain(
            ImageFormat.WEBP, (packed & 0x3FFF) + 1, ((packed >>> 14) & 0x3FFF) + 1, complete);
      }
      default -> // "VP8X", extended
          plain(
              ImageFormat.WEBP,
              (little.getInt(24) & 0xFFFFFF) + 1,
              (little.getInt(26) >>> 8) + 1,
              complete);
    };
  }

  /** Source: TIFF 6.0; width and height are tags 256 and 257 of the first directory. */
  private static ImageHeader tiff(ByteBuffer bytes) {
    ByteBuffer ordered =
        bytes
            .duplicate()
            .order(bytes.get(0) == 'I' ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    int directory = ordered.getInt(4);
    int entries = ordered.getChar(directory);
    int width = 0;
    int height = 0;
    int orientation = 1;
    for (int entry = 0; entry < entries; entry++) {
      int at = directory + 2 + 12 * entry;
      int value = ordered.getChar(at + 2) == 3 ? ordered.getChar(at + 8) : ordered.getInt(at + 8);
      switch (ordered.getChar(at)) {
        case 256 -> width = value;
        case 257 -> height = value;
        case 274 -> orientation = value >= 1 && value <= 8 ? value : 1;
        default -> {}
      }
    }
    return new ImageHeader(ImageFormat.TIFF, width, height, orientation, true);
  }

  /** Whether the upright picture's width is the stored height. */
  boolean swapsSides() {
    return orientation >= 5;
  }

  int uprightWidth() {
    return swapsSides() ? height : width;
  }

  int uprightHeight() {
    return swapsSides() ? width : height;
  }
}
