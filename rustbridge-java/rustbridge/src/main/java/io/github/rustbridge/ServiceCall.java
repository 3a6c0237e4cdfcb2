package io.github.rustbridge;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * The context of a plugin's call to a service. Functions without a parameter for it, such as those
 * of typed clients' interfaces, obtain it with {@link #current()}.
 */
public final class ServiceCall {
  private static final ThreadLocal<ServiceCall> CURRENT = new ThreadLocal<>();

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
   * Returns the service call that runs on this thread. Other threads that a service's function uses
   * have no current call, unless {@link #makeCurrent()} sets it.
   *
   * @return the call
   * @throws IllegalStateException if no service runs on this thread
   */
  public static ServiceCall current() {
    ServiceCall call = CURRENT.get();
    if (call == null) {
      throw new IllegalStateException(
          "no service is running on this thread: request the call inside the service's function,"
              + " and pass it to other threads");
    }
    return call;
  }

  /**
   * Makes this the current call of this thread, until the scope is closed on the same thread.
   *
   * <pre>{@code
   * ServiceCall call = ServiceCall.current();
   * return CompletableFuture.supplyAsync(() -> {
   *   try (ServiceCall.Scope scope = call.makeCurrent()) {
   *     return find(name);
   *   }
   * });
   * }</pre>
   *
   * @return the scope
   */
  public Scope makeCurrent() {
    ServiceCall outer = CURRENT.get();
    CURRENT.set(this);
    return () -> {
      if (outer == null) {
        CURRENT.remove();
      } else {
        CURRENT.set(outer);
      }
    };
  }

  /** The period in which a call is a thread's current call. */
  @FunctionalInterface
  public interface Scope extends AutoCloseable {
    /** Makes the call current that was so before. */
    @Override
    void close();
  }

  /**
   * Returns the time that is left for the response.
   *
   * @return the time, or zero if it's over; empty if there's no limit
   */
  public Optional<Duration> timeLeft() {
    return end == Long.MAX_VALUE
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
  }

  /**
   * Returns the trace that the call is part of.
   *
   * @return the trace
   */
  public Optional<TraceContext> trace() {
    return trace == null
        ? Optional.empty()
        : Optional.of(TraceContext.unpacked(trace, new String(state, StandardCharsets.UTF_8)));
  }

  /**
   * Returns the metadata that the plugin sent.
   *
   * @return the metadata
   */
  public Metadata metadata() {
    return metadata == null ? Metadata.empty() : Metadata.unpacked(metadata);
  }
}
