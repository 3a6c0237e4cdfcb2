package io.github.rustbridge;

import io.github.rustbridge.internal.Loggers;
import io.github.rustbridge.wire.Decode;
import io.github.rustbridge.wire.Encode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The configuration of a plugin, and the options of its instance. Immutable; each method returns a
 * changed copy.
 *
 * <pre>{@code
 * PluginConfig config =
 *     PluginConfig.json("{\"first_user\": 100}").named("users").logLevel(LogLevel.DEBUG);
 * try (Plugin users = Plugin.load(library, config)) {
 *   // call it
 * }
 * }</pre>
 */
public final class PluginConfig {
  private static final PluginConfig DEFAULTS = new PluginConfig(new Draft());

  final byte[] json;
  final Object value;
  final String name;
  final LogLevel logLevel;
  final System.Logger logger;
  final Function<String, System.Logger> loggers;
  final Consumer<LogRecord> listener;
  final int logCapacity;
  final int threads;
  final boolean poison;
  final boolean backtrace;
  final boolean ownCopy;
  final JsonCodec codec;
  final List<ServiceDeclaration> services;
  final ContextPropagation propagation;

  /** The client schema of the typed client that loads the plugin; null for none. */
  final byte[] clientSchema;

  /** The values of a copy that is being created. */
  private static final class Draft {
    private byte[] json;
    private Object value;
    private String name;
    private LogLevel logLevel;
    private System.Logger logger;
    private Function<String, System.Logger> loggers = Loggers::of;
    private Consumer<LogRecord> listener;
    private int logCapacity;
    private int threads;
    private boolean poison;
    private boolean backtrace;
    private boolean ownCopy;
    private JsonCodec codec;
    private List<ServiceDeclaration> services = List.of();
    private ContextPropagation propagation;
    private byte[] clientSchema;
  }

  private PluginConfig(Draft draft) {
    json = draft.json;
    value = draft.value;
    name = draft.name;
    logLevel = draft.logLevel;
    logger = draft.logger;
    loggers = draft.loggers;
    listener = draft.listener;
    logCapacity = draft.logCapacity;
    threads = draft.threads;
    poison = draft.poison;
    backtrace = draft.backtrace;
    ownCopy = draft.ownCopy;
    codec = draft.codec;
    services = draft.services;
    propagation = draft.propagation;
    clientSchema = draft.clientSchema;
  }

  private PluginConfig with(Consumer<Draft> change) {
    Draft draft = new Draft();
    draft.json = json;
    draft.value = value;
    draft.name = name;
    draft.logLevel = logLevel;
    draft.logger = logger;
    draft.loggers = loggers;
    draft.listener = listener;
    draft.logCapacity = logCapacity;
    draft.threads = threads;
    draft.poison = poison;
    draft.backtrace = backtrace;
    draft.ownCopy = ownCopy;
    draft.codec = codec;
    draft.services = services;
    draft.propagation = propagation;
    draft.clientSchema = clientSchema;
    change.accept(draft);
    return new PluginConfig(draft);
  }

  /**
   * Returns the defaults: no configuration, the plugin's own name, and the log level that the
   * logger accepts.
   *
   * @return the defaults
   */
  public static PluginConfig defaults() {
    return DEFAULTS;
  }

  /**
   * Returns the defaults with the plugin's configuration as JSON text.
   *
   * @param json the configuration that the plugin's {@code create} receives
   * @return the defaults with this configuration
   * @throws PluginException with {@link Status#INVALID_ARGUMENT} if the text has unpaired
   *     surrogates
   */
  public static PluginConfig json(String json) {
    byte[] bytes = Text.encode(Objects.requireNonNull(json, "json"));
    return DEFAULTS.with(draft -> draft.json = bytes);
  }

  /**
   * Returns the defaults with the plugin's configuration as JSON in UTF-8.
   *
   * @param json the configuration that the plugin's {@code create} receives; it's copied
   * @return the defaults with this configuration
   */
  public static PluginConfig json(byte[] json) {
    byte[] bytes = Objects.requireNonNull(json, "json").clone();
    return DEFAULTS.with(draft -> draft.json = bytes);
  }

  /**
   * Returns the defaults with the plugin's configuration as an object that the {@link JsonCodec}
   * can write. It's written when a plugin is loaded.
   *
   * @param value the configuration, which the plugin's {@code create} receives as JSON
   * @return the defaults with this configuration
   */
  public static PluginConfig of(Object value) {
    Objects.requireNonNull(value, "value");
    return DEFAULTS.with(draft -> draft.value = value);
  }

  /**
   * Sets the instance's name, which messages and loggers use.
   *
   * @param name the name; if it's empty, the plugin's own name is used
   * @return a changed copy
   */
  public PluginConfig named(String name) {
    Objects.requireNonNull(name, "name");
    return with(draft -> draft.name = name);
  }

  /**
   * Sets the most verbose level that is logged. The default is the most verbose level that the
   * configured logger accepts when the plugin is loaded, or else the logger {@code
   * rustbridge.<instance>}. If no name is configured, the logger {@code rustbridge} decides.
   *
   * @param level the level
   * @return a changed copy
   */
  public PluginConfig logLevel(LogLevel level) {
    Objects.requireNonNull(level, "level");
    return with(draft -> draft.logLevel = level);
  }

  /**
   * Sends all records to one logger. It replaces the loggers {@code
   * rustbridge.<instance>.<target>}, and the listener that {@link #logListener} has set.
   *
   * @param logger the logger
   * @return a changed copy
   */
  public PluginConfig logger(System.Logger logger) {
    Objects.requireNonNull(logger, "logger");
    return with(draft -> {
      draft.logger = logger;
      draft.listener = null;
    });
  }

  /**
   * Sends records to the loggers of a factory instead of the loggers of {@link System#getLogger}. A
   * container uses this if the JDK doesn't find its logging framework. It has no effect if {@link
   * #logger} or {@link #logListener} is set.
   *
   * @param factory returns the logger for a name such as {@code rustbridge.<instance>.<target>}; it
   *     may be called on any thread
   * @return a changed copy
   */
  public PluginConfig loggers(Function<String, System.Logger> factory) {
    Objects.requireNonNull(factory, "factory");
    return with(draft ->
        draft.loggers =
            name -> Objects.requireNonNull(factory.apply(name), "the factory's logger"));
  }

  /**
   * Sends all records to a listener instead of loggers, with their fields and spans as values.
   * Unless {@link #logLevel} sets another level, the level is {@link LogLevel#INFO}.
   *
   * @param listener receives the records one at a time, on one of the core's threads
   * @return a changed copy
   */
  public PluginConfig logListener(Consumer<LogRecord> listener) {
    Objects.requireNonNull(listener, "listener");
    return with(draft -> {
      draft.listener = listener;
      draft.logger = null;
    });
  }

  /**
   * Sets how many records may wait for the logger or listener. The default is 4,096. Further
   * records are dropped and counted, and the logger receives their number.
   *
   * @param records the number of records; 0 for the default
   * @return a changed copy
   * @throws IllegalArgumentException if it's negative
   */
  public PluginConfig logCapacity(int records) {
    if (records < 0) {
      throw new IllegalArgumentException("a log capacity must be zero or more, not " + records);
    }
    return with(draft -> draft.logCapacity = records);
  }

  /**
   * Sets how many threads the plugin may use at once for synchronous handlers that are offloaded or
   * wait for the items of a stream, and the library for services that the plugin awaits. The
   * default is 512. Further handlers and services wait.
   *
   * @param threads the number of threads; 0 for the default
   * @return a changed copy
   * @throws IllegalArgumentException if it's negative
   */
  public PluginConfig threads(int threads) {
    if (threads < 0) {
      throw new IllegalArgumentException(
          "a number of threads must be zero or more, not " + threads);
    }
    return with(draft -> draft.threads = threads);
  }

  /**
   * Makes the instance refuse further calls after a panic. By default, it continues to accept
   * calls.
   *
   * @return a changed copy
   */
  public PluginConfig poisonOnPanic() {
    return with(draft -> draft.poison = true);
  }

  /**
   * Includes the Rust backtrace of a panic in {@link PluginException#backtrace()}.
   *
   * @return a changed copy
   */
  public PluginConfig backtraces() {
    return with(draft -> draft.backtrace = true);
  }

  /**
   * Maps the library a second time, for this instance alone. Use it for plugins with global state.
   * The mapping stays until the process ends.
   *
   * @return a changed copy
   */
  public PluginConfig ownCopy() {
    return with(draft -> draft.ownCopy = true);
  }

  /**
   * Sets the codec of calls with objects.
   *
   * @param codec the codec
   * @return a changed copy
   */
  public PluginConfig codec(JsonCodec codec) {
    Objects.requireNonNull(codec, "codec");
    return with(draft -> draft.codec = codec);
  }

  /**
   * Runs services in the context of the call for which the plugin calls them, on any thread. The
   * propagation captures the context when a call starts.
   *
   * <pre>{@code
   * config.contextPropagation(() -> io.opentelemetry.context.Context.current()::wrap);
   * }</pre>
   *
   * <p>It doesn't apply to blocking calls without options: their services run on the caller's own
   * thread, which has the context.
   *
   * @param propagation captures contexts; any number of threads may call it at once
   * @return a changed copy
   */
  public PluginConfig contextPropagation(ContextPropagation propagation) {
    Objects.requireNonNull(propagation, "propagation");
    return with(draft -> draft.propagation = propagation);
  }

  /**
   * Registers a function that the plugin may call with JSON.
   *
   * <pre>{@code
   * PluginConfig.defaults().service("prices.get", Long.class, (id, call) -> prices.get(id))
   * }</pre>
   *
   * @param name the name by which the plugin calls it
   * @param type the class of the request
   * @param service the function. Any number of threads may call it at once. If the plugin blocks
   *     until the response, the plugin's calling thread calls it. If the plugin awaits the
   *     response, one of the library's threads calls it, so the function may block
   * @param <T> the request's type
   * @param <R> the response's type
   * @return a changed copy
   */
  @SuppressWarnings("unchecked")
  public <T, R> PluginConfig service(String name, Class<T> type, JsonService<T, R> service) {
    Objects.requireNonNull(service, "service");
    return with(ServiceDeclaration.json(name, type, (JsonService<Object, ?>) service));
  }

  /**
   * Registers a function that the plugin may call with bytes.
   *
   * @param name the name by which the plugin calls it
   * @param encoding the encoding of the bytes
   * @param service the function. Any number of threads may call it at once. If the plugin blocks
   *     until the response, the plugin's calling thread calls it. If the plugin awaits the
   *     response, one of the library's threads calls it, so the function may block
   * @return a changed copy
   */
  public PluginConfig rawService(String name, Encoding encoding, RawService service) {
    Objects.requireNonNull(service, "service");
    return with(ServiceDeclaration.raw(name, encoding, service));
  }

  /**
   * Registers an asynchronous function that the plugin may call with bytes.
   *
   * @param name the name by which the plugin calls it
   * @param encoding the encoding of the bytes
   * @param service the function. Any number of threads may call it at once. If the plugin blocks
   *     until the response, the plugin's calling thread calls it. If the plugin awaits the
   *     response, one of the library's threads calls it, so the function may block
   * @return a changed copy
   */
  public PluginConfig rawAsyncService(String name, Encoding encoding, AsyncService service) {
    Objects.requireNonNull(service, "service");
    return with(ServiceDeclaration.later(name, encoding, service));
  }

  /**
   * Registers an object's methods that are annotated with {@link Service}.
   *
   * @param object the object
   * @return a changed copy
   * @throws IllegalArgumentException if the object has no such method, or one with an unsupported
   *     signature
   */
  public PluginConfig services(Object object) {
    PluginConfig config = this;
    for (ServiceDeclaration declaration :
        ServiceDeclaration.of(Objects.requireNonNull(object, "object"))) {
      config = config.with(declaration);
    }
    return config;
  }

  /** Sets the client schema of the typed client that loads the plugin. */
  PluginConfig clientSchema(byte[] clientSchema) {
    return with(draft -> draft.clientSchema = clientSchema);
  }

  /** Registers a function with types. */
  <Q, A> PluginConfig typedService(
      String name,
      Decode<Q> decode,
      Encode<A> encode,
      ServiceErrors errors,
      ServiceDeclaration.TypedFunction<Q, A> function) {
    return with(ServiceDeclaration.typed(name, decode, encode, errors, function));
  }

  /** Registers the service that releases the host's objects of a callback. */
  PluginConfig callback(String name) {
    return with(ServiceDeclaration.callback(name));
  }

  /** Registers a function of a callback, with types. */
  <T, Q, A> PluginConfig callbackFunction(
      String callback,
      String name,
      Decode<Q> decode,
      Encode<A> encode,
      ServiceErrors errors,
      ToLongFunction<Q> number,
      ServiceDeclaration.CallbackFunction<T, Q, A> function) {
    return with(
        ServiceDeclaration.function(callback, name, decode, encode, errors, number, function));
  }

  /** Registers a function of a callback whose arguments or whose result contain objects. */
  <T, Q, A> PluginConfig crossing(
      String callback,
      String name,
      Encode<A> encode,
      ServiceErrors errors,
      ServiceDeclaration.CallbackFunction<T, Q, A> function) {
    return with(ServiceDeclaration.crossing(callback, name, encode, errors, function));
  }

  private PluginConfig with(ServiceDeclaration declaration) {
    Objects.requireNonNull(declaration.name(), "name");
    Objects.requireNonNull(declaration.encoding(), "encoding");
    List<ServiceDeclaration> more = new ArrayList<>(services);
    more.add(declaration);
    return with(draft -> draft.services = List.copyOf(more));
  }
}
