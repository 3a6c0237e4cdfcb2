package io.github.rustbridge.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.rustbridge.interop.AbiLayout;
import io.github.rustbridge.interop.Backend;
import io.github.rustbridge.interop.CallTarget;
import io.github.rustbridge.interop.LoadRequest;
import io.github.rustbridge.interop.LogSink;
import io.github.rustbridge.interop.MethodEntry;
import io.github.rustbridge.interop.Natives;
import io.github.rustbridge.spi.Failures;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The backend's host ABI functions other than calls. Each function allocates its structs in its own
 * arena, since none of them is called in hot loops.
 */
final class FfmBackend implements Backend<SegmentMethod> {
  FfmBackend(Library library) {
    library.bind();
  }

  @Override
  public String name() {
    return "ffm";
  }

  @Override
  public String version() {
    return Native.version();
  }

  @Override
  public long load(LoadRequest request) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment options = arena.allocate(AbiLayout.SIZEOF_LOAD_OPTIONS, 8);
      options.set(JAVA_INT, 0, AbiLayout.SIZEOF_LOAD_OPTIONS);
      options.set(JAVA_INT, AbiLayout.LOAD_OPTIONS_FLAGS, request.flags());
      put(arena, options, AbiLayout.LOAD_OPTIONS_PATH, request.path());
      put(arena, options, AbiLayout.LOAD_OPTIONS_IMAGE, request.image());
      put(arena, options, AbiLayout.LOAD_OPTIONS_CONFIG, request.config());
      put(arena, options, AbiLayout.LOAD_OPTIONS_NAME, request.name());
      options.set(JAVA_INT, AbiLayout.LOAD_OPTIONS_LOG_LEVEL, request.logLevel());
      options.set(JAVA_INT, AbiLayout.LOAD_OPTIONS_LOG_CAPACITY, request.logCapacity());
      options.set(ADDRESS, AbiLayout.LOAD_OPTIONS_LOG, sink(arena, request.sink()));
      options.set(ADDRESS, AbiLayout.LOAD_OPTIONS_SERVICES, services(arena, request.services()));
      options.set(JAVA_LONG, AbiLayout.LOAD_OPTIONS_SERVICE_COUNT, request.services().size());
      put(arena, options, AbiLayout.LOAD_OPTIONS_CLIENT_SCHEMA, request.clientSchema());
      options.set(JAVA_INT, AbiLayout.LOAD_OPTIONS_THREADS, request.threads());
      MemorySegment instance = arena.allocate(JAVA_LONG);
      MemorySegment error = arena.allocate(AbiLayout.SIZEOF_RESPONSE, 8);
      check(Native.load(options.address(), instance.address(), error.address()), error);
      return instance.get(JAVA_LONG, 0);
    }
  }

  /** The {@code rb_service}s, or null for none. */
  private static MemorySegment services(Arena arena, List<LoadRequest.Service> services) {
    if (services.isEmpty()) {
      return MemorySegment.NULL;
    }
    MemorySegment structs = arena.allocate((long) AbiLayout.SIZEOF_SERVICE * services.size(), 8);
    long at = 0;
    for (LoadRequest.Service service : services) {
      MemorySegment struct = structs.asSlice(at, AbiLayout.SIZEOF_SERVICE);
      put(arena, struct, AbiLayout.SERVICE_NAME, service.name());
      ServiceUpcalls.write(struct, service);
      at += AbiLayout.SIZEOF_SERVICE;
    }
    return structs;
  }

  /** Writes a pointer and a length. Null for what's null, and not for what's empty. */
  private static void put(Arena arena, MemorySegment to, long offset, byte[] bytes) {
    if (bytes != null) {
      MemorySegment copy = arena.allocate(Math.max(bytes.length, 1));
      MemorySegment.copy(bytes, 0, copy, JAVA_BYTE, 0, bytes.length);
      to.set(ADDRESS, offset, copy);
      to.set(JAVA_LONG, offset + 8, bytes.length);
    }
  }

  @Override
  public byte[] instanceName(long handle) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment response = arena.allocate(AbiLayout.SIZEOF_RESPONSE, 8);
      return taken(Native.name(handle, response.address()), response);
    }
  }

  @Override
  public byte[] describe(long handle) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment response = arena.allocate(AbiLayout.SIZEOF_RESPONSE, 8);
      return taken(Native.describe(handle, response.address()), response);
    }
  }

  @Override
  public MethodEntry prepare(long handle, byte[] name, int encoding) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = text(arena, name);
      MemorySegment method = room(arena);
      MemorySegment error = arena.allocate(AbiLayout.SIZEOF_RESPONSE, 8);
      check(Native.prepare(handle, text, encoding, method.address(), error.address()), error);
      return entry(method);
    }
  }

  @Override
  public MethodEntry prepare(long handle, int id, int encoding) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment method = room(arena);
      MemorySegment error = arena.allocate(AbiLayout.SIZEOF_RESPONSE, 8);
      check(Native.prepareId(handle, id, encoding, method.address(), error.address()), error);
      return entry(method);
    }
  }

  @Override
  public MethodEntry prepareTyped(
      long handle, byte[] name, byte[] fingerprint, byte[] clientSchema) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment method = room(arena);
      MemorySegment error = arena.allocate(AbiLayout.SIZEOF_RESPONSE, 8);
      int status =
          Native.prepareTyped(
              handle,
              text(arena, name),
              text(arena, fingerprint),
              text(arena, clientSchema),
              method.address(),
              error.address());
      check(status, error);
      return entry(method);
    }
  }

  /** An {@code rb_text}. */
  private static MemorySegment text(Arena arena, byte[] bytes) {
    MemorySegment text = arena.allocate(16, 8);
    put(arena, text, 0, bytes);
    return text;
  }

  /** Room for what {@code rb_prepare} fills in. */
  private static MemorySegment room(Arena arena) {
    MemorySegment method = arena.allocate(AbiLayout.SIZEOF_METHOD, 8);
    method.set(JAVA_INT, 0, AbiLayout.SIZEOF_METHOD);
    return method;
  }

  private static MethodEntry entry(MemorySegment method) {
    return new MethodEntry(
        method.get(JAVA_INT, AbiLayout.METHOD_ENTRY),
        method.get(JAVA_INT, AbiLayout.METHOD_FLAGS),
        method.get(JAVA_INT, AbiLayout.METHOD_ENCODING),
        method.get(JAVA_LONG, AbiLayout.METHOD_REQUEST_SIZE),
        method.get(JAVA_LONG, AbiLayout.METHOD_RESPONSE_SIZE),
        Integer.toUnsignedLong(method.get(JAVA_INT, AbiLayout.METHOD_LEAF_LIMIT)),
        Integer.toUnsignedLong(method.get(JAVA_INT, AbiLayout.METHOD_BUFFER_SIZE)),
        method.get(JAVA_LONG, AbiLayout.METHOD_BUFFER_LIMIT));
  }

  @Override
  public SegmentMethod method(CallTarget target) {
    int size = Math.max(target.requestSize(), target.responseSize());
    boolean small = target.isLeaf() && size <= target.leafLimit();
    return small ? new LeafMethod(target) : new OrdinaryMethod(target);
  }

  @Override
  public Natives natives() {
    return OperationNatives.ALL;
  }

  @Override
  public int state(long handle) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(JAVA_INT);
      MemorySegment error = arena.allocate(AbiLayout.SIZEOF_RESPONSE, 8);
      check(Native.state(handle, state.address(), error.address()), error);
      return state.get(JAVA_INT, 0);
    }
  }

  @Override
  public void close(long handle, long timeoutMillis) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment report = arena.allocate(AbiLayout.SIZEOF_RESPONSE, 8);
      check(Native.close(handle, timeoutMillis, report.address()), report);
    }
  }

  @Override
  public void setLogLevel(long handle, int level) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(AbiLayout.SIZEOF_RESPONSE, 8);
      check(Native.setLogLevel(handle, level, error.address()), error);
    }
  }

  @Override
  public void setLogSink(long handle, LogSink sink, long timeoutMillis) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(AbiLayout.SIZEOF_RESPONSE, 8);
      long struct = sink(arena, sink).address();
      check(Native.setLogSink(handle, struct, timeoutMillis, error.address()), error);
    }
  }

  /** An {@code rb_log_sink}, or null for none. */
  private static MemorySegment sink(Arena arena, LogSink sink) {
    if (sink == null) {
      return MemorySegment.NULL;
    }
    MemorySegment struct = arena.allocate(AbiLayout.SIZEOF_LOG_SINK, 8);
    LogUpcalls.write(struct, sink);
    return struct;
  }

  @Override
  public void flushLogs(long handle, long timeoutMillis) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(AbiLayout.SIZEOF_RESPONSE, 8);
      check(Native.flushLogs(handle, timeoutMillis, error.address()), error);
    }
  }

  @Override
  public byte[] inspect() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment response = arena.allocate(AbiLayout.SIZEOF_RESPONSE, 8);
      return taken(Native.inspect(response.address()), response);
    }
  }

  /** Throws what a response says if the status is a failure's, and releases it anyway. */
  private static void check(int status, MemorySegment response) {
    taken(status, response);
  }

  private static byte[] taken(int status, MemorySegment response) {
    long at = response.address();
    byte[] bytes;
    try {
      bytes = Response.bytes(Response.data(at), Response.length(at));
    } finally {
      Native.releaseResponse(at);
    }
    if (status != 0) {
      throw Failures.of(status, bytes);
    }
    return bytes;
  }
}
