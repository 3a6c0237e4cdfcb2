package io.github.rustbridge.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.rustbridge.LoadRequest;
import io.github.rustbridge.ServiceSink;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Takes plugins' calls of services, on their threads. What the base calls is what tells that one
 * isn't waited for.
 */
final class ServiceUpcalls extends Upcalls<ServiceSink> {
  // Static because a function pointer is: numbers tell the services of all instances apart.
  private static final ServiceUpcalls SERVICES = new ServiceUpcalls();

  /** The size of an {@code rb_service}. */
  static final long SIZE = 64;

  private static final long ENCODING = 4;
  private static final long CALL = 24;
  private static final long CANCEL = 32;
  private static final long USER_DATA = 40;
  private static final long DROP = 48;

  /** Where the name's {@code rb_text} is. */
  static final long NAME = 8;

  // rb_service_call
  private static final long CALL_HEADER = 24;
  private static final long CALL_REQUEST = 32;
  private static final long CALL_LENGTH = 40;

  // rb_call_context
  private static final long HEADER_FLAGS = 4;
  private static final long HEADER_TIMEOUT = 8;
  private static final long HEADER_OPERATION = 16;
  private static final long HEADER_TRACE = 32;
  private static final int TRACE = 28;
  private static final long HEADER_STATE = 64;
  private static final long HEADER_METADATA = 80;
  private static final int HAS_TIMEOUT = 1;
  private static final int HAS_TRACE = 2;

  private final MethodHandle answer =
      bound(
          MethodHandles.lookup(),
          ServiceUpcalls.class,
          "answer",
          MethodType.methodType(int.class, long.class, long.class, long.class));

  private final MemorySegment function =
      stub(
          answer,
          MethodHandles.dropArguments(
              MethodHandles.constant(int.class, ServiceSink.UNAVAILABLE),
              0,
              long.class,
              long.class,
              long.class),
          FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));

  private ServiceUpcalls() {
    super("a service");
  }

  /** Writes all of an {@code rb_service} but its name. */
  static void write(MemorySegment to, LoadRequest.Service service) {
    to.set(JAVA_INT, 0, (int) SIZE);
    to.set(JAVA_INT, ENCODING, service.encoding());
    to.set(JAVA_LONG, CALL, SERVICES.function.address());
    to.set(JAVA_LONG, CANCEL, SERVICES.callAddress());
    to.set(JAVA_LONG, USER_DATA, SERVICES.lend(service.sink()));
    to.set(JAVA_LONG, DROP, SERVICES.dropAddress());
  }

  @Override
  void call(ServiceSink sink, long number) {
    sink.cancelled(number);
  }

  @SuppressWarnings("UnusedMethod") // bound() finds it by its name.
  private int answer(long number, long call, long response) {
    try {
      ServiceSink sink = lent(number);
      return sink == null ? ServiceSink.UNAVAILABLE : answer(sink, call, response);
    } catch (Throwable noMemory) {
      return ServiceSink.UNAVAILABLE;
    }
  }

  private static int answer(ServiceSink sink, long call, long response) {
    byte[] request = bytes(call + CALL_REQUEST, call + CALL_LENGTH);
    long header = Native.getLong(call + CALL_HEADER);
    if (header == 0) {
      return sink.call(call, response, request, -1, null, null, null, 0);
    }
    int flags = Native.getInt(header + HEADER_FLAGS);
    boolean hasTrace = (flags & HAS_TRACE) != 0;
    return sink.call(
        call,
        response,
        request,
        (flags & HAS_TIMEOUT) == 0 ? -1 : Native.getLong(header + HEADER_TIMEOUT),
        hasTrace ? Native.read(header + HEADER_TRACE, TRACE) : null,
        hasTrace ? bytes(header + HEADER_STATE, header + HEADER_STATE + 8) : null,
        bytes(header + HEADER_METADATA, header + HEADER_METADATA + 8),
        Native.getLong(header + HEADER_OPERATION));
  }

  private static byte[] bytes(long data, long length) {
    return Response.bytes(Native.getLong(data), Native.getLong(length));
  }
}
