package io.millrace.cluster.protocol;

/**
 * Where a process listens.
 *
 * @param host name or address
 * @param port TCP port
 */
public record Endpoint(String host, int port) {

  /**
   * Reads {@code HOST:PORT}, {@code [IPV6]:PORT} or either with a leading {@code millrace://}.
   *
   * @throws IllegalArgumentException when the text has no such form
   */
  public static Endpoint parse(String text) {
    String plain = text.startsWith("millrace://") ? text.substring("millrace://".length()) : text;
    if (plain.endsWith("/")) {
      plain = plain.substring(0, plain.length() - 1);
    }
    int colon = plain.lastIndexOf(':');
    if (colon <= 0 || colon == plain.length() - 1) {
      throw new IllegalArgumentException("an address has the form HOST:PORT, not '" + text + "'");
    }
    String host = plain.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    } else if (host.indexOf(':') >= 0) {
      throw new IllegalArgumentException(
          "write an IPv6 address as [ADDRESS]:PORT, not '" + text + "'");
    }
    try {
      int port = Integer.parseInt(plain.substring(colon + 1));
      if (port < 1 || port > 65_535) {
        throw new IllegalArgumentException("a port lies in 1..65535, not in '" + text + "'");
      }
      return new Endpoint(host, port);
    } catch (NumberFormatException noNumber) {
      throw new IllegalArgumentException(
          "an address has the form HOST:PORT, not '" + text + "'", noNumber);
    }
  }

  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
