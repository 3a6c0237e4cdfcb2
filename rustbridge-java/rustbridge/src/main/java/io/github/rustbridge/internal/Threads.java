package io.github.rustbridge.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Functions for threads that JDK 17 doesn't have. */
public final class Threads {
  /** {@code Thread.isVirtual}; on JDK 17 a constant. */
  private static final MethodHandle IS_VIRTUAL = find();

  /**
   * The default executor: the common pool, or a new thread for each task if that pool has at most
   * one thread.
   */
  public static final Executor DEFAULT_EXECUTOR = new CompletableFuture<>().defaultExecutor();

  private Threads() {}

  private static MethodHandle find() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
    } catch (NoSuchMethodException | IllegalAccessException old) {
      return MethodHandles.dropArguments(
          MethodHandles.constant(boolean.class, false), 0, Thread.class);
    }
  }

  /**
   * Reports whether a thread is virtual.
   *
   * @param thread the thread
   * @return whether the thread is virtual
   */
  public static boolean isVirtual(Thread thread) {
    try {
      return (boolean) IS_VIRTUAL.invokeExact(thread);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }
}
