package io.github.rustbridge;

import java.util.List;

/**
 * What {@code rb_load} takes. Texts are UTF-8 already, so that no backend encodes.
 *
 * <p>For the backends: applications have no use for it, and it may change with every version.
 *
 * @param path the library's path in UTF-8, or null if there is an image
 * @param image the bytes of the library, or null if there is a path
 * @param config the plugin's configuration as JSON, or null
 * @param name what to call the instance, or null
 * @param flags {@link #POISON}, {@link #BACKTRACE}, {@link #OWN_COPY}
 * @param logLevel the number of a {@link LogLevel}
 * @param logCapacity how many records may wait for the sink; 0 for as many as the core finds right
 * @param threads how many plain handlers, and services, may have threads at once; 0 for as many as
 *     the core finds right
 * @param sink where log records go, or null
 * @param services what the plugin may call
 * @param contract what the typed client was written from that loads, in UTF-8, or null
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
public record LoadRequest(
    byte[] path,
    byte[] image,
    byte[] config,
    byte[] name,
    int flags,
    int logLevel,
    int logCapacity,
    int threads,
    LogSink sink,
    List<Service> services,
    byte[] contract) {
  /**
   * A service, an {@code rb_service}.
   *
   * @param name what the plugin asks for, in UTF-8
   * @param encoding the number of an {@link Encoding}
   * @param sink what is called
   */
  public record Service(byte[] name, int encoding, ServiceSink sink) {}

  /** Bit of {@code flags}: a panic makes the instance refuse further calls. */
  public static final int POISON = 1;

  /** Bit of {@code flags}: errors of panics carry a backtrace. */
  public static final int BACKTRACE = 2;

  /** Bit of {@code flags}: the instance gets a copy of the library for itself. */
  public static final int OWN_COPY = 4;
}
