package io.millrace.exec.media.image;

/** File formats that are told apart by their first bytes. */
enum ImageFormat {
  JPEG,
  PNG,
  WEBP,
  TIFF,
  BMP,
  GIF,
  JPEG_2000
}
