package io.millrace.exec.store;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ByteSource;
import io.millrace.core.spi.ObjectStore;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;

/**
 * Files of web servers, read by ranges. A server must tell the size; there are no listings and no
 * writes. Answers 408, 429 and 500 to 599, cut connections and short bodies are tried again; a
 * range of an object whose etag changed is SOURCE_CHANGED.
 */
final class HttpObjectStore implements ObjectStore {
  private static final int NOT_FOUND = 404;
  private static final int GONE = 410;
  private static final int PARTIAL = 206;
  private static final int OK = 200;
  private static final int PRECONDITION_FAILED = 412;

  private final StoreRetries retries;
  private final Duration timeout;
  private final HttpClient client;

  HttpObjectStore(StoreRetries retries, Duration timeout) {
    this.retries = retries;
    this.timeout = timeout;
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(timeout)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();
  }

  private HttpRequest.Builder request(String uri) {
    return HttpRequest.newBuilder(URI.create(uri.replace(" ", "%20"))).timeout(timeout);
  }

  private HttpResponse<InputStream> send(HttpRequest request) throws IOException {
    HttpResponse<InputStream> response;
    try {
      response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("a request was interrupted");
    } catch (IOException problem) {
      throw new StoreRetries.PassingException(
          "the server was not reached or did not answer: " + problem, problem);
    }
    int status = response.statusCode();
    if (status == 408 || status == 429 || status >= 500) {
      response.body().close();
      throw new StoreRetries.PassingException("the server answered " + status, null);
    }
    return response;
  }

  @Override
  public Optional<ObjectStatus> status(String uri) throws IOException {
    return retries.run(
        () -> {
          HttpRequest head =
              request(uri).method("HEAD", HttpRequest.BodyPublishers.noBody()).build();
          HttpResponse<InputStream> response = send(head);
          response.body().close();
          if (response.statusCode() == NOT_FOUND || response.statusCode() == GONE) {
            return Optional.empty();
          }
          if (response.statusCode() != OK) {
            throw new IOException("the server answered " + response.statusCode());
          }
          long size = response.headers().firstValueAsLong("content-length").orElse(-1);
          if (size < 0) {
            throw new IOException("the server does not tell the size");
          }
          return Optional.of(
              new ObjectStatus(
                  uri,
                  size,
                  response
                      .headers()
                      .firstValue("last-modified")
                      .map(HttpObjectStore::millis)
                      .orElse(0L),
                  response.headers().firstValue("etag")));
        });
  }

  private static long millis(String date) {
    try {
      return ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
          .toInstant()
          .toEpochMilli();
    } catch (DateTimeParseException none) {
      return 0;
    }
  }

  @Override
  public boolean isDirectory(String uri) {
    return false;
  }

  @Override
  public List<ObjectStatus> list(String uri) {
    throw unsupported("Web servers have no listings; name the files: '", uri);
  }

  @Override
  public ByteSource open(String uri) throws IOException {
    ObjectStatus status =
        status(uri).orElseThrow(() -> new java.io.FileNotFoundException("there is no such file"));
    return new RangeSource(status);
  }

  /** One file of a server. */
  private final class RangeSource extends RangedObject {
    RangeSource(ObjectStatus status) {
      super(status);
    }

    @Override
    byte[] range(long offset, int length) throws IOException {
      return retries.run(() -> requested(offset, length));
    }

    private byte[] requested(long offset, int length) throws IOException {
      HttpRequest.Builder request =
          request(status().uri()).header("Range", "bytes=" + offset + "-" + (offset + length - 1));
      // A weak mark is no use for ranges.
      status()
          .etag()
          .filter(etag -> !etag.startsWith("W/"))
          .ifPresent(etag -> request.header("If-Match", etag));
      HttpResponse<InputStream> response = send(request.build());
      try (InputStream body = response.body()) {
        boolean changed =
            response.statusCode() == PRECONDITION_FAILED
                || status().etag().isPresent()
                    && response.headers().firstValue("etag").isPresent()
                    && !response.headers().firstValue("etag").equals(status().etag());
        if (changed) {
          throw new MillraceException(
              ErrorCode.SOURCE_CHANGED,
              "The file changed while it was read; run the query again: '" + status().uri() + "'");
        }
        if (response.statusCode() != PARTIAL && response.statusCode() != OK) {
          throw new IOException("the server answered " + response.statusCode());
        }
        if (response.statusCode() == OK) {
          body.skipNBytes(offset);
        }
        byte[] bytes = body.readNBytes(length);
        if (bytes.length < length) {
          throw new StoreRetries.PassingException("the answer was cut off", null);
        }
        return bytes;
      } catch (StoreRetries.PassingException | MillraceException problem) {
        throw problem;
      } catch (EOFException cutOff) {
        throw new StoreRetries.PassingException("the answer was cut off", cutOff);
      } catch (IOException problem) {
        if (response.statusCode() == PARTIAL || response.statusCode() == OK) {
          throw new StoreRetries.PassingException("the answer was cut off", problem);
        }
        throw problem;
      }
    }
  }

  @Override
  public OutputStream create(String uri) {
    throw unsupported("Files of web servers are not written: '", uri);
  }

  @Override
  public void move(String fromUri, String toUri) {
    throw unsupported("Files of web servers are not written: '", toUri);
  }

  @Override
  public void delete(String uri) {
    throw unsupported("Files of web servers are not written: '", uri);
  }

  private static MillraceException unsupported(String message, String uri) {
    return new MillraceException(ErrorCode.UNSUPPORTED_FORMAT, message + uri + "'");
  }
}
