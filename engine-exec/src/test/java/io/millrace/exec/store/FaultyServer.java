package io.millrace.exec.store;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server in this process that keeps objects and speaks enough of HTTP and S3 (path style, no
 * signatures) to read, write, list, copy and delete them. Faults that a test queues meet the next
 * requests, one each.
 */
final class FaultyServer implements AutoCloseable {
  /** What happens to a request instead of its answer. */
  enum Fault {
    STATUS_500,
    STATUS_503,
    STATUS_403,
    /** The connection is cut before the answer. */
    RESET,
    /** The body ends before its length. */
    SHORT_BODY
  }

  final ConcurrentLinkedQueue<Fault> faults = new ConcurrentLinkedQueue<>();
  final AtomicInteger requests = new AtomicInteger();
  private final ConcurrentSkipListMap<String, byte[]> objects = new ConcurrentSkipListMap<>();
  private final Map<String, TreeMap<Integer, byte[]>> uploads = new ConcurrentSkipListMap<>();
  private final HttpServer server;

  FaultyServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Keeps an object under its path, bucket first. */
  void put(String path, byte[] bytes) {
    objects.put(path, bytes);
  }

  Map<String, byte[]> objects() {
    return objects;
  }

  private static String etag(byte[] bytes) {
    return "\"" + Integer.toHexString(Arrays.hashCode(bytes)) + "-" + bytes.length + "\"";
  }

  private void answer(HttpExchange exchange) throws IOException {
    requests.incrementAndGet();
    try (exchange) {
      Fault fault = faults.poll();
      if (fault == Fault.RESET) {
        // Closing without an answer cuts the connection.
        return;
      }
      if (fault != null && fault != Fault.SHORT_BODY) {
        int status = Integer.parseInt(fault.name().substring("STATUS_".length()));
        exchange.sendResponseHeaders(status, -1);
        return;
      }
      String path =
          URLDecoder.decode(
              exchange.getRequestURI().getRawPath().substring(1).replace("+", "%2B"),
              StandardCharsets.UTF_8);
      Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
      switch (exchange.getRequestMethod()) {
        case "HEAD", "GET" -> get(exchange, path, query, fault);
        case "PUT" -> put(exchange, path, query);
        case "POST" -> post(exchange, path, query);
        default -> {
          objects.remove(path);
          exchange.sendResponseHeaders(204, -1);
        }
      }
    } catch (IOException cut) {
      // The client may go away.
    }
  }

  private static Map<String, String> query(String text) {
    Map<String, String> query = new TreeMap<>();
    if (text != null) {
      for (String part : text.split("&", -1)) {
        int equals = part.indexOf('=');
        String name = equals < 0 ? part : part.substring(0, equals);
        String value = equals < 0 ? "" : part.substring(equals + 1);
        query.put(name, URLDecoder.decode(value, StandardCharsets.UTF_8));
      }
    }
    return query;
  }

  private void get(HttpExchange exchange, String path, Map<String, String> query, Fault fault)
      throws IOException {
    if (query.containsKey("list-type")) {
      list(exchange, path, query);
      return;
    }
    byte[] object = objects.get(path);
    if (object == null) {
      exchange.sendResponseHeaders(404, -1);
      return;
    }
    String wanted = exchange.getRequestHeaders().getFirst("If-Match");
    if (wanted != null && !wanted.equals(etag(object))) {
      exchange.sendResponseHeaders(412, -1);
      return;
    }
    exchange.getResponseHeaders().add("ETag", etag(object));
    exchange.getResponseHeaders().add("Last-Modified", "Tue, 01 Dec 2026 00:00:00 GMT");
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseHeaders().add("Content-Length", String.valueOf(object.length));
      exchange.sendResponseHeaders(200, -1);
      return;
    }
    int from = 0;
    int to = object.length;
    String range = exchange.getRequestHeaders().getFirst("Range");
    if (range != null) {
      String[] ends = range.substring("bytes=".length()).split("-", -1);
      from = Integer.parseInt(ends[0]);
      to = ends[1].isEmpty() ? to : Math.min(to, Integer.parseInt(ends[1]) + 1);
      exchange
          .getResponseHeaders()
          .add("Content-Range", "bytes " + from + "-" + (to - 1) + "/" + object.length);
    }
    exchange.sendResponseHeaders(range == null ? 200 : 206, to - from == 0 ? -1 : to - from);
    int count = fault == Fault.SHORT_BODY ? (to - from) / 2 : to - from;
    exchange.getResponseBody().write(object, from, count);
  }

  private void list(HttpExchange exchange, String bucketPath, Map<String, String> query)
      throws IOException {
    String bucket = bucketPath.endsWith("/") ? bucketPath : bucketPath + "/";
    StringBuilder answer =
        new StringBuilder(
            "<?xml version=\"1.0\"?><ListBucketResult><IsTruncated>false</IsTruncated>");
    objects.forEach(
        (path, bytes) -> {
          if (path.startsWith(bucket + query.getOrDefault("prefix", ""))) {
            answer
                .append("<Contents><Key>")
                .append(path.substring(bucket.length()))
                .append("</Key><LastModified>2026-12-01T00:00:00.000Z</LastModified><ETag>")
                .append(etag(bytes).replace("\"", "&quot;"))
                .append("</ETag><Size>")
                .append(bytes.length)
                .append("</Size></Contents>");
          }
        });
    send(exchange, answer.append("</ListBucketResult>").toString());
  }

  private static void send(HttpExchange exchange, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/xml");
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private void put(HttpExchange exchange, String path, Map<String, String> query)
      throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    String source = exchange.getRequestHeaders().getFirst("x-amz-copy-source");
    if (source != null) {
      String from = URLDecoder.decode(source, StandardCharsets.UTF_8);
      objects.put(path, objects.get(from.startsWith("/") ? from.substring(1) : from));
      send(exchange, "<CopyObjectResult><ETag>x</ETag></CopyObjectResult>");
      return;
    }
    if (query.containsKey("partNumber")) {
      uploads.get(path).put(Integer.valueOf(query.get("partNumber")), body);
    } else {
      objects.put(path, body);
    }
    exchange.getResponseHeaders().add("ETag", etag(body));
    exchange.sendResponseHeaders(200, -1);
  }

  private void post(HttpExchange exchange, String path, Map<String, String> query)
      throws IOException {
    exchange.getRequestBody().readAllBytes();
    if (query.containsKey("uploads")) {
      uploads.put(path, new TreeMap<>());
      send(
          exchange,
          "<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>");
      return;
    }
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    uploads.remove(path).values().forEach(whole::writeBytes);
    objects.put(path, whole.toByteArray());
    send(exchange, "<CompleteMultipartUploadResult><ETag>x</ETag></CompleteMultipartUploadResult>");
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
