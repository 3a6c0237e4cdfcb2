package io.github.rustbridge;

import java.util.concurrent.Callable;

/**
 * A context that was captured when a call started. OpenTelemetry's {@code Context.current()::wrap}
 * and {@code snapshot::wrap} of Micrometer's context propagation are examples.
 *
 * <pre>{@code
 * function -> () -> {
 *   USER.set(user);
 *   try {
 *     return function.call();
 *   } finally {
 *     USER.remove();
 *   }
 * }
 * }</pre>
 */
@FunctionalInterface
public interface ContextSnapshot {
  /**
   * Returns a function that runs another function in this context, on any thread. Several threads
   * may call this method at once, during the call.
   *
   * @param function the service's function; it must be called exactly once, and its result or
   *     exception must be passed on
   * @return the function that runs in the context
   */
  Callable<Object> wrap(Callable<Object> function);
}
