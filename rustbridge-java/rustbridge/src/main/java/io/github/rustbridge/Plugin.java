package io.github.rustbridge;

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
 * One running instance of a plugin.
 *
 * <pre>{@code
 * try (Plugin plugin = Plugin.load(Path.of("libhello_plugin.so"))) {
 *   System.out.println(plugin.call("greet", "{\"name\":\"Ada\"}"));
 * }
 * }</pre>
 *
 * <p>Safe for use from any number of threads at once, virtual ones included. Closing waits for
 * running calls; a call that comes too late throws {@link PluginException} with {@link
 * Status#UNAVAILABLE}.
 *
 * <p>Calls by name look the method up each time; a hot loop does better with a {@link Method}:
 *
 * <pre>{@code
 * Method add = plugin.method("math.add", Encoding.POD);
 * byte[] sum = add.callRawBytes(twoLongs);
 * }</pre>
 *
 * <p>Close it. One that is dropped instead is closed some time by the garbage collector, with a
 * warning to the logger {@code rustbridge}. One that is open when the JVM exits isn't closed at
 * all: the JVM doesn't wait for running calls, and the plugin's destructor doesn't run. Records go
 * on arriving at loggers while shutdown hooks run; those that haven't been delivered by then are
 * lost, and no logger can hold up the exit. An application that wants its plugins closed does so
 * before it exits, or in a shutdown hook of its own.
 */
public final class Plugin implements AutoCloseable {
  /** How long {@link #close()} waits for running calls. */
  public static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final Backend backend;
  private final long handle;
  private final String name;
  private final JsonCodec codec;
  private final Function<String, System.Logger> loggers;
  private final Ending ending;

  /** The contexts of calls, for services; null without any. */
  private final Contexts contexts;

  private final Cleaner.Cleanable dropped;
  private final MethodsByName json = new MethodsByName(this, true);
  private final MethodsByName bytes = new MethodsByName(this, false);

  private volatile LogLevel level;

  Plugin(
      Backend backend,
      long handle,
      String name,
      LogLevel level,
      PluginConfig config,
      Contexts contexts) {
    this.backend = backend;
    this.handle = handle;
    this.name = name;
    this.level = level;
    this.codec = config.codec;
    this.loggers = config.loggers;
    this.contexts = contexts;
    this.ending = new Ending(backend, handle, name);
    this.dropped = ending.watch(this);
  }

  /**
   * Loads a plugin from a library file, with the defaults of {@link PluginConfig}.
   *
   * @param library the file; it's copied first, so it may be changed or deleted afterwards
   * @return the instance
   * @throws PluginException if it can't be loaded, or the plugin refuses its configuration
   * @throws LibraryNotFoundException if rustbridge's own native library isn't found
   * @throws IllegalStateException if no backend can be used
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
   * @param library the file; it's copied first, so it may be changed or deleted afterwards
   * @param config the plugin's configuration, and what the host wants of the instance
   * @return the instance
   * @throws PluginException if it can't be loaded, or the plugin refuses its configuration
   * @throws LibraryNotFoundException if rustbridge's own native library isn't found
   * @throws IllegalStateException if no backend can be used
   */
  public static Plugin load(Path library, PluginConfig config) {
    Objects.requireNonNull(library, "library");
    Objects.requireNonNull(config, "config");
    return Loading.file(library, config);
  }

  /**
   * Loads a plugin from the bytes of its library, with the defaults of {@link PluginConfig}.
   *
   * @param image the library
   * @return the instance
   * @throws PluginException if it can't be loaded, or the plugin refuses its configuration
   */
  public static Plugin load(byte[] image) {
    return load(image, PluginConfig.defaults());
  }

  /**
   * Loads a plugin from the bytes of its library.
   *
   * @param image the library
   * @param config the plugin's configuration, and what the host wants of the instance
   * @return the instance
   * @throws PluginException if it can't be loaded, or the plugin refuses its configuration
   */
  public static Plugin load(byte[] image, PluginConfig config) {
    Objects.requireNonNull(image, "image");
    Objects.requireNonNull(config, "config");
    return Loading.image(image, config);
  }

  /**
   * Loads a plugin from a resource, with the defaults of {@link PluginConfig}.
   *
   * @param anchor a class of the jar or module that has it
   * @param resource its name as {@link Class#getResource} takes it
   * @return the instance
   * @throws PluginException with {@link Status#NOT_FOUND} if there is no such resource, or if it
   *     can't be loaded
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
   * @param anchor a class of the jar or module that has it
   * @param resource its name as {@link Class#getResource} takes it
   * @param config the plugin's configuration, and what the host wants of the instance
   * @return the instance
   * @throws PluginException with {@link Status#NOT_FOUND} if there is no such resource, or if it
   *     can't be loaded
   */
  public static Plugin loadResource(Class<?> anchor, String resource, PluginConfig config) {
    Objects.requireNonNull(anchor, "anchor");
    Objects.requireNonNull(resource, "resource");
    Objects.requireNonNull(config, "config");
    return Loading.resource(anchor, resource, config);
  }

  /**
   * Tells what is loaded in this process, for people and tests: mapped libraries, live instances,
   * running calls.
   *
   * @return a JSON object
   */
  public static String inspect() {
    return new String(Backends.get().inspect(), StandardCharsets.UTF_8);
  }

  /**
   * Gives the version of the native library.
   *
   * @return e.g. {@code 0.1.0}
   */
  public static String nativeVersion() {
    return Backends.get().version();
  }

  /**
   * Gives the instance's name: the one it was given, else the plugin's own.
   *
   * @return the name
   */
  public String name() {
    return name;
  }

  /**
   * Gives the instance's handle in the host ABI, for code that calls the native library itself.
   *
   * @return the handle
   */
  public long handle() {
    return handle;
  }

  /**
   * Tells which backend carries the calls.
   *
   * @return {@code ffm} or {@code jni}
   */
  public String backend() {
    return backend.name();
  }

  /**
   * Tells what the instance is doing.
   *
   * @return the state
   */
  public State state() {
    try {
      return ending.isDone() ? State.CLOSED : State.of(backend.state(handle));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Gives what the plugin says of itself: methods, encodings, schemas, layouts.
   *
   * @return the description
   * @throws PluginException with {@link Status#UNAVAILABLE} if the instance is closed
   */
  public PluginDescription describe() {
    return Describer.read(describeJson());
  }

  /**
   * Gives what the plugin says of itself, as it says it.
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
   * Resolves a method for JSON, once and for all calls through the result.
   *
   * @param method its name
   * @return the method
   * @throws PluginException with {@link Status#NOT_FOUND} if there is no such method, {@link
   *     Status#UNIMPLEMENTED} if it doesn't take JSON
   */
  public Method method(String method) {
    return method(method, Encoding.JSON);
  }

  /**
   * Resolves a method in an encoding, once and for all calls through the result.
   *
   * @param method its name
   * @param encoding the encoding
   * @return the method
   * @throws PluginException with {@link Status#NOT_FOUND} if there is no such method, {@link
   *     Status#UNIMPLEMENTED} if it doesn't have that encoding
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
   * Resolves a method by its numeric id, once and for all calls through the result.
   *
   * @param id its number in the description, all 32 bits of it unsigned
   * @param encoding the encoding
   * @return the method
   * @throws PluginException with {@link Status#NOT_FOUND} if there is no such method, {@link
   *     Status#UNIMPLEMENTED} if it doesn't have that encoding
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
  Method typedMethod(String method, String fingerprint, String contract) {
    try {
      return prepared(
          method,
          backend.prepareTyped(
              handle, Text.encode(method), Text.encode(fingerprint), Text.encode(contract)));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private Method prepared(String method, Backend.Entry entry) {
    return backend.method(PreparedMethod.of(this, method, handle, entry));
  }

  /**
   * Calls a method with JSON text.
   *
   * <pre>{@code
   * String answer = plugin.call("greet", "{\"name\":\"Ada\"}");
   * }</pre>
   *
   * @param method its name
   * @param json the request; unpaired surrogates are refused with {@link Status#INVALID_ARGUMENT}
   * @return the response
   * @throws PluginException if the call fails
   */
  public String call(String method, String json) {
    return this.json.get(method).call(json);
  }

  /**
   * Calls a method with an object, by JSON and the {@link JsonCodec}.
   *
   * <pre>{@code
   * record Add(long a, long b) {}
   * record Sum(long result) {}
   *
   * Sum sum = plugin.call("math.add", new Add(1, 2), Sum.class);
   * }</pre>
   *
   * @param method its name
   * @param request what the codec can write
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
   * Calls a method with an object, as {@link #call(String, Object, Class)} does, for generic
   * response types.
   *
   * @param method its name
   * @param request what the codec can write
   * @param type the type of the response, e.g. of a {@code List<User>}
   * @return the response
   * @throws PluginException if the call fails
   * @throws IllegalStateException if there is no codec
   * @throws IllegalArgumentException if the codec can't write the request or read the response
   */
  public Object call(String method, Object request, Type type) {
    return json.get(method).call(request, type);
  }

  /**
   * Calls a method with bytes, in its encoding {@link Encoding#RAW} if it has that, else {@link
   * Encoding#POD}.
   *
   * @param method its name
   * @param request the request
   * @return the response, a new array
   * @throws PluginException if the call fails
   * @see Method#callRawBytes(byte[])
   */
  public byte[] callRawBytes(String method, byte[] request) {
    return bytes.get(method).callRawBytes(request);
  }

  /**
   * Calls a method with bytes, in its encoding {@link Encoding#RAW} if it has that, else {@link
   * Encoding#POD}, the response going into an array of the caller's.
   *
   * @param method its name
   * @param request the request
   * @param response where the response goes, from its start
   * @return the response's length
   * @throws PluginException if the call fails
   * @throws ResponseTooLargeException if the response doesn't fit; holds it
   * @see Method#callRaw(byte[], byte[])
   */
  public int callRaw(String method, byte[] request, byte[] response) {
    return bytes.get(method).callRaw(request, response);
  }

  /**
   * Calls a method with the remaining bytes of a buffer, in its encoding {@link Encoding#RAW} if it
   * has that, else {@link Encoding#POD}, the response going into another buffer.
   *
   * @param method its name
   * @param request the request, from position to limit
   * @param response where the response goes, from position to limit
   * @return the response's length
   * @throws PluginException if the call fails
   * @throws ResponseTooLargeException if the response doesn't fit; holds it
   * @see Method#callRaw(ByteBuffer, ByteBuffer)
   */
  public int callRaw(String method, ByteBuffer request, ByteBuffer response) {
    return bytes.get(method).callRaw(request, response);
  }

  /**
   * Calls a method with bytes, in its encoding {@link Encoding#RAW} if it has that, else {@link
   * Encoding#POD}, and leaves the response in the plugin's memory.
   *
   * <pre>{@code
   * try (RawResponse response = plugin.callRawZeroCopy("image.render", request)) {
   *   channel.write(response.buffer());
   * }
   * }</pre>
   *
   * @param method its name
   * @param request the request
   * @return the response, to be closed
   * @throws PluginException if the call fails
   */
  public RawResponse callRawZeroCopy(String method, byte[] request) {
    return bytes.get(method).callRawZeroCopy(request);
  }

  /**
   * Calls a method with the remaining bytes of a buffer, in its encoding {@link Encoding#RAW} if it
   * has that, else {@link Encoding#POD}, and leaves the response in the plugin's memory.
   *
   * @param method its name
   * @param request the request, from position to limit
   * @return the response, to be closed
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

  /** The contexts of calls, for services; null without any. */
  Contexts contexts() {
    return contexts;
  }

  /** The functions for what ends later. */
  Natives natives() {
    return backend.natives();
  }

  /** What objects are written and read with. */
  JsonCodec codec() {
    return Codecs.given(codec);
  }

  /**
   * Sets the level up to which records are made, from the next record on.
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
   * Gives the level up to which records are made.
   *
   * @return what {@link #setLogLevel} or {@link PluginConfig#logLevel} set, or what the logger let
   *     through when the plugin was loaded
   */
  public LogLevel logLevel() {
    return level;
  }

  /**
   * Sends records to one logger from now on. When it returns the old one gets nothing any more; so
   * it waits for a record that is being delivered, and mustn't be called with a lock that the old
   * logger wants. The level stays.
   *
   * @param logger the logger, or null for the default ones, {@code rustbridge.<instance>.<target>}
   * @throws PluginException with {@link Status#UNAVAILABLE} if the instance is closed; with {@link
   *     Status#DEADLINE_EXCEEDED} if the old logger hasn't returned from a record within {@link
   *     #CLOSE_TIMEOUT}: it's replaced all the same, and gets no more
   */
  public void setLogger(System.Logger logger) {
    setLogging(new Logging(logger, loggers, null));
  }

  /**
   * Hands records to a listener from now on, as {@link #setLogger} does to a logger. The level
   * stays.
   *
   * @param listener what takes them, one at a time, on a thread of the core's
   * @throws PluginException as for {@link #setLogger}
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
   * Waits until what has been logged so far was delivered.
   *
   * @param timeout how long to wait; more than a long has milliseconds waits for good
   * @throws PluginException with {@link Status#DEADLINE_EXCEEDED} if it wasn't in time, or if
   *     called by a logger, which would wait for itself; with {@link Status#UNAVAILABLE} if the
   *     instance is closed
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
   * Closes the instance, waiting up to {@link #CLOSE_TIMEOUT} for running calls.
   *
   * @throws PluginException as {@link #close(Duration)} does
   */
  @Override
  public void close() {
    close(CLOSE_TIMEOUT);
  }

  /**
   * Refuses new calls, waits for the running ones, delivers the log, and ends the instance.
   *
   * <p>Does nothing to an instance that is closed. If several threads do it at once, each returns
   * when it's closed. From inside a call of the same instance it's refused, since it would wait for
   * itself.
   *
   * @param timeout how long to wait for running calls; more than a long has milliseconds waits for
   *     good
   * @throws PluginException with {@link Status#DEADLINE_EXCEEDED} if calls still run, which {@link
   *     PluginException#details()} names: the instance stays closing, and another {@code close}
   *     goes on waiting; with {@link Status#INTERNAL} if the plugin's destructor panicked: it's
   *     closed all the same
   * @throws IllegalArgumentException if the timeout is negative
   */
  public void close(Duration timeout) {
    long millis = Timeout.milliseconds(timeout);
    closed(() -> ending.end(millis));
  }

  /**
   * Closes as {@link #close(Duration)} does, but asks what is pending to end early, after a time of
   * its own.
   *
   * @param timeout how long to wait in all
   * @param cancelAfter for how long what is pending may go on; then its futures fail with {@link
   *     Status#CANCELLED}
   * @throws PluginException as {@link #close(Duration)} does
   * @throws IllegalArgumentException if either is negative
   */
  public void close(Duration timeout, Duration cancelAfter) {
    long millis = Timeout.milliseconds(timeout);
    long after = Timeout.milliseconds(cancelAfter);
    closed(() -> ending.end(millis, after));
  }

  private void closed(Runnable closing) {
    try {
      closing.run();
    } finally {
      if (ending.isDone()) {
        dropped.clean();
      }
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public String toString() {
    return "Plugin["
        + name
        + (ending.isDone() ? ", closed" : ", open")
        + " by "
        + backend.name()
        + "]";
  }
}
