package io.millrace.exec.store;

import io.millrace.core.spi.ByteSource;
import io.millrace.core.spi.ObjectStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.opendal.Entry;
import org.apache.opendal.ListOptions;
import org.apache.opendal.Metadata;
import org.apache.opendal.OpenDALException;
import org.apache.opendal.Operator;

/**
 * Buckets of a cloud, by opendal: {@code SCHEME://BUCKET/KEY}. Objects appear whole when their
 * stream is closed; a move is a copy and a removal. The native library is loaded with the first
 * use.
 */
final class CloudObjectStore implements ObjectStore {
  /** Bytes of a part of a multipart upload. */
  private static final int PART_BYTES = 8 << 20;

  private final String service;
  private final Function<String, Map<String, String>> options;
  private final StoreRetries retries;
  private final Map<String, Operator> operators = new ConcurrentHashMap<>();

  /**
   * @param service opendal's name of it
   * @param options opendal's options for a bucket
   */
  CloudObjectStore(
      String service, Function<String, Map<String, String>> options, StoreRetries retries) {
    this.service = service;
    this.options = options;
    this.retries = retries;
  }

  /** An object's place. */
  private record Place(String prefix, String bucket, String key) {
    static Place of(String uri) {
      int scheme = uri.indexOf("://") + 3;
      int slash = uri.indexOf('/', scheme);
      int end = slash < 0 ? uri.length() : slash;
      String key = slash < 0 ? "" : uri.substring(slash + 1);
      return new Place(uri.substring(0, end) + "/", uri.substring(scheme, end), key);
    }

    String folderKey() {
      return key.isEmpty() || key.endsWith("/") ? key : key + "/";
    }
  }

  private Operator operator(Place place) {
    return operators.computeIfAbsent(
        place.bucket(), bucket -> Operator.of(service, options.apply(bucket)));
  }

  /** A call of the library; failures that may pass are tried again. */
  private <T> T call(StoreRetries.StoreCall<T> call) throws IOException {
    return retries.run(
        () -> {
          try {
            return call.run();
          } catch (OpenDALException problem) {
            throw translated(problem);
          }
        });
  }

  private static IOException translated(OpenDALException problem) {
    String message = String.valueOf(problem.getMessage()).lines().findFirst().orElse("");
    return switch (problem.getCode()) {
      case NotFound -> new FileNotFoundException(message);
      case RateLimited, Unexpected -> new StoreRetries.PassingException(message, problem);
      default -> new IOException(message, problem);
    };
  }

  private static ObjectStatus status(Place place, String key, Metadata metadata) {
    return new ObjectStatus(
        place.prefix() + key,
        metadata.getContentLength(),
        metadata.getLastModified() == null ? 0 : metadata.getLastModified().toEpochMilli(),
        Optional.ofNullable(metadata.getEtag()));
  }

  @Override
  public Optional<ObjectStatus> status(String uri) throws IOException {
    Place place = Place.of(uri);
    if (place.key().isEmpty() || place.key().endsWith("/")) {
      return Optional.empty();
    }
    try {
      Metadata metadata = call(() -> operator(place).stat(place.key()));
      return metadata.isFile()
          ? Optional.of(status(place, place.key(), metadata))
          : Optional.empty();
    } catch (FileNotFoundException absent) {
      return Optional.empty();
    }
  }

  @Override
  public boolean isDirectory(String uri) throws IOException {
    Place place = Place.of(uri);
    List<Entry> some =
        call(
            () ->
                operator(place)
                    .list(
                        place.folderKey(), ListOptions.builder().recursive(true).limit(2).build()));
    return some.stream().anyMatch(entry -> entry.getMetadata().isFile());
  }

  @Override
  public List<ObjectStatus> list(String uri) throws IOException {
    Place place = Place.of(uri);
    List<Entry> entries =
        call(
            () ->
                operator(place)
                    .list(place.folderKey(), ListOptions.builder().recursive(true).build()));
    List<ObjectStatus> found = new ArrayList<>();
    for (Entry entry : entries) {
      if (entry.getMetadata().isFile()) {
        found.add(status(place, entry.getPath(), entry.getMetadata()));
      }
    }
    found.sort(Comparator.comparing(ObjectStatus::uri));
    return found;
  }

  @Override
  public ByteSource open(String uri) throws IOException {
    Place place = Place.of(uri);
    ObjectStatus status =
        status(uri).orElseThrow(() -> new FileNotFoundException("there is no such object"));
    return new RangeSource(place, status);
  }

  /** One object of a place. */
  private final class RangeSource extends RangedObject {
    private final Place place;

    RangeSource(Place place, ObjectStatus status) {
      super(status);
      this.place = place;
    }

    @Override
    byte[] range(long offset, int length) throws IOException {
      return call(
          () -> {
            byte[] read = operator(place).read(place.key(), offset, length);
            if (read.length != length) {
              throw new StoreRetries.PassingException("the answer was cut off", null);
            }
            return read;
          });
    }
  }

  @Override
  public OutputStream create(String uri) {
    Place place = Place.of(uri);
    return operator(place).createOutputStream(place.key(), PART_BYTES);
  }

  @Override
  public void move(String fromUri, String toUri) throws IOException {
    if (status(fromUri).isPresent()) {
      moveObject(fromUri, toUri);
      return;
    }
    String from = fromUri.endsWith("/") ? fromUri : fromUri + "/";
    String to = toUri.endsWith("/") ? toUri : toUri + "/";
    for (ObjectStatus object : list(fromUri)) {
      moveObject(object.uri(), to + object.uri().substring(from.length()));
    }
  }

  private void moveObject(String fromUri, String toUri) throws IOException {
    Place from = Place.of(fromUri);
    Place to = Place.of(toUri);
    if (!from.bucket().equals(to.bucket())) {
      throw new IOException("objects are moved within one bucket only");
    }
    call(
        () -> {
          operator(from).copy(from.key(), to.key());
          return null;
        });
    deleteObject(from);
  }

  private void deleteObject(Place place) throws IOException {
    call(
        () -> {
          operator(place).delete(place.key());
          return null;
        });
  }

  @Override
  public void delete(String uri) throws IOException {
    Place place = Place.of(uri);
    if (status(uri).isPresent()) {
      deleteObject(place);
    }
    for (ObjectStatus object : list(uri)) {
      deleteObject(Place.of(object.uri()));
    }
  }
}
