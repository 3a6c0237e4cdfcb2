package io.github.rustbridge.interop;

/**
 * The functions of the native library that load, describe and close instances, and resolve their
 * methods. Each backend implements them. It only marshals: the rules are in the native core.
 *
 * <p>For backends only; it may change with every version.
 *
 * <p>Failures with a payload are thrown as {@code Failures} creates them, so that all backends
 * throw the same exceptions. These are called a plugin exception below.
 */
public interface HostFunctions {
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
  Entry prepare(long handle, byte[] name, int encoding);

  /**
   * Resolves a method by its numeric ID: {@code rb_prepare_id}.
   *
   * @param handle the instance's handle
   * @param id the method's number, as an unsigned 32-bit number
   * @param encoding {@code RB_ENCODING_JSON} or another encoding, or {@link #BYTES}
   * @return the core's data about the entry
   * @throws RuntimeException a plugin exception, if there is no such method or encoding
   */
  Entry prepare(long handle, int id, int encoding);

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
  default Entry prepareTyped(long handle, byte[] name, byte[] fingerprint, byte[] clientSchema) {
    throw new UnsupportedOperationException(name() + " doesn't support typed methods");
  }

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
   * @throws UnsupportedOperationException if the backend doesn't support asynchronous calls
   */
  default Natives natives() {
    throw new UnsupportedOperationException(name() + " doesn't support asynchronous calls");
  }

  /**
   * A method in one encoding: the {@code rb_method} that {@code rb_prepare} fills in.
   *
   * @param number the number for {@code rb_call}
   * @param flags {@link #LEAF}, {@link #ASYNC} and the other bits
   * @param encoding the number of the encoding in which the method was resolved
   * @param requestSize size of the request struct in bytes, 0 unless pod
   * @param responseSize size of the response struct in bytes, 0 unless pod
   * @param leafLimit the largest request and the largest buffer in bytes with which a call may
   *     block the garbage collector; 0 unless it's a leaf method
   * @param storage the size of the response buffer to offer if there's no better estimate, in bytes
   * @param bufferLimit the largest response buffer to keep for further calls, in bytes
   */
  record Entry(
      int number,
      int flags,
      int encoding,
      long requestSize,
      long responseSize,
      long leafLimit,
      long storage,
      long bufferLimit) {
    /** Bit of {@code flags}: a leaf method. */
    public static final int LEAF = AbiLayout.RB_METHOD_LEAF;

    /** Bit of {@code flags}: an asynchronous handler. */
    public static final int ASYNC = AbiLayout.RB_METHOD_ASYNC;

    /** Bit of {@code flags}: the response is a stream. */
    public static final int STREAM_OUT = AbiLayout.RB_METHOD_STREAM_OUT;

    /** Bit of {@code flags}: the method accepts a stream. */
    public static final int STREAM_IN = AbiLayout.RB_METHOD_STREAM_IN;

    /** Bit of {@code flags}: the response may contain objects. */
    public static final int OBJECTS = AbiLayout.RB_METHOD_OBJECTS;

    /** Bit of {@code flags}: a method of an object. */
    public static final int RECEIVER = AbiLayout.RB_METHOD_RECEIVER;

    /** Bit that is added to the number for a call that is valid only for a leaf method. */
    public static final int CALLED_AS_LEAF = AbiLayout.RB_ENTRY_LEAF;

    /**
     * Bit that is added to the number if other threads may write to the request's memory during the
     * call: the core then copies the request first.
     */
    public static final int SHARED = AbiLayout.RB_ENTRY_SHARED;
  }
}
