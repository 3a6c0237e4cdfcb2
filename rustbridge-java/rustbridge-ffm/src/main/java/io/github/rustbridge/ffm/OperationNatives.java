package io.github.rustbridge.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.rustbridge.interop.Natives;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;

/**
 * The native functions for asynchronous calls, by address. None of them is critical: each may run
 * plugin code, wait, or call back.
 */
final class OperationNatives implements Natives {
  static final OperationNatives ALL = new OperationNatives();

  private OperationNatives() {}

  // Classes of their own for what is needed together, as in Native.

  private static final class Queues {
    static final MethodHandle NEXT =
        Native.bind(
            "rb_queue_poll",
            JAVA_INT,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG);
    static final MethodHandle NEW_QUEUE =
        Native.bind("rb_queue_new", JAVA_INT, JAVA_LONG, JAVA_LONG);
    static final MethodHandle SUBMIT =
        Native.bind("rb_submit", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  }

  private static final class With {
    static final MethodHandle CALL_WITH =
        Native.bind(
            "rb_call_with",
            JAVA_INT,
            JAVA_LONG,
            JAVA_INT,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG);
  }

  private static final class Steering {
    static final MethodHandle CANCEL = Native.bind("rb_op_cancel", JAVA_INT, JAVA_LONG, JAVA_LONG);
    static final MethodHandle DETACH = Native.bind("rb_op_detach", JAVA_INT, JAVA_LONG, JAVA_LONG);
  }

  private static final class Streams {
    static final MethodHandle DEMAND =
        Native.bind("rb_op_demand", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    static final MethodHandle WRITE =
        Native.bind("rb_op_write", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    static final MethodHandle END =
        Native.bind("rb_op_end", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  }

  private static final class ObjectsOf {
    static final MethodHandle RELEASE_OBJECT =
        Native.bind("rb_object_release", JAVA_INT, JAVA_LONG);
  }

  private static final class Closing {
    static final MethodHandle CLOSE_WITH =
        Native.bind("rb_close_with", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  }

  private static final class Services {
    static final MethodHandle SERVICE_LATER =
        Native.bind("rb_service_defer", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    static final MethodHandle SERVICE_REPLY =
        Native.bind(
            "rb_service_reply", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    static final MethodHandle RESPOND =
        Native.bind("rb_respond", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  }

  @Override
  public long address(ByteBuffer buffer) {
    return MemorySegment.ofBuffer(buffer.duplicate().clear()).address();
  }

  @Override
  public void read(long address, byte[] to) {
    Native.read(address, to, to.length);
  }

  @Override
  public void releaseResponse(long response) {
    Native.releaseResponse(response);
  }

  @Override
  public int next(
      long queue,
      long events,
      long capacity,
      long arena,
      long arenaLength,
      long timeoutMillis,
      long count) {
    try {
      return (int)
          Queues.NEXT.invokeExact(
              queue, events, capacity, arena, arenaLength, timeoutMillis, count, 0L);
    } catch (Throwable error) {
      throw Library.unchecked(error);
    }
  }

  @Override
  public int callWith(
      long handle, int entry, long header, long request, long length, long response) {
    try {
      return (int) With.CALL_WITH.invokeExact(handle, entry, header, 0L, request, length, response);
    } catch (Throwable error) {
      throw Library.unchecked(error);
    }
  }

  @Override
  public int newQueue(long queue, long error) {
    try {
      return (int) Queues.NEW_QUEUE.invokeExact(queue, error);
    } catch (Throwable thrown) {
      throw Library.unchecked(thrown);
    }
  }

  @Override
  public int submit(long queue, long submissions, long count) {
    try {
      return (int) Queues.SUBMIT.invokeExact(queue, submissions, count);
    } catch (Throwable thrown) {
      throw Library.unchecked(thrown);
    }
  }

  @Override
  public int cancel(long operation, long error) {
    try {
      return (int) Steering.CANCEL.invokeExact(operation, error);
    } catch (Throwable thrown) {
      throw Library.unchecked(thrown);
    }
  }

  @Override
  public int detach(long operation, long error) {
    try {
      return (int) Steering.DETACH.invokeExact(operation, error);
    } catch (Throwable thrown) {
      throw Library.unchecked(thrown);
    }
  }

  @Override
  public int demand(long operation, long items, long bytes, long error) {
    try {
      return (int) Streams.DEMAND.invokeExact(operation, items, bytes, error);
    } catch (Throwable thrown) {
      throw Library.unchecked(thrown);
    }
  }

  @Override
  public int write(long operation, long batch, long error) {
    try {
      return (int) Streams.WRITE.invokeExact(operation, batch, error);
    } catch (Throwable thrown) {
      throw Library.unchecked(thrown);
    }
  }

  @Override
  public int end(long operation, int status, long payload, long length, long error) {
    try {
      return (int) Streams.END.invokeExact(operation, status, payload, length, error);
    } catch (Throwable thrown) {
      throw Library.unchecked(thrown);
    }
  }

  @Override
  public int releaseObject(long object) {
    try {
      return (int) ObjectsOf.RELEASE_OBJECT.invokeExact(object);
    } catch (Throwable thrown) {
      throw Library.unchecked(thrown);
    }
  }

  @Override
  public int closeWith(long handle, long options, long report) {
    try {
      return (int) Closing.CLOSE_WITH.invokeExact(handle, options, report);
    } catch (Throwable thrown) {
      throw Library.unchecked(thrown);
    }
  }

  @Override
  public int serviceDefer(long call, long number, long error) {
    try {
      return (int) Services.SERVICE_LATER.invokeExact(call, number, error);
    } catch (Throwable thrown) {
      throw Library.unchecked(thrown);
    }
  }

  @Override
  public int serviceReply(long number, int status, long payload, long length, long error) {
    try {
      return (int) Services.SERVICE_REPLY.invokeExact(number, status, payload, length, error);
    } catch (Throwable thrown) {
      throw Library.unchecked(thrown);
    }
  }

  @Override
  public int respond(long response, long data, long length) {
    try {
      return (int) Services.RESPOND.invokeExact(response, data, length);
    } catch (Throwable thrown) {
      throw Library.unchecked(thrown);
    }
  }
}
