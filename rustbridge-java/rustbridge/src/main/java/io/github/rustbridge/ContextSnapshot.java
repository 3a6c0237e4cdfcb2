package io.github.rustbridge;

import java.util.concurrent.Callable;

/**
 * A context that was captured when a call began. {@code Context.current()::wrap} of OpenTelemetry
 * and {@code snapshot::wrap} of Micrometer's context propagation are ones.
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
   * Makes a function that runs another one in this context, on whichever thread calls it. Several
   * threads may do so at once, during the call.
   *
   * @param function the service's function; it must be called once, and what it returns or throws
   *     must be passed on
   * @return the function in the context
   */
  Callable<Object> wrap(Callable<Object> function);
}
