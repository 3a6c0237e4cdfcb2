package io.github.rustbridge;

import io.github.rustbridge.internal.Loggers;
import io.github.rustbridge.wire.Decode;
import io.github.rustbridge.wire.Encode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * How to load a plugin: its configuration, and what the host wants of the instance. Immutable; each
 * method gives a changed copy.
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
  final List<Served.Declared> services;
  final ContextPropagation propagation;

  /** What the typed client that loads was written from; null if none does. */
  final byte[] contract;

  /** What a copy is changed in before it's made. */
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
    private List<Served.Declared> services = List.of();
    private ContextPropagation propagation;
    private byte[] contract;
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
    contract = draft.contract;
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
    draft.contract = contract;
    change.accept(draft);
    return new PluginConfig(draft);
  }

  /**
   * Gives the defaults: no configuration, the plugin's own name, records as far as the logger wants
   * them.
   *
   * @return the defaults
   */
  public static PluginConfig defaults() {
    return DEFAULTS;
  }

  /**
   * Gives the defaults with the plugin's configuration as JSON text.
   *
   * @param json what the plugin's {@code create} gets
   * @return the defaults with that
   * @throws PluginException with {@link Status#INVALID_ARGUMENT} if it has unpaired surrogates
   */
  public static PluginConfig json(String json) {
    byte[] bytes = Text.encode(Objects.requireNonNull(json, "json"));
    return DEFAULTS.with(draft -> draft.json = bytes);
  }

  /**
   * Gives the defaults with the plugin's configuration as JSON in UTF-8.
   *
   * @param json what the plugin's {@code create} gets; copied
   * @return the defaults with that
   */
  public static PluginConfig json(byte[] json) {
    byte[] bytes = Objects.requireNonNull(json, "json").clone();
    return DEFAULTS.with(draft -> draft.json = bytes);
  }

  /**
   * Gives the defaults with the plugin's configuration as an object that the {@link JsonCodec} can
   * write. It's written when a plugin is loaded.
   *
   * @param value what the plugin's {@code create} gets as JSON
   * @return the defaults with that
   */
  public static PluginConfig of(Object value) {
    Objects.requireNonNull(value, "value");
    return DEFAULTS.with(draft -> draft.value = value);
  }

  /**
   * Names the instance, for messages and loggers.
   *
   * @param name the name; an empty one is the plugin's own
   * @return a copy with that
   */
  public PluginConfig named(String name) {
    Objects.requireNonNull(name, "name");
    return with(draft -> draft.name = name);
  }

  /**
   * Sets the level up to which records are made. By default it's the most verbose one that the
   * given logger, or else {@code rustbridge.<instance>}, lets through when the plugin is loaded; of
   * an instance that isn't named here, it's that of {@code rustbridge}.
   *
   * @param level the level
   * @return a copy with that
   */
  public PluginConfig logLevel(LogLevel level) {
    Objects.requireNonNull(level, "level");
    return with(draft -> draft.logLevel = level);
  }

  /**
   * Sends all records to one logger, instead of to {@code rustbridge.<instance>.<target>}, and
   * instead of to what {@link #logListener} has set.
   *
   * @param logger the logger
   * @return a copy with that
   */
  public PluginConfig logger(System.Logger logger) {
    Objects.requireNonNull(logger, "logger");
    return with(draft -> {
      draft.logger = logger;
      draft.listener = null;
    });
  }

  /**
   * Sends records to the loggers of a factory, in place of those of {@link System#getLogger}. A
   * container uses this if the JDK doesn't find its logging framework. It has no effect while
   * {@link #logger} or {@link #logListener} receives the records.
   *
   * @param factory returns the logger of a name such as {@code rustbridge.<instance>.<target>}; it
   *     may be called on any thread
   * @return a copy with that
   */
  public PluginConfig loggers(Function<String, System.Logger> factory) {
    Objects.requireNonNull(factory, "factory");
    return with(draft ->
        draft.loggers =
            name -> Objects.requireNonNull(factory.apply(name), "the factory's logger"));
  }

  /**
   * Hands all records to a listener, with their fields and spans as values, instead of to loggers.
   * Unless {@link #logLevel} says otherwise, that is up to {@link LogLevel#INFO}.
   *
   * @param listener what takes them, one at a time, on a thread of the core's
   * @return a copy with that
   */
  public PluginConfig logListener(Consumer<LogRecord> listener) {
    Objects.requireNonNull(listener, "listener");
    return with(draft -> {
      draft.listener = listener;
      draft.logger = null;
    });
  }

  /**
   * Sets how many records may wait for the logger or listener, 4,096 by default. What doesn't fit
   * is dropped and counted, and the logger is told how many.
   *
   * @param records the number of records; 0 for the default
   * @return a copy with that
   * @throws IllegalArgumentException if it's negative
   */
  public PluginConfig logCapacity(int records) {
    if (records < 0) {
      throw new IllegalArgumentException("a log capacity is zero or more, not " + records);
    }
    return with(draft -> draft.logCapacity = records);
  }

  /**
   * Sets how many plain handlers of the plugin may run on threads of their own at once, those that
   * are offloaded or wait for the items of a stream, and how many services that the plugin awaits;
   * 512 by default. What is beyond waits.
   *
   * @param threads the number of threads; 0 for the default
   * @return a copy with that
   * @throws IllegalArgumentException if it's negative
   */
  public PluginConfig threads(int threads) {
    if (threads < 0) {
      throw new IllegalArgumentException("a number of threads is zero or more, not " + threads);
    }
    return with(draft -> draft.threads = threads);
  }

  /**
   * Makes the instance refuse further calls after a panic. By default it goes on.
   *
   * @return a copy with that
   */
  public PluginConfig poisonOnPanic() {
    return with(draft -> draft.poison = true);
  }

  /**
   * Puts the Rust backtrace of a panic into {@link PluginException#backtrace()}.
   *
   * @return a copy with that
   */
  public PluginConfig backtraces() {
    return with(draft -> draft.backtrace = true);
  }

  /**
   * Maps the library once more for this instance alone, for plugins with global state of their own.
   * Costs a mapping that stays for the life of the process.
   *
   * @return a copy with that
   */
  public PluginConfig ownCopy() {
    return with(draft -> draft.ownCopy = true);
  }

  /**
   * Sets the codec of the typed calls.
   *
   * @param codec the codec
   * @return a copy with that
   */
  public PluginConfig codec(JsonCodec codec) {
    Objects.requireNonNull(codec, "codec");
    return with(draft -> draft.codec = codec);
  }

  /**
   * Has services run in the context of the call that the plugin calls them for, on whichever thread
   * they run: the propagation captures it when a call begins.
   *
   * <pre>{@code
   * config.contextPropagation(() -> io.opentelemetry.context.Context.current()::wrap);
   * }</pre>
   *
   * <p>Blocking calls without options aren't covered: their services run on the caller's own
   * thread, which has the context.
   *
   * @param propagation captures contexts; it's called by any number of threads at once
   * @return a copy with that
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
   * @param name what the plugin asks for
   * @param type the class of the request
   * @param service the function, any number at once: called on the thread that asks where the
   *     plugin waits for the answer, and on one of the library's where it awaits it, so that it may
   *     block
   * @param <T> the request's type
   * @param <R> the answer's type
   * @return a copy with that
   */
  @SuppressWarnings("unchecked")
  public <T, R> PluginConfig service(String name, Class<T> type, JsonService<T, R> service) {
    Objects.requireNonNull(service, "service");
    return with(Served.json(name, type, (JsonService<Object, ?>) service));
  }

  /**
   * Registers a function that the plugin may call with bytes.
   *
   * @param name what the plugin asks for
   * @param encoding what the bytes are
   * @param service the function, any number at once: called on the thread that asks where the
   *     plugin waits for the answer, and on one of the library's where it awaits it, so that it may
   *     block
   * @return a copy with that
   */
  public PluginConfig rawService(String name, Encoding encoding, RawService service) {
    Objects.requireNonNull(service, "service");
    return with(Served.raw(name, encoding, service));
  }

  /**
   * Registers a function that the plugin may call with bytes, and that answers later.
   *
   * @param name what the plugin asks for
   * @param encoding what the bytes are
   * @param service the function, any number at once: called on the thread that asks where the
   *     plugin waits for the answer, and on one of the library's where it awaits it, so that it may
   *     block
   * @return a copy with that
   */
  public PluginConfig rawAsyncService(String name, Encoding encoding, AsyncService service) {
    Objects.requireNonNull(service, "service");
    return with(Served.later(name, encoding, service));
  }

  /**
   * Registers the methods of an object that are annotated with {@link Service}.
   *
   * @param object the object
   * @return a copy with those
   * @throws IllegalArgumentException if it has none, or one that can't be called
   */
  public PluginConfig services(Object object) {
    PluginConfig config = this;
    for (Served.Declared declared : Served.of(Objects.requireNonNull(object, "object"))) {
      config = config.with(declared);
    }
    return config;
  }

  /** Sets what the typed client that loads was written from. */
  PluginConfig contract(byte[] contract) {
    return with(draft -> draft.contract = contract);
  }

  /** Registers a function with types. */
  <Q, A> PluginConfig typedService(
      String name, Decode<Q> decode, Encode<A> encode, TypedServices.Function<Q, A> function) {
    return with(Served.typed(name, decode, encode, function));
  }

  private PluginConfig with(Served.Declared declared) {
    Objects.requireNonNull(declared.name(), "name");
    Objects.requireNonNull(declared.encoding(), "encoding");
    List<Served.Declared> more = new ArrayList<>(services);
    more.add(declared);
    return with(draft -> draft.services = List.copyOf(more));
  }
}
