package io.millrace.cluster.job;

import io.millrace.cluster.protocol.Endpoint;
import io.millrace.cluster.protocol.StreamTicket;
import io.millrace.cluster.shuffle.DataClient;
import io.millrace.cluster.shuffle.FrameSource;
import io.millrace.core.config.Configuration;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.RootMemory;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Sends a jar to a coordinator and follows the job to its end. */
public final class JobSubmission {
  private static final long BUFFER_BYTES = 256L << 20;

  private JobSubmission() {}

  /**
   * Runs a jar on a coordinator's machine; blocks. The jar is sent only when the coordinator does
   * not have it. Leaving early ends the job.
   *
   * @param out gets what the job prints
   * @param errors gets what it prints to its error stream
   * @return the job's exit code
   */
  public static int run(
      Path jar,
      Optional<String> mainClass,
      List<String> arguments,
      Endpoint coordinator,
      String token,
      Configuration configuration,
      OutputStream out,
      OutputStream errors) {
    if (!Files.isRegularFile(jar)) {
      throw new MillraceException(
          ErrorCode.FILE_NOT_FOUND, "There is no such jar; check its path: " + jar);
    }
    int exitCode = -1;
    try (RootMemory memory = new RootMemory(BUFFER_BYTES);
        DataClient client = DataClient.open(memory.allocator(), coordinator, token)) {
      String hash = new CoordinatorClient(client).offerJar(jar);
      JobRequest job = new JobRequest(hash, mainClass, arguments, configuration.texts());
      StreamTicket ticket = new StreamTicket.RunJob(job.encode());
      try (FrameSource events = client.stream(ticket.encode())) {
        for (Optional<byte[]> event = events.next(); event.isPresent(); event = events.next()) {
          switch (JobEvent.decode(event.get())) {
            case JobEvent.Printed(boolean toErrors, byte[] bytes) ->
                print(toErrors ? errors : out, bytes);
            case JobEvent.Ended(int code) -> exitCode = code;
          }
        }
      }
    }
    if (exitCode < 0) {
      throw new MillraceException(
          ErrorCode.COORDINATOR_UNREACHABLE,
          "The connection to the coordinator ended before the job did: " + coordinator);
    }
    return exitCode;
  }

  private static void print(OutputStream target, byte[] bytes) {
    try {
      target.write(bytes);
      target.flush();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
