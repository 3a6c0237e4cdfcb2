package io.github.rustbridge;

import io.github.rustbridge.interop.Backend;
import io.github.rustbridge.interop.CallTarget;
import io.github.rustbridge.interop.LoadRequest;
import io.github.rustbridge.interop.LogSink;
import io.github.rustbridge.interop.MethodEntry;
import io.github.rustbridge.interop.Natives;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A backend without anything native: its one plugin is named {@code fake}, and every method answers
 * with its request. {@code json} has the encoding json, {@code raw} raw and pod, {@code pod} pod,
 * {@code packed} msgpack.
 */
public final class FakeBackend implements Backend<Method> {
  /** Finds it for {@link Plugin}, by META-INF/services. */
  public static final class Provider implements BackendProvider {
    @Override
    public String name() {
      return "fake";
    }

    @Override
    public int preference() {
      return 1;
    }

    @Override
    public String unavailableBecause() {
      return null;
    }

    @Override
    public Backend<?> open() {
      return FAKE;
    }
  }

  static final FakeBackend FAKE = new FakeBackend();

  private static final Map<String, Set<Encoding>> METHODS =
      Map.of(
          "json", Set.of(Encoding.JSON),
          "raw", Set.of(Encoding.RAW, Encoding.POD),
          "pod", Set.of(Encoding.POD),
          "packed", Set.of(Encoding.MSGPACK));

  /** What was loaded, by handle. */
  final Map<Long, Instance> instances = new ConcurrentHashMap<>();

  final AtomicInteger prepared = new AtomicInteger();

  /** Run by each load, before it returns. */
  volatile Consumer<LoadRequest> create = request -> {};

  volatile String description = "{\"name\":\"fake\",\"methods\":[]}";

  private final AtomicLong handles = new AtomicLong(100);

  /** One instance. */
  static final class Instance {
    final LoadRequest request;
    volatile LogSink sink;
    volatile int level;
    volatile State state = State.ACTIVE;
    final AtomicInteger closes = new AtomicInteger();
    volatile long lastTimeout = Long.MIN_VALUE;

    /** Run by each close, with the instance and the timeout. */
    volatile BiConsumer<Instance, Long> closing = (instance, timeout) -> {};

    Instance(LoadRequest request) {
      this.request = request;
      this.sink = request.sink();
      this.level = request.logLevel();
    }

    void log(String target, String message) {
      String name =
          request.name() == null ? "fake" : new String(request.name(), StandardCharsets.UTF_8);
      FakeBackend.log(sink, name, LogLevel.INFO, target, message, "");
    }
  }

  static void log(LogSink sink, LogLevel level, String target, String message, String fields) {
    log(sink, "fake", level, target, message, fields);
  }

  /** Has a sink take an event, as an instance's. */
  static void log(
      LogSink sink, String instance, LogLevel level, String target, String message, String fields) {
    sink.log(level.number(), LogSink.EVENT, 0, 0, 0, target, message, fields, "", "", "", instance);
  }

  Instance of(Plugin plugin) {
    return instances.get(plugin.handle());
  }

  @Override
  public String name() {
    return "fake";
  }

  @Override
  public String version() {
    return "1.2.3";
  }

  @Override
  public long load(LoadRequest request) {
    create.accept(request);
    long handle = handles.incrementAndGet();
    instances.put(handle, new Instance(request));
    return handle;
  }

  private Instance active(long handle) {
    Instance instance = instances.get(handle);
    if (instance.state != State.ACTIVE) {
      throw failure(Status.UNAVAILABLE, "it's " + instance.state);
    }
    return instance;
  }

  static PluginException failure(Status status, String message) {
    return new PluginException(status, "", message, Map.of(), null);
  }

  @Override
  public byte[] instanceName(long handle) {
    active(handle);
    return Describer.read(description).name().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public byte[] describe(long handle) {
    active(handle);
    return description.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public MethodEntry prepare(long handle, byte[] name, int encoding) {
    active(handle);
    prepared.incrementAndGet();
    String text = new String(name, StandardCharsets.UTF_8);
    Set<Encoding> encodings = METHODS.get(text);
    if (encodings == null) {
      throw failure(Status.NOT_FOUND, "no method `" + text + "`");
    }
    if (encoding == BYTES) {
      for (Encoding bytes : new Encoding[] {Encoding.RAW, Encoding.POD}) {
        if (encodings.contains(bytes)) {
          return entry(0, bytes.number());
        }
      }
      throw failure(Status.UNIMPLEMENTED, "method `" + text + "` takes no bytes");
    }
    Encoding wanted = Encoding.of(encoding);
    if (!encodings.contains(wanted)) {
      throw failure(Status.UNIMPLEMENTED, "method `" + text + "` has no " + wanted.text());
    }
    return entry(0, encoding);
  }

  @Override
  public MethodEntry prepare(long handle, int id, int encoding) {
    active(handle);
    return entry(MethodEntry.LEAF, encoding);
  }

  private static MethodEntry entry(int flags, int encoding) {
    return new MethodEntry(1, flags, encoding, 0, 0, 0, 4096, 4096);
  }

  @Override
  public Method method(CallTarget target) {
    return new Echo(target);
  }

  @Override
  public int state(long handle) {
    return instances.get(handle).state.number();
  }

  @Override
  public void close(long handle, long timeoutMillis) {
    Instance instance = instances.get(handle);
    instance.closes.incrementAndGet();
    instance.lastTimeout = timeoutMillis;
    instance.closing.accept(instance, timeoutMillis);
    synchronized (instance) {
      if (instance.state == State.CLOSED) {
        throw failure(Status.UNAVAILABLE, "it's closed");
      }
      instance.state = State.CLOSED;
    }
  }

  @Override
  public void setLogLevel(long handle, int level) {
    active(handle).level = level;
  }

  @Override
  public void setLogSink(long handle, LogSink sink, long timeoutMillis) {
    active(handle).sink = sink;
  }

  @Override
  public void flushLogs(long handle, long timeoutMillis) {
    instances.get(handle).lastTimeout = timeoutMillis;
    if (timeoutMillis == 0) {
      throw failure(Status.DEADLINE_EXCEEDED, "a record still waits");
    }
  }

  /** Its methods can only be called synchronously, and without options. */
  @Override
  public Natives natives() {
    return null;
  }

  @Override
  public byte[] inspect() {
    return "{\"instances\":[]}".getBytes(StandardCharsets.UTF_8);
  }

  private static final class Echo extends Method {
    Echo(CallTarget target) {
      super(target);
    }

    @Override
    public String call(String json) {
      try {
        FAKE.active(target().handle());
        return json;
      } finally {
        Reference.reachabilityFence(this);
      }
    }

    @Override
    public byte[] callRawBytes(byte[] request) {
      try {
        FAKE.active(target().handle());
        return request.clone();
      } finally {
        Reference.reachabilityFence(this);
      }
    }

    @Override
    public int callRaw(byte[] request, byte[] response) {
      System.arraycopy(request, 0, response, 0, request.length);
      return request.length;
    }

    @Override
    public int callRawUnshared(ByteBuffer request, ByteBuffer response) {
      throw new UnsupportedOperationException();
    }

    @Override
    public RawResponse callRawZeroCopyUnshared(ByteBuffer request) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int callRaw(ByteBuffer request, ByteBuffer response) {
      int length = request.remaining();
      response.put(request);
      return length;
    }

    @Override
    public RawResponse callRawZeroCopy(byte[] request) {
      throw failure(Status.UNIMPLEMENTED, "zero-copy of " + request.length);
    }

    @Override
    public RawResponse callRawZeroCopy(ByteBuffer request) {
      throw failure(Status.UNIMPLEMENTED, "zero-copy of " + request.remaining());
    }
  }
}
