package io.github.rustbridge;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** What comes with a plugin's call of a service, besides the request. */
public final class ServiceCall {
  private final long end;
  private final byte[] trace;
  private final byte[] state;
  private final byte[] metadata;

  ServiceCall(long timeoutNanos, byte[] trace, byte[] state, byte[] metadata) {
    long now = System.nanoTime();
    end = timeoutNanos < 0 || now + timeoutNanos < now ? Long.MAX_VALUE : now + timeoutNanos;
    this.trace = trace;
    this.state = state;
    this.metadata = metadata;
  }

  /**
   * Tells how much time is left for the answer.
   *
   * @return the time, zero if it's over; nothing if there's no limit
   */
  public Optional<Duration> timeLeft() {
    return end == Long.MAX_VALUE
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
  }

  /**
   * Tells which trace the call is part of.
   *
   * @return the trace
   */
  public Optional<TraceContext> trace() {
    return trace == null
        ? Optional.empty()
        : Optional.of(TraceContext.unpacked(trace, new String(state, StandardCharsets.UTF_8)));
  }

  /**
   * Gives the metadata that the plugin sent.
   *
   * @return the metadata
   */
  public Metadata metadata() {
    return metadata == null ? Metadata.empty() : Metadata.unpacked(metadata);
  }
}
