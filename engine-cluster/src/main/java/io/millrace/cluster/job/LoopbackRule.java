package io.millrace.cluster.job;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Without a token nothing may be reached from other machines. */
final class LoopbackRule {
  private LoopbackRule() {}

  /**
   * Checks an address to bind to.
   *
   * @throws MillraceException USAGE_ERROR when it is open to others and there is no token
   */
  static void check(String host, String token) {
    if (token.isEmpty() && !isLoopback(host)) {
      throw new MillraceException(
          ErrorCode.USAGE_ERROR,
          "Without a token only this machine may connect; give --token-file or a loopback --host: "
              + host);
    }
  }

  /** Whether the address is this machine's own. */
  static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException unknown) {
      throw new MillraceException(
          ErrorCode.USAGE_ERROR, "The host has no address; check --host: " + host, unknown);
    }
  }
}
