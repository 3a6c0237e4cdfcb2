package io.github.rustbridge;

/**
 * Captures the context of a call, and the services that the plugin calls for that call run in it.
 * Examples are a logging context, OpenTelemetry's context, thread locals and scoped values. {@link
 * PluginConfig#contextPropagation} registers it.
 *
 * <pre>{@code
 * config.contextPropagation(() -> io.opentelemetry.context.Context.current()::wrap);
 * config.contextPropagation(() -> ContextSnapshotFactory.builder().build().captureAll()::wrap);
 * }</pre>
 *
 * <p>A service that runs on its caller's thread has the context anyway. A service runs on another
 * thread if the call is asynchronous, or if the plugin awaits the service.
 */
@FunctionalInterface
public interface ContextPropagation {
  /**
   * Captures the context, on the thread that starts the call. It's called only for instances that
   * have services. If it throws, the call fails with that exception.
   *
   * @return the context; null if there is nothing to propagate
   */
  ContextSnapshot capture();
}
