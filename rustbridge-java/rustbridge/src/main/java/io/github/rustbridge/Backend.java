package io.github.rustbridge;

/**
 * A way into the native library. It marshals and decides nothing: the rules are in the native core,
 * and what all backends share is in this module.
 *
 * <p>For the backends: applications have no use for it, and it may change with every version.
 *
 * <p>Failures with a payload are thrown as {@code Failures} makes them, so that all backends fail
 * alike.
 */
public interface Backend {
  /** Stands for an encoding: raw if the method has it, else pod. */
  int BYTES = -1;

  /**
   * Names it.
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
   * Loads a plugin and makes an instance: {@code rb_load}.
   *
   * @param request what to load and how
   * @return the instance's handle
   * @throws PluginException if it can't be loaded
   */
  long load(LoadRequest request);

  /**
   * Gives the name that an instance goes by: {@code rb_name}.
   *
   * @param handle the instance
   * @return UTF-8
   * @throws PluginException if the instance is closed
   */
  byte[] instanceName(long handle);

  /**
   * Gives the plugin's description: {@code rb_describe}.
   *
   * @param handle the instance
   * @return JSON in UTF-8
   * @throws PluginException if the instance is closed
   */
  byte[] describe(long handle);

  /**
   * Resolves a method by name: {@code rb_prepare}.
   *
   * @param handle the instance
   * @param name the method's name in UTF-8
   * @param encoding the number of an {@link Encoding}, or {@link #BYTES}
   * @return what the core says of it
   * @throws PluginException if there is no such method or encoding
   */
  Entry prepare(long handle, byte[] name, int encoding);

  /**
   * Resolves a method by its numeric id: {@code rb_prepare_id}.
   *
   * @param handle the instance
   * @param id the method's number, all 32 bits of it unsigned
   * @param encoding the number of an {@link Encoding}, or {@link #BYTES}
   * @return what the core says of it
   * @throws PluginException if there is no such method or encoding
   */
  Entry prepare(long handle, int id, int encoding);

  /**
   * Resolves a method in the wire form, if a client's types are the plugin's: {@code
   * rb_prepare_typed}.
   *
   * @param handle the instance
   * @param name the method's name in UTF-8
   * @param fingerprint the fingerprint that the client has of it
   * @param contract what the client was written from, in UTF-8
   * @return what the core says of it
   * @throws PluginException if there is no such method, or the types differ
   */
  default Entry prepareTyped(long handle, byte[] name, byte[] fingerprint, byte[] contract) {
    throw new UnsupportedOperationException(name() + " has no typed methods");
  }

  /**
   * Makes the method through which an entry is called.
   *
   * @param prepared what the method is to know of itself
   * @return the method
   */
  Method method(PreparedMethod prepared);

  /**
   * Tells the state of an instance: {@code rb_state}.
   *
   * @param handle the instance
   * @return the number of a {@link State}
   * @throws PluginException if the handle was never issued
   */
  int state(long handle);

  /**
   * Closes an instance: {@code rb_close}. May block for the time given, and runs log callbacks on
   * other threads meanwhile.
   *
   * @param handle the instance
   * @param timeoutMillis how long to wait for running calls; -1 waits for good
   * @throws PluginException with what {@code rb_close} reports
   */
  void close(long handle, long timeoutMillis);

  /**
   * Sets the log level: {@code rb_log_set_level}.
   *
   * @param handle the instance
   * @param level the number of a {@link LogLevel}
   * @throws PluginException if the instance is closed
   */
  void setLogLevel(long handle, int level);

  /**
   * Replaces the log sink: {@code rb_log_set_sink}.
   *
   * @param handle the instance
   * @param sink where records go from now on, or null for nowhere
   * @param timeoutMillis how long to wait for the old sink to return; -1 waits for good
   * @throws PluginException with {@link Status#DEADLINE_EXCEEDED} if the old sink wasn't in time:
   *     it's replaced all the same; otherwise if the instance is closed
   */
  void setLogSink(long handle, LogSink sink, long timeoutMillis);

  /**
   * Waits until what was logged has been delivered: {@code rb_log_flush}.
   *
   * @param handle the instance
   * @param timeoutMillis how long to wait; -1 waits for good
   * @throws PluginException if it wasn't in time, or the instance is closed
   */
  void flushLogs(long handle, long timeoutMillis);

  /**
   * Tells what is loaded: {@code rb_inspect}.
   *
   * @return JSON in UTF-8
   */
  byte[] inspect();

  /**
   * Gives the functions for what ends later.
   *
   * @return the functions, always the same
   * @throws UnsupportedOperationException if it has none
   */
  default Natives natives() {
    throw new UnsupportedOperationException(name() + " has no operations");
  }

  /**
   * What {@code rb_prepare} fills in, an {@code rb_method}: a method in one encoding.
   *
   * @param number what {@code rb_call} takes
   * @param flags {@link #LEAF}, {@link #ASYNC} and the others
   * @param encoding the number of the {@link Encoding} that it was prepared in
   * @param requestSize size of the request struct in bytes, 0 unless pod
   * @param responseSize size of the response struct in bytes, 0 unless pod
   * @param leafLimit the most bytes of request, and of storage, with which a call may hold off the
   *     garbage collector; 0 unless it's a leaf
   * @param storage how many bytes of storage to offer when nothing better is known
   * @param bufferLimit the most bytes of storage to keep from call to call
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
    /** Bit of {@code flags}: a leaf. */
    public static final int LEAF = 1;

    /** Bit of {@code flags}: asynchronous. */
    public static final int ASYNC = 2;

    /** Bit of {@code flags}: it answers with a stream. */
    public static final int STREAM_OUT = 4;

    /** Bit of {@code flags}: it takes a stream. */
    public static final int STREAM_IN = 8;

    /** Bit of {@code flags}: objects may come with its answer. */
    public static final int OBJECTS = 16;

    /** Bit of {@code flags}: it's a method of an object's. */
    public static final int RECEIVER = 32;

    /** Bit that goes with the number of a call that only a leaf may be called by. */
    public static final int CALLED_AS_LEAF = 0x8000;

    /**
     * Bit that goes with the number where others may write to the request's memory meanwhile: the
     * core copies it first.
     */
    public static final int SHARED = 0x4000;
  }
}
