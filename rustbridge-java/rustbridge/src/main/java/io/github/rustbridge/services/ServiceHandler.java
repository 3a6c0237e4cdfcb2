package io.github.rustbridge.services;

import io.github.rustbridge.calls.Answer;
import io.github.rustbridge.calls.Contexts;
import io.github.rustbridge.calls.FailureMapping;
import io.github.rustbridge.calls.NativeCalls;
import io.github.rustbridge.internal.Threads;
import io.github.rustbridge.interop.AbiLayout;
import io.github.rustbridge.interop.Natives;
import io.github.rustbridge.interop.ServiceSink;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/**
 * Calls a function of the application for a plugin. An exception of the function becomes a status.
 */
public final class ServiceHandler implements ServiceSink {
  private final Natives natives;
  private final String name;
  private final ServiceFunction function;
  private final BiConsumer<String, Throwable> log;
  private final Contexts contexts;
  private final FailureMapping failures;

  /** The stages of deferred calls, by number, so that they can be cancelled. */
  private final Map<Long, CompletionStage<?>> later = new HashMap<>();

  /** How many calls are being deferred. Guarded by {@link #later}, like {@link #cancelledEarly}. */
  private int deferring;

  /** Calls that were cancelled before their stages were in {@link #later}. */
  private final Set<Long> cancelledEarly = new HashSet<>();

  /**
   * Creates a handler.
   *
   * @param natives the native library's functions
   * @param name the name by which the plugin calls the service
   * @param function the function
   * @param log logs exceptions of the function, with the service's name
   * @param contexts the contexts of the instance's calls
   * @param failures converts the exceptions
   */
  public ServiceHandler(
      Natives natives,
      String name,
      ServiceFunction function,
      BiConsumer<String, Throwable> log,
      Contexts contexts,
      FailureMapping failures) {
    this.natives = natives;
    this.name = name;
    this.function = function;
    this.log = log;
    this.contexts = contexts;
    this.failures = failures;
  }

  @Override
  public int call(
      long call,
      long response,
      byte[] request,
      long timeoutNanos,
      byte[] trace,
      byte[] state,
      byte[] metadata,
      long number) {
    try {
      try {
        Object answer =
            contexts.run(
                number, () -> function.answer(request, timeoutNanos, trace, state, metadata));
        if (answer instanceof CompletableFuture<?> future
            && future.getClass() == CompletableFuture.class
            && future.isDone()) {
          answer = answered(future);
        } else if (answer instanceof CompletionStage<?> stage) {
          return defer(call, stage);
        }
        NativeCalls.respond(natives, response, function.write(answer));
        return AbiLayout.RB_OK;
      } catch (Throwable thrown) {
        log.accept(name, thrown);
        NativeCalls.respond(natives, response, payload(thrown));
        return failures.status(thrown);
      }
    } catch (Throwable again) {
      // For example, there is no memory for the payload. Only the status is returned.
      return AbiLayout.RB_INTERNAL;
    }
  }

  /**
   * Returns the value of a completed future, which saves the native calls of a deferred response.
   * Only for the class itself: subclasses may behave differently.
   */
  private static Object answered(CompletableFuture<?> future) throws Throwable {
    if (future.isCompletedExceptionally()) {
      // The original exception: join would wrap it, with a message of its own.
      throw future.handle((none, thrown) -> thrown).join();
    }
    return future.join();
  }

  private byte[] payload(Throwable thrown) {
    byte[] typed = function.typedPayload(thrown);
    return typed != null ? typed : failures.payload(thrown);
  }

  private int defer(long call, CompletionStage<?> stage) {
    long number;
    boolean isCancelled;
    synchronized (later) {
      deferring++;
    }
    try {
      number = NativeCalls.defer(natives, call, failures);
      isCancelled = kept(number, stage);
    } catch (Throwable over) {
      kept(null, stage);
      // The plugin no longer waits, and the core won't report it.
      Threads.DEFAULT_EXECUTOR.execute(() -> cancel(stage));
      throw over;
    }
    try {
      stage.whenComplete((answer, thrown) -> {
        taken(number);
        reply(number, answer, thrown);
      });
      if (isCancelled) {
        Threads.DEFAULT_EXECUTOR.execute(() -> cancel(stage));
      }
    } catch (Throwable untold) {
      // The call has a number already, so only the number can complete it.
      taken(number);
      reply(number, null, untold);
    }
    return AbiLayout.RB_PENDING;
  }

  /**
   * Keeps a stage by the number of its call; null if the call couldn't be deferred.
   *
   * @return whether the call was cancelled meanwhile
   */
  private boolean kept(Long number, CompletionStage<?> stage) {
    synchronized (later) {
      deferring--;
      boolean isCancelled = cancelledEarly.remove(number);
      if (deferring == 0) {
        cancelledEarly.clear();
      }
      if (number != null && !isCancelled) {
        later.put(number, stage);
      }
      return isCancelled;
    }
  }

  private CompletionStage<?> taken(long number) {
    synchronized (later) {
      return later.remove(number);
    }
  }

  private void reply(long number, Object answer, Throwable thrown) {
    Throwable failure = thrown;
    if (failure == null) {
      try {
        NativeCalls.reply(natives, number, AbiLayout.RB_OK, function.write(answer));
        return;
      } catch (Throwable unwritable) {
        failure = unwritable;
      }
    }
    try {
      log.accept(name, failure);
      NativeCalls.reply(natives, number, failures.status(failure), payload(failure));
    } catch (Throwable again) {
      // For example, there is no memory for the payload. The plugin must not wait for it.
      NativeCalls.reply(natives, number, AbiLayout.RB_INTERNAL, Answer.NO_BYTES);
    }
  }

  @Override
  public void cancelled(long number) {
    try {
      CompletionStage<?> stage;
      synchronized (later) {
        stage = later.remove(number);
        if (stage == null && deferring > 0) {
          cancelledEarly.add(number);
        }
      }
      if (stage != null) {
        // On another thread: dependent stages run in place, and this thread belongs to the plugin.
        Threads.DEFAULT_EXECUTOR.execute(() -> cancel(stage));
      }
    } catch (Throwable refused) {
      // It continues, and its response will be refused.
    }
  }

  private static void cancel(CompletionStage<?> stage) {
    try {
      stage.toCompletableFuture().cancel(true);
    } catch (Throwable unsupported) {
      // It continues, and its response will be refused.
    }
  }
}
