package io.millrace.examples.album;

import io.millrace.cluster.cli.Demo;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.planner.dataframe.Row;
import io.millrace.planner.dataframe.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** {@code millrace demo}: the album's job in this process, then on worker processes. */
public final class AlbumDemo implements Demo {
  /** Set by the launcher: the folder that holds the distribution. */
  private static final String HOME_PROPERTY = "millrace.home";

  private static final String DATA = "data/photo-album";

  private final Path data;

  /** Runs on the data of the distribution. */
  public AlbumDemo() {
    this(Path.of(System.getProperty(HOME_PROPERTY, "."), DATA));
  }

  /** Runs on the album in this folder. */
  AlbumDemo(Path data) {
    this.data = data;
  }

  @Override
  public void run(Environment environment) {
    if (!Files.isDirectory(data)) {
      throw new MillraceException(
          ErrorCode.FILE_NOT_FOUND,
          "The data of the demonstration is not where it should be: " + data);
    }
    Path folder = null;
    try {
      folder = Files.createTempDirectory("millrace-demo-");
      run(environment, folder);
    } catch (IOException e) {
      throw new MillraceException(
          ErrorCode.IO_FAILED, "A folder for the demonstration's tables failed: " + e, e);
    } finally {
      delete(folder);
    }
  }

  private void run(Environment environment, Path folder) {
    Album album = new Album(new AlbumFiles(data), folder.resolve("photos.lance").toString());
    AlbumReport report;
    AlbumRun local;
    try (Session session = Session.local(environment.configuration())) {
      environment.progress().println("Writing the photos into a Lance table");
      long count = album.create(session);
      List<Row> accepted = album.acceptedLabels(session);
      report = new AlbumReport(environment.out(), accepted, count, album.photoBytes(session));
      environment.progress().println("Classifying the indoor photos in this process");
      local = album.run(session, folder.resolve("local.lance").toString());
    }
    report.line("In one process:");
    report.predictions(local);
    report.line("");
    report.line("Photos most like sample %d, by distance of their embeddings:", Album.QUERY_SAMPLE);
    report.neighbours(local);
    report.cost(local);
    runOnWorkers(environment, folder, album, report, local);
  }

  private static void runOnWorkers(
      Environment environment, Path folder, Album album, AlbumReport report, AlbumRun local) {
    int workers = environment.workerCount();
    environment.progress().println("Starting " + workers + " worker processes for the same job");
    AlbumRun distributed;
    try (Session session = Session.connect("workers://" + workers, environment.configuration())) {
      distributed = album.run(session, folder.resolve("workers.lance").toString());
    }
    report.line("");
    report.line("On %d worker processes:", workers);
    report.cost(distributed);
    if (!distributed.agreesWith(local)) {
      throw new MillraceException(
          ErrorCode.INTERNAL_ERROR,
          "The runs disagree: one process gave "
              + local.predictions()
              + ", workers gave "
              + distributed.predictions());
    }
    report.line(
        "  both runs agree: %d predictions with their embeddings, %d neighbours",
        local.predictions().size(), local.neighbours().size());
  }

  private static void delete(Path folder) {
    if (folder == null) {
      return;
    }
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new MillraceException(
          ErrorCode.IO_FAILED, "The demonstration's tables could not be removed: " + e, e);
    }
  }
}
