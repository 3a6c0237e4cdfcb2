package io.github.rustbridge;

import io.github.rustbridge.calls.Contexts;
import io.github.rustbridge.interop.Backend;
import io.github.rustbridge.interop.CallTarget;
import io.github.rustbridge.interop.Instance;
import io.github.rustbridge.interop.MethodEntry;
import io.github.rustbridge.interop.Natives;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A running instance of a plugin.
 *
 * <pre>{@code
 * try (Plugin plugin = Plugin.load(Path.of("libhello_plugin.so"))) {
 *   System.out.println(plugin.call("greet", "{\"name\":\"Ada\"}"));
 * }
 * }</pre>
 *
 * <p>Safe for use from any number of threads at once, including virtual threads. Closing waits for
 * running calls. A call that is made after that throws {@link PluginException} with {@link
 * Status#UNAVAILABLE}.
 *
 * <p>A call by name looks up the method each time. In a hot loop, use a {@link Method}:
 *
 * <pre>{@code
 * Method add = plugin.method("math.add", Encoding.POD);
 * byte[] sum = add.callRawBytes(twoLongs);
 * }</pre>
 *
 * <p>Close the instance when it's no longer needed. If it becomes unreachable without being closed,
 * the garbage collector closes it at some later time, and logs a warning to the logger {@code
 * rustbridge}.
 *
 * <p>An instance that is still open when the JVM exits isn't closed: the JVM doesn't wait for
 * running calls, and the plugin's destructor doesn't run. Loggers still receive records while
 * shutdown hooks run. Records that haven't been delivered by then are lost, and no logger can delay
 * the exit. An application that needs its plugins closed must close them before it exits, or in its
 * own shutdown hook.
 */
public final class Plugin implements AutoCloseable {
  /** The time for which {@link #close()} waits for running calls. */
  public static final Duration CLOSE_TIMEOUT = InstanceCloser.TIMEOUT;

  private final Backend<?> backend;
  private final Instance instance;
  private final long handle;
  private final String name;
  private final JsonCodec codec;
  private final Function<String, System.Logger> loggers;
  private final InstanceCloser closer;

  /** The contexts of calls, for services; null without any. */
  private final Contexts contexts;

  /** The host's objects that the instance refers to; null without callbacks. */
  private final HostObjects hostObjects;

  private final Cleaner.Cleanable dropped;
  private final MethodsByName json = new MethodsByName(this, true);
  private final MethodsByName bytes = new MethodsByName(this, false);

  private volatile LogLevel level;

  private Plugin(NewInstance loaded, PluginConfig config) {
    backend = loaded.backend();
    handle = loaded.handle();
    name = loaded.name();
    level = loaded.level();
    codec = config.codec;
    loggers = config.loggers;
    contexts = loaded.contexts();
    hostObjects = loaded.hostObjects();
    instance = new Instance(backend.natives(), handle, name, this);
    closer = new InstanceCloser(backend, handle, name);
    dropped = closer.watch(this);
  }

  private static Plugin of(NewInstance loaded, PluginConfig config) {
    try {
      return new Plugin(loaded, config);
    } catch (Throwable error) {
      new InstanceCloser(loaded.backend(), loaded.handle(), loaded.name()).abandon(error);
      throw error;
    }
  }

  /**
   * Loads a plugin from a library file, with the defaults of {@link PluginConfig}.
   *
   * @param library the file; it's copied first, so it may be changed or deleted after the call
   * @return the instance
   * @throws PluginException if the library can't be loaded, or the plugin rejects its configuration
   * @throws LibraryNotFoundException if rustbridge's own native library isn't found
   * @throws IllegalStateException if no backend is usable
   */
  public static Plugin load(Path library) {
    return load(library, PluginConfig.defaults());
  }

  /**
   * Loads a plugin from a library file.
   *
   * <pre>{@code
   * Plugin users = Plugin.load(library, PluginConfig.json("{\"first_user\": 100}").named("users"));
   * }</pre>
   *
   * @param library the file; it's copied first, so it may be changed or deleted after the call
   * @param config the plugin's configuration, and the options of the instance
   * @return the instance
   * @throws PluginException if the library can't be loaded, or the plugin rejects its configuration
   * @throws LibraryNotFoundException if rustbridge's own native library isn't found
   * @throws IllegalStateException if no backend is usable
   */
  public static Plugin load(Path library, PluginConfig config) {
    Objects.requireNonNull(library, "library");
    Objects.requireNonNull(config, "config");
    return of(NewInstance.file(library, config), config);
  }

  /**
   * Loads a plugin from the bytes of its library, with the defaults of {@link PluginConfig}.
   *
   * @param image the bytes of the library
   * @return the instance
   * @throws PluginException if the library can't be loaded, or the plugin rejects its configuration
   */
  public static Plugin load(byte[] image) {
    return load(image, PluginConfig.defaults());
  }

  /**
   * Loads a plugin from the bytes of its library.
   *
   * @param image the bytes of the library
   * @param config the plugin's configuration, and the options of the instance
   * @return the instance
   * @throws PluginException if the library can't be loaded, or the plugin rejects its configuration
   */
  public static Plugin load(byte[] image, PluginConfig config) {
    Objects.requireNonNull(image, "image");
    Objects.requireNonNull(config, "config");
    return of(NewInstance.image(image, config), config);
  }

  /**
   * Loads a plugin from a resource, with the defaults of {@link PluginConfig}.
   *
   * @param anchor a class of the jar or module that contains the resource
   * @param resource the resource's name, as {@link Class#getResource} accepts it
   * @return the instance
   * @throws PluginException with {@link Status#NOT_FOUND} if there is no such resource; also if the
   *     library can't be loaded
   */
  public static Plugin loadResource(Class<?> anchor, String resource) {
    return loadResource(anchor, resource, PluginConfig.defaults());
  }

  /**
   * Loads a plugin from a resource.
   *
   * <pre>{@code
   * Plugin hello = Plugin.loadResource(Main.class, "/plugins/libhello_plugin.so", PluginConfig.defaults());
   * }</pre>
   *
   * @param anchor a class of the jar or module that contains the resource
   * @param resource the resource's name, as {@link Class#getResource} accepts it
   * @param config the plugin's configuration, and the options of the instance
   * @return the instance
   * @throws PluginException with {@link Status#NOT_FOUND} if there is no such resource; also if the
   *     library can't be loaded
   */
  public static Plugin loadResource(Class<?> anchor, String resource, PluginConfig config) {
    Objects.requireNonNull(anchor, "anchor");
    Objects.requireNonNull(resource, "resource");
    Objects.requireNonNull(config, "config");
    return of(NewInstance.resource(anchor, resource, config), config);
  }

  /**
   * Returns the state of rustbridge in this process, for diagnostics and tests: mapped libraries,
   * live instances and running calls.
   *
   * @return a JSON object
   */
  public static String inspect() {
    return new String(BackendChoice.get().inspect(), StandardCharsets.UTF_8);
  }

  /**
   * Returns the version of the native library.
   *
   * @return the version, e.g. {@code 0.1.0}
   */
  public static String nativeVersion() {
    return BackendChoice.get().version();
  }

  /**
   * Returns the instance's name: the configured one, or else the plugin's own name.
   *
   * @return the name
   */
  public String name() {
    return name;
  }

  /**
   * Returns the instance's handle in the host ABI, for code that calls the native library directly.
   *
   * @return the handle
   */
  public long handle() {
    return handle;
  }

  /**
   * Returns the name of the backend that makes the calls.
   *
   * @return {@code ffm} or {@code jni}
   */
  public String backend() {
    return backend.name();
  }

  /**
   * Returns the instance's state.
   *
   * @return the state
   */
  public State state() {
    try {
      return closer.isDone() ? State.CLOSED : State.of(backend.state(handle));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Returns the plugin's description: methods, encodings, schemas and layouts.
   *
   * @return the description
   * @throws PluginException with {@link Status#UNAVAILABLE} if the instance is closed
   */
  public PluginDescription describe() {
    return Describer.read(describeJson());
  }

  /**
   * Returns the plugin's description as the JSON text that the plugin returned.
   *
   * @return a JSON object
   * @throws PluginException with {@link Status#UNAVAILABLE} if the instance is closed
   */
  public String describeJson() {
    try {
      return new String(backend.describe(handle), StandardCharsets.UTF_8);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Resolves a method in the encoding JSON. The result makes any number of calls without another
   * lookup.
   *
   * @param method the method's name
   * @return the method
   * @throws PluginException with {@link Status#NOT_FOUND} if there is no such method; with {@link
   *     Status#UNIMPLEMENTED} if it doesn't support JSON
   */
  public Method method(String method) {
    return method(method, Encoding.JSON);
  }

  /**
   * Resolves a method in an encoding. The result makes any number of calls without another lookup.
   *
   * @param method the method's name
   * @param encoding the encoding
   * @return the method
   * @throws PluginException with {@link Status#NOT_FOUND} if there is no such method; with {@link
   *     Status#UNIMPLEMENTED} if it doesn't support the encoding
   */
  public Method method(String method, Encoding encoding) {
    Objects.requireNonNull(method, "method");
    Objects.requireNonNull(encoding, "encoding");
    try {
      return prepared(method, backend.prepare(handle, Text.encode(method), encoding.number()));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Resolves a method by its numeric ID. The result makes any number of calls without another
   * lookup.
   *
   * @param id the method's number in the description, as an unsigned 32-bit number
   * @param encoding the encoding
   * @return the method
   * @throws PluginException with {@link Status#NOT_FOUND} if there is no such method; with {@link
   *     Status#UNIMPLEMENTED} if it doesn't support the encoding
   */
  public Method method(int id, Encoding encoding) {
    Objects.requireNonNull(encoding, "encoding");
    try {
      return prepared(Integer.toUnsignedString(id), backend.prepare(handle, id, encoding.number()));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Resolves a method for a typed client, if both sides' types are the same. */
  Method typedMethod(String method, String fingerprint, String clientSchema) {
    try {
      return prepared(
          method,
          backend.prepareTyped(
              handle, Text.encode(method), Text.encode(fingerprint), Text.encode(clientSchema)));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private Method prepared(String method, MethodEntry entry) {
    return (Method) backend.method(CallTarget.of(instance, method, entry));
  }

  /**
   * Calls a method with JSON text.
   *
   * <pre>{@code
   * String answer = plugin.call("greet", "{\"name\":\"Ada\"}");
   * }</pre>
   *
   * @param method the method's name
   * @param json the request; if it has unpaired surrogates, the call fails with {@link
   *     Status#INVALID_ARGUMENT}
   * @return the response
   * @throws PluginException if the call fails
   */
  public String call(String method, String json) {
    return this.json.get(method).call(json);
  }

  /**
   * Calls a method with an object, which the {@link JsonCodec} writes as JSON.
   *
   * <pre>{@code
   * record Add(long a, long b) {}
   * record Sum(long result) {}
   *
   * Sum sum = plugin.call("math.add", new Add(1, 2), Sum.class);
   * }</pre>
   *
   * @param method the method's name
   * @param request a value that the codec can write
   * @param type the class of the response
   * @param <T> the request's type
   * @param <R> the response's type
   * @return the response
   * @throws PluginException if the call fails
   * @throws IllegalStateException if there is no codec
   * @throws IllegalArgumentException if the codec can't write the request or read the response
   */
  public <T, R> R call(String method, T request, Class<R> type) {
    return json.get(method).call(request, type);
  }

  /**
   * Calls a method with an object, like {@link #call(String, Object, Class)}, for generic response
   * types.
   *
   * @param method the method's name
   * @param request a value that the codec can write
   * @param type the type of the response, e.g. {@code List<User>}
   * @return the response
   * @throws PluginException if the call fails
   * @throws IllegalStateException if there is no codec
   * @throws IllegalArgumentException if the codec can't write the request or read the response
   */
  public Object call(String method, Object request, Type type) {
    return json.get(method).call(request, type);
  }

  /**
   * Calls a method with bytes. The call uses the encoding {@link Encoding#RAW}, or {@link
   * Encoding#POD} if the method has no raw encoding.
   *
   * @param method the method's name
   * @param request the request
   * @return the response, a new array
   * @throws PluginException if the call fails
   * @see Method#callRawBytes(byte[])
   */
  public byte[] callRawBytes(String method, byte[] request) {
    return bytes.get(method).callRawBytes(request);
  }

  /**
   * Calls a method with bytes, and writes the response to the caller's array. The call uses the
   * encoding {@link Encoding#RAW}, or {@link Encoding#POD} if the method has no raw encoding.
   *
   * @param method the method's name
   * @param request the request
   * @param response the array that receives the response, from its start
   * @return the response's length
   * @throws PluginException if the call fails
   * @throws ResponseTooLargeException if the response doesn't fit; the exception holds the response
   * @see Method#callRaw(byte[], byte[])
   */
  public int callRaw(String method, byte[] request, byte[] response) {
    return bytes.get(method).callRaw(request, response);
  }

  /**
   * Calls a method with the remaining bytes of a buffer, and writes the response to another buffer.
   * The call uses the encoding {@link Encoding#RAW}, or {@link Encoding#POD} if the method has no
   * raw encoding.
   *
   * @param method the method's name
   * @param request the request, from position to limit
   * @param response the buffer that receives the response, from position to limit
   * @return the response's length
   * @throws PluginException if the call fails
   * @throws ResponseTooLargeException if the response doesn't fit; the exception holds the response
   * @see Method#callRaw(ByteBuffer, ByteBuffer)
   */
  public int callRaw(String method, ByteBuffer request, ByteBuffer response) {
    return bytes.get(method).callRaw(request, response);
  }

  /**
   * Calls a method with bytes, and leaves the response in the plugin's memory. The call uses the
   * encoding {@link Encoding#RAW}, or {@link Encoding#POD} if the method has no raw encoding.
   *
   * <pre>{@code
   * try (RawResponse response = plugin.callRawZeroCopy("image.render", request)) {
   *   channel.write(response.buffer());
   * }
   * }</pre>
   *
   * @param method the method's name
   * @param request the request
   * @return the response; the caller must close it
   * @throws PluginException if the call fails
   */
  public RawResponse callRawZeroCopy(String method, byte[] request) {
    return bytes.get(method).callRawZeroCopy(request);
  }

  /**
   * Calls a method with the remaining bytes of a buffer, and leaves the response in the plugin's
   * memory. The call uses the encoding {@link Encoding#RAW}, or {@link Encoding#POD} if the method
   * has no raw encoding.
   *
   * @param method the method's name
   * @param request the request, from position to limit
   * @return the response; the caller must close it
   * @throws PluginException if the call fails
   */
  public RawResponse callRawZeroCopy(String method, ByteBuffer request) {
    return bytes.get(method).callRawZeroCopy(request);
  }

  /** Resolves a method for bytes: raw, or else pod. */
  Method bytesMethod(String method) {
    try {
      return prepared(method, backend.prepare(handle, Text.encode(method), Backend.BYTES));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** A method for JSON that is kept by its name. */
  Method jsonMethod(String method) {
    return json.get(method);
  }

  /** Returns the contexts of calls, for services; null without any. */
  Contexts contexts() {
    return contexts;
  }

  /** Returns the host's objects that the instance refers to; null without callbacks. */
  HostObjects hostObjects() {
    return hostObjects;
  }

  /** Returns the native functions for asynchronous calls. */
  Natives natives() {
    return backend.natives();
  }

  /** Returns the codec of requests and responses. */
  JsonCodec codec() {
    return Codecs.given(codec);
  }

  /**
   * Sets the most verbose level that is logged, from the next record on.
   *
   * @param level the level
   * @throws PluginException with {@link Status#UNAVAILABLE} if the instance is closed
   */
  public void setLogLevel(LogLevel level) {
    Objects.requireNonNull(level, "level");
    try {
      backend.setLogLevel(handle, level.number());
      this.level = level;
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Returns the most verbose level that is logged.
   *
   * @return the level that {@link #setLogLevel} or {@link PluginConfig#logLevel} has set, or else
   *     the level that the logger accepted when the plugin was loaded
   */
  public LogLevel logLevel() {
    return level;
  }

  /**
   * Sends all further records to one logger. After this method has returned, the old logger
   * receives no more records. So this method waits for a record that is being delivered, and must
   * not be called while holding a lock that the old logger needs. The log level doesn't change.
   *
   * @param logger the logger, or null for the default loggers {@code
   *     rustbridge.<instance>.<target>}
   * @throws PluginException with {@link Status#UNAVAILABLE} if the instance is closed; with {@link
   *     Status#DEADLINE_EXCEEDED} if the old logger hasn't returned from a record within {@link
   *     #CLOSE_TIMEOUT}. In that case it's replaced nevertheless, and receives no more records
   */
  public void setLogger(System.Logger logger) {
    setLogging(new Logging(logger, loggers, null));
  }

  /**
   * Sends all further records to a listener, as {@link #setLogger} does to a logger. The log level
   * doesn't change.
   *
   * @param listener receives the records one at a time, on one of the core's threads
   * @throws PluginException under the same conditions as {@link #setLogger}
   */
  public void setLogListener(Consumer<LogRecord> listener) {
    setLogging(new Logging(null, loggers, Objects.requireNonNull(listener, "listener")));
  }

  private void setLogging(Logging logging) {
    try {
      backend.setLogSink(handle, logging, CLOSE_TIMEOUT.toMillis());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Waits until all records that have been logged so far are delivered.
   *
   * @param timeout how long to wait; if the milliseconds don't fit into a long, there's no limit
   * @throws PluginException with {@link Status#DEADLINE_EXCEEDED} if the time is over, or if a
   *     logger calls this method, since it would wait for itself; with {@link Status#UNAVAILABLE}
   *     if the instance is closed
   * @throws IllegalArgumentException if the timeout is negative
   */
  public void flushLogs(Duration timeout) {
    try {
      backend.flushLogs(handle, Timeout.milliseconds(timeout));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Closes the instance. Waits up to {@link #CLOSE_TIMEOUT} for running calls.
   *
   * @throws PluginException under the same conditions as {@link #close(Duration)}
   */
  @Override
  public void close() {
    close(CLOSE_TIMEOUT);
  }

  /**
   * Closes the instance: refuses new calls, waits for the running calls, delivers the pcloser log
   * records, and destroys the instance.
   *
   * <p>Has no effect if the instance is already closed. If several threads call it at once, each
   * returns when the instance is closed. A call from inside a call of the same instance is refused,
   * since it would wait for itself.
   *
   * @param timeout how long to wait for running calls; if the milliseconds don't fit into a long,
   *     there's no limit
   * @throws PluginException with {@link Status#DEADLINE_EXCEEDED} if calls are still running, which
   *     {@link PluginException#details()} lists. The instance keeps closing, and another {@code
   *     close} continues to wait. With {@link Status#INTERNAL} if the plugin's destructor panicked;
   *     the instance is closed nevertheless
   * @throws IllegalArgumentException if the timeout is negative
   */
  public void close(Duration timeout) {
    long millis = Timeout.milliseconds(timeout);
    closed(() -> closer.close(millis));
  }

  /**
   * Closes the instance like {@link #close(Duration)}, and cancels pcloser calls after a time.
   *
   * @param timeout how long to wait in total
   * @param cancelAfter how long pcloser calls may continue; after that, their futures fail with
   *     {@link Status#CANCELLED}
   * @throws PluginException under the same conditions as {@link #close(Duration)}
   * @throws IllegalArgumentException if either duration is negative
   */
  public void close(Duration timeout, Duration cancelAfter) {
    long millis = Timeout.milliseconds(timeout);
    long after = Timeout.milliseconds(cancelAfter);
    closed(() -> closer.close(millis, after));
  }

  private void closed(Runnable closing) {
    try {
      closing.run();
    } finally {
      if (closer.isDone()) {
        dropped.clean();
        if (hostObjects != null) {
          hostObjects.clear();
        }
      }
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public String toString() {
    return "Plugin["
        + name
        + (closer.isDone() ? ", closed" : ", open")
        + " by "
        + backend.name()
        + "]";
  }
}
