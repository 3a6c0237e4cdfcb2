package io.github.rustbridge.interop;

import java.util.List;

/**
 * The parameters of {@code rb_load}. Texts are already in UTF-8, so that no backend has to encode
 * them.
 *
 * <p>For backends only; it may change with every version.
 *
 * @param path the library's path in UTF-8, or null if there is an image
 * @param image the bytes of the library, or null if there is a path
 * @param config the plugin's configuration as JSON, or null
 * @param name the instance's name, or null
 * @param flags {@link #POISON}, {@link #BACKTRACE}, {@link #OWN_COPY}
 * @param logLevel {@code RB_LOG_ERROR} or another level
 * @param logCapacity how many records may wait for the sink; 0 for the core's default
 * @param threads how many threads the plugin may use at once for synchronous handlers, and the
 *     library for services; 0 for the core's default
 * @param sink receives the log records, or null
 * @param services the services that the plugin may call
 * @param clientSchema the client schema of the typed client that loads the plugin, in UTF-8, or
 *     null
 */
@SuppressWarnings("ArrayRecordComponent") // No one compares them.
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
    byte[] clientSchema) {
  /**
   * A service, an {@code rb_service}.
   *
   * @param name the name by which the plugin calls it, in UTF-8
   * @param encoding {@code RB_ENCODING_JSON} or another encoding
   * @param flags {@link #SHORT} or 0
   * @param sink receives the calls
   */
  public record Service(byte[] name, int encoding, int flags, ServiceSink sink) {}

  /** Bit of a service's flags: it returns quickly, so it runs on the thread that calls it. */
  public static final int SHORT = AbiLayout.RB_SERVICE_SHORT;

  /** Bit of {@code flags}: the instance refuses further calls after a panic. */
  public static final int POISON = AbiLayout.RB_LOAD_POISON;

  /** Bit of {@code flags}: the errors of panics contain a backtrace. */
  public static final int BACKTRACE = AbiLayout.RB_LOAD_BACKTRACE;

  /** Bit of {@code flags}: the library is mapped again for this instance alone. */
  public static final int OWN_COPY = AbiLayout.RB_LOAD_OWN_COPY;
}
