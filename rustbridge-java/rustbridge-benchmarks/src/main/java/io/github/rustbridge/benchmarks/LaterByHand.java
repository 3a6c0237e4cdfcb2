package io.github.rustbridge.benchmarks;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Calls that end later, by hand: each has a {@link CompletableFuture} and a number, by which the
 * upcall that completes it finds that again. The upcall enters the JVM on the library's thread,
 * once a call.
 */
final class LaterByHand {
  private static final MethodHandle LATER = FfmFloor.ordinary("floor_later");
  private static final MethodHandle NEVER = FfmFloor.ordinary("floor_never");
  private static final MethodHandle ABORT = FfmFloor.ordinary("floor_abort");
  private static final MemorySegment TOLD = told();
  private static final Map<Long, CompletableFuture<Integer>> PENDING = new ConcurrentHashMap<>();
  private static final AtomicLong LAST = new AtomicLong();

  private final FfmFloor.Scratch scratch;

  /** Whom to tell, as {@code benches/floor} has it: a function and a number. It's copied. */
  private final MemorySegment callback = Arena.global().allocate(2 * Long.BYTES, Long.BYTES);

  LaterByHand(FfmFloor.Scratch scratch) {
    this.scratch = scratch;
    callback.set(ValueLayout.ADDRESS, 0, TOLD);
  }

  // Restricted: the function has to be called as this says, which is what benches/floor does.
  @SuppressWarnings("restricted")
  private static MemorySegment told() {
    MethodType type = MethodType.methodType(void.class, long.class, int.class, int.class);
    try {
      MethodHandle tell = MethodHandles.lookup().findStatic(LaterByHand.class, "tell", type);
      FunctionDescriptor signature =
          FunctionDescriptor.ofVoid(
              ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
      return Linker.nativeLinker().upcallStub(tell, signature, Arena.global());
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  @SuppressWarnings("UnusedMethod") // The library calls it.
  private static void tell(long number, int status, int value) {
    PENDING.remove(number).complete(status == 0 ? value : -1);
  }

  private CompletableFuture<Integer> future() {
    long number = LAST.incrementAndGet();
    CompletableFuture<Integer> future = new CompletableFuture<>();
    PENDING.put(number, future);
    callback.set(ValueLayout.JAVA_LONG, Long.BYTES, number);
    return future;
  }

  /** Begins a call that answers when others have run. */
  CompletableFuture<Integer> begin(byte[] request) throws Throwable {
    CompletableFuture<Integer> future = future();
    scratch.put(request);
    int status =
        (int)
            LATER.invokeExact(
                callback.address(), 0, scratch.request, (long) request.length, 0L, 0L, 0L);
    checked(status);
    return future;
  }

  /** Begins a call that never answers, aborts it, and waits until that is told. */
  int cancelled() throws Throwable {
    CompletableFuture<Integer> future = future();
    int begun =
        (int)
            NEVER.invokeExact(
                callback.address(), 0, 0L, 0L, scratch.response, (long) Long.BYTES, 0L);
    checked(begun);
    int aborted = (int) ABORT.invokeExact(scratch.number(), 0, 0L, 0L, 0L, 0L, 0L);
    checked(aborted);
    return future.join();
  }

  private static void checked(int status) {
    if (status != 0) {
      throw new IllegalStateException("the floor refused with status " + status);
    }
  }
}
