package io.github.rustbridge.interop;

/**
 * A binding's way into the native library: its functions, and the methods that call plugins by
 * them. It only marshals: the rules are in the native core.
 *
 * <p>For backends only; it may change with every version.
 *
 * <p>Failures with a payload are thrown as {@code Failures} creates them, so that all backends
 * throw the same exceptions. These are called a plugin exception below.
 *
 * @param <M> the type of the methods, a subclass of the API's class
 */
public interface Backend<M> {
  /** A pseudo encoding: raw if the method supports it, or else pod. */
  int BYTES = -1;

  /**
   * Returns the backend's name.
   *
   * @return {@code ffm} or {@code jni}
   */
  String name();

  /**
   * Returns the version of the native library.
   *
   * @return the version, e.g. {@code 0.1.0}
   */
  String version();

  /**
   * Loads a plugin and creates an instance: {@code rb_load}.
   *
   * @param request the library and the options
   * @return the instance's handle
   * @throws RuntimeException a plugin exception, if the plugin can't be loaded
   */
  long load(LoadRequest request);

  /**
   * Returns an instance's name: {@code rb_name}.
   *
   * @param handle the instance's handle
   * @return the name in UTF-8
   * @throws RuntimeException a plugin exception, if the instance is closed
   */
  byte[] instanceName(long handle);

  /**
   * Returns the plugin's description: {@code rb_describe}.
   *
   * @param handle the instance's handle
   * @return JSON in UTF-8
   * @throws RuntimeException a plugin exception, if the instance is closed
   */
  byte[] describe(long handle);

  /**
   * Resolves a method by name: {@code rb_prepare}.
   *
   * @param handle the instance's handle
   * @param name the method's name in UTF-8
   * @param encoding {@code RB_ENCODING_JSON} or another encoding, or {@link #BYTES}
   * @return the core's data about the entry
   * @throws RuntimeException a plugin exception, if there is no such method or encoding
   */
  MethodEntry prepare(long handle, byte[] name, int encoding);

  /**
   * Resolves a method by its numeric ID: {@code rb_prepare_id}.
   *
   * @param handle the instance's handle
   * @param id the method's number, as an unsigned 32-bit number
   * @param encoding {@code RB_ENCODING_JSON} or another encoding, or {@link #BYTES}
   * @return the core's data about the entry
   * @throws RuntimeException a plugin exception, if there is no such method or encoding
   */
  MethodEntry prepare(long handle, int id, int encoding);

  /**
   * Resolves a method in the wire format, if the client's types match the plugin's: {@code
   * rb_prepare_typed}.
   *
   * @param handle the instance's handle
   * @param name the method's name in UTF-8
   * @param fingerprint the method's fingerprint in the client
   * @param clientSchema the client schema in UTF-8
   * @return the core's data about the entry
   * @throws RuntimeException a plugin exception, if there is no such method, or the types don't
   *     match
   */
  default MethodEntry prepareTyped(
      long handle, byte[] name, byte[] fingerprint, byte[] clientSchema) {
    throw new UnsupportedOperationException(name() + " doesn't support typed methods");
  }

  /**
   * Creates the method that calls a target.
   *
   * @param target the instance, and the core's data about the method
   * @return the method
   */
  M method(CallTarget target);

  /**
   * Returns the state of an instance: {@code rb_state}.
   *
   * @param handle the instance's handle
   * @return {@code RB_STATE_ACTIVE} or another state
   * @throws RuntimeException a plugin exception, if the handle was never issued
   */
  int state(long handle);

  /**
   * Closes an instance: {@code rb_close}. May block until the timeout. Log callbacks run on other
   * threads during that time.
   *
   * @param handle the instance's handle
   * @param timeoutMillis how long to wait for running calls; -1 for no limit
   * @throws RuntimeException a plugin exception, if {@code rb_close} reports an error
   */
  void close(long handle, long timeoutMillis);

  /**
   * Sets the log level: {@code rb_log_set_level}.
   *
   * @param handle the instance's handle
   * @param level {@code RB_LOG_ERROR} or another level
   * @throws RuntimeException a plugin exception, if the instance is closed
   */
  void setLogLevel(long handle, int level);

  /**
   * Replaces the log sink: {@code rb_log_set_sink}.
   *
   * @param handle the instance's handle
   * @param sink receives all further records; null for none
   * @param timeoutMillis how long to wait for the old sink to return; -1 for no limit
   * @throws RuntimeException a plugin exception, with {@code DEADLINE_EXCEEDED} if the old sink
   *     didn't return in time; it's replaced nevertheless. With another status if the instance is
   *     closed
   */
  void setLogSink(long handle, LogSink sink, long timeoutMillis);

  /**
   * Waits until all records that have been logged so far are delivered: {@code rb_log_flush}.
   *
   * @param handle the instance's handle
   * @param timeoutMillis how long to wait; -1 for no limit
   * @throws RuntimeException a plugin exception, if the time is over, or the instance is closed
   */
  void flushLogs(long handle, long timeoutMillis);

  /**
   * Returns the state of rustbridge in this process: {@code rb_inspect}.
   *
   * @return JSON in UTF-8
   */
  byte[] inspect();

  /**
   * Returns the functions for asynchronous calls.
   *
   * @return the functions; always the same object
   */
  Natives natives();
}
