package io.github.rustbridge.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.rustbridge.interop.AbiLayout;
import io.github.rustbridge.interop.LoadRequest;
import io.github.rustbridge.interop.ServiceSink;
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

  /** The bytes of a trace's ids and flags, which lie together. */
  private static final int TRACE =
      AbiLayout.CALL_CONTEXT_TRACE_FLAGS + 4 - AbiLayout.CALL_CONTEXT_TRACE_ID;

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
    to.set(JAVA_INT, 0, AbiLayout.SIZEOF_SERVICE);
    to.set(JAVA_INT, AbiLayout.SERVICE_ENCODING, service.encoding());
    to.set(JAVA_LONG, AbiLayout.SERVICE_CALL, SERVICES.function.address());
    to.set(JAVA_LONG, AbiLayout.SERVICE_CANCEL, SERVICES.callAddress());
    to.set(JAVA_LONG, AbiLayout.SERVICE_USER_DATA, SERVICES.lend(service.sink()));
    to.set(JAVA_LONG, AbiLayout.SERVICE_DROP, SERVICES.dropAddress());
    to.set(JAVA_INT, AbiLayout.SERVICE_FLAGS, service.flags());
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
    byte[] request =
        bytes(call + AbiLayout.SERVICE_CALL_REQUEST, call + AbiLayout.SERVICE_CALL_REQUEST_LEN);
    long header = Native.getLong(call + AbiLayout.SERVICE_CALL_CALL_CONTEXT);
    if (header == 0) {
      return sink.call(call, response, request, -1, null, null, null, 0);
    }
    int flags = Native.getInt(header + AbiLayout.CALL_CONTEXT_FLAGS);
    boolean hasTrace = (flags & AbiLayout.RB_CONTEXT_TRACE) != 0;
    return sink.call(
        call,
        response,
        request,
        (flags & AbiLayout.RB_CONTEXT_TIMEOUT) == 0
            ? -1
            : Native.getLong(header + AbiLayout.CALL_CONTEXT_TIMEOUT_NS),
        hasTrace ? Native.read(header + AbiLayout.CALL_CONTEXT_TRACE_ID, TRACE) : null,
        hasTrace ? text(header + AbiLayout.CALL_CONTEXT_TRACE_STATE) : null,
        bytes(
            header + AbiLayout.CALL_CONTEXT_METADATA, header + AbiLayout.CALL_CONTEXT_METADATA_LEN),
        Native.getLong(header + AbiLayout.CALL_CONTEXT_OP));
  }

  private static byte[] text(long text) {
    return bytes(text + AbiLayout.TEXT_DATA, text + AbiLayout.TEXT_LEN);
  }

  private static byte[] bytes(long data, long length) {
    return Response.bytes(Native.getLong(data), Native.getLong(length));
  }
}
