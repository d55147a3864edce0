package io.millrace.core.type;

/** Channels and sample type of an image; samples are interleaved, in the order of the name. */
public enum ImageMode {
  L(1, DataType.UINT8),
  LA(2, DataType.UINT8),
  RGB(3, DataType.UINT8),
  RGBA(4, DataType.UINT8),
  L16(1, DataType.UINT16),
  LA16(2, DataType.UINT16),
  RGB16(3, DataType.UINT16),
  RGBA16(4, DataType.UINT16),
  RGB32F(3, DataType.FLOAT32),
  RGBA32F(4, DataType.FLOAT32);

  private final int channels;
  private final DataType sampleType;

  ImageMode(int channels, DataType sampleType) {
    this.channels = channels;
    this.sampleType = sampleType;
  }

  public int channels() {
    return channels;
  }

  /** uint8, uint16 or float32. */
  public DataType sampleType() {
    return sampleType;
  }

  public int sampleBytes() {
    return switch (sampleType) {
      case DataType.Int integer -> integer.byteWidth();
      default -> 4;
    };
  }
}
