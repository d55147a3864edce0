package io.millrace.examples.album;

import java.nio.file.Path;

/**
 * Where the album's files lie.
 *
 * @param folder the folder {@code photo-album} of the example's data
 */
public record AlbumFiles(Path folder) {

  public AlbumFiles {
    folder = folder.toAbsolutePath().normalize();
  }

  /** The CSV file with id, file name, caption, setting and weather of each sample. */
  public String samples() {
    return folder.resolve("samples.csv").toString();
  }

  /** The folder of the JPEG files, ending in a slash. */
  public String photoFolder() {
    return folder.resolve("photos") + "/";
  }

  /** The pattern of the JPEG files. */
  public String photos() {
    return photoFolder() + "*.jpg";
  }

  /** The pattern of the Parquet files with the labels. */
  public String labels() {
    return folder.resolve("labels") + "/*.parquet";
  }
}
