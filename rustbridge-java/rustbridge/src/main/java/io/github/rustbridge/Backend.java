package io.github.rustbridge.spi;

import io.github.rustbridge.Encoding;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginException;

/**
 * A way into the native library. It marshals and decides nothing: the rules are in the native core,
 * and what all backends share is in this module.
 *
 * <p>Failures with a payload are thrown as {@link Failures#of(int, byte[])} makes them, so that all
 * backends fail alike. Where a function of the host ABI has no payload, its status is returned.
 */
public interface Backend {
  /**
   * Names it.
   *
   * @return {@code ffm} or {@code jni}
   */
  String name();

  /**
   * Gives the version of the native library.
   *
   * @return e.g. {@code 0.1.0}
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
   * @param plugin the instance, for the method to hold
   * @param handle its handle
   * @param name the method's name
   * @param encoding the encoding
   * @return the method
   * @throws PluginException if there is no such method or encoding
   */
  Method prepare(Plugin plugin, long handle, String name, Encoding encoding);

  /**
   * Resolves a method by its numeric id: {@code rb_prepare_id}.
   *
   * @param plugin the instance, for the method to hold
   * @param handle its handle
   * @param id the method's number, all 32 bits of it unsigned
   * @param encoding the encoding
   * @return the method
   * @throws PluginException if there is no such method or encoding
   */
  Method prepare(Plugin plugin, long handle, int id, Encoding encoding);

  /**
   * Tells the state of an instance: {@code rb_state}.
   *
   * @param handle the instance
   * @return the number of a {@link io.github.rustbridge.State}
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
   * @param level the number of a {@link io.github.rustbridge.LogLevel}
   * @return a status of the host ABI
   */
  int setLogLevel(long handle, int level);

  /**
   * Replaces the log sink: {@code rb_log_set_sink}.
   *
   * @param handle the instance
   * @param sink where records go from now on, or null for nowhere
   * @return a status of the host ABI
   */
  int setLogSink(long handle, LogSink sink);

  /**
   * Waits until what was logged has been delivered: {@code rb_log_flush}.
   *
   * @param handle the instance
   * @param timeoutMillis how long to wait; -1 waits for good
   * @return a status of the host ABI
   */
  int flushLogs(long handle, long timeoutMillis);

  /**
   * Tells what is loaded: {@code rb_inspect}.
   *
   * @return JSON in UTF-8
   */
  byte[] inspect();
}
