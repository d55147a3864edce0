package io.millrace.integration.architecture;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The committed files of the repository, as the style tests read them. Build output ({@code
 * target}) and hidden folders other than {@code .ci} are left out.
 *
 * @param root the repository's root folder, absolute
 * @param files all files below it, absolute and sorted
 */
public record SourceTree(Path root, List<Path> files) {

  /** Reads the tree that the running test belongs to. */
  public static SourceTree ofThisRepository() throws IOException {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.exists(root.resolve(".ci/find-jdk"))) {
      root = root.getParent();
      if (root == null) {
        throw new IOException("no folder with .ci/find-jdk above " + Path.of("").toAbsolutePath());
      }
    }
    return of(root);
  }

  static SourceTree of(Path root) throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = String.valueOf(folder.getFileName());
            boolean hidden = name.startsWith(".") && !name.equals(".ci") && !folder.equals(root);
            return hidden || name.equals("target")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            files.add(file);
            return FileVisitResult.CONTINUE;
          }
        });
    files.sort(Comparator.naturalOrder());
    return new SourceTree(root, List.copyOf(files));
  }

  List<Path> javaFiles() {
    return files.stream().filter(file -> file.toString().endsWith(".java")).toList();
  }

  /** The path as it is written from the repository's root, with {@code /} on every system. */
  String relative(Path file) {
    return root.relativize(file).toString().replace('\\', '/');
  }
}
