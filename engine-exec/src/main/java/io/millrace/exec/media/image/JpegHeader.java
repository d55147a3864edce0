package io.millrace.exec.media.image;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads a JPEG file's frame header, EXIF orientation and end mark. Source: ITU-T T.81, EXIF 2.3.
 */
final class JpegHeader {
  private static final int APP1 = 0xE1;
  private static final int START_OF_SCAN = 0xDA;
  private static final int END_OF_IMAGE = 0xD9;
  private static final int ORIENTATION_TAG = 0x0112;

  private JpegHeader() {}

  static ImageHeader read(ByteBuffer bytes) {
    int width = 0;
    int height = 0;
    int orientation = 1;
    int position = 2;
    while (position + 4 <= bytes.limit()) {
      int marker = bytes.get(position + 1) & 0xFF;
      if ((bytes.get(position) & 0xFF) != 0xFF) {
        break;
      }
      if (marker == 0xFF) {
        position++;
        continue;
      }
      if (marker == START_OF_SCAN) {
        return new ImageHeader(
            ImageFormat.JPEG, width, height, orientation, endsAfter(bytes, position));
      }
      int length = bytes.getChar(position + 2);
      if (isFrame(marker) && position + 9 <= bytes.limit()) {
        height = bytes.getChar(position + 5);
        width = bytes.getChar(position + 7);
      } else if (marker == APP1) {
        orientation = orientation(bytes, position + 4, length - 2, orientation);
      }
      position += 2 + length;
    }
    return new ImageHeader(ImageFormat.JPEG, width, height, orientation, false);
  }

  /** SOF0 to SOF15 without DHT, JPG and DAC. */
  private static boolean isFrame(int marker) {
    return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
  }

  /** Whether an end mark follows; searched from the end, where it nearly always is. */
  private static boolean endsAfter(ByteBuffer bytes, int scanStart) {
    for (int position = bytes.limit() - 2; position > scanStart; position--) {
      if ((bytes.get(position) & 0xFF) == 0xFF
          && (bytes.get(position + 1) & 0xFF) == END_OF_IMAGE) {
        return true;
      }
    }
    return false;
  }

  private static int orientation(ByteBuffer bytes, int start, int length, int unknown) {
    if (length < 14 || start + length > bytes.limit() || bytes.getInt(start) != 0x45786966) {
      return unknown;
    }
    ByteBuffer exif = bytes.slice(start + 6, length - 6);
    exif.order(exif.get(0) == 'I' ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    try {
      int directory = exif.getInt(4);
      int entries = exif.getChar(directory);
      for (int entry = 0; entry < entries; entry++) {
        int at = directory + 2 + 12 * entry;
        if (exif.getChar(at) == ORIENTATION_TAG) {
          int value = exif.getChar(at + 8);
          return value >= 1 && value <= 8 ? value : unknown;
        }
      }
    } catch (IndexOutOfBoundsException damaged) {
      return unknown;
    }
    return unknown;
  }
}
