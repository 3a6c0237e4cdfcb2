package io.github.rustbridge;

/**
 * Captures the context of a call, so that the services that the plugin calls for it run in that
 * context: a logging context, OpenTelemetry's context, thread locals, scoped values. {@link
 * PluginConfig#contextPropagation} registers one.
 *
 * <pre>{@code
 * config.contextPropagation(() -> io.opentelemetry.context.Context.current()::wrap);
 * config.contextPropagation(() -> ContextSnapshotFactory.builder().build().captureAll()::wrap);
 * }</pre>
 *
 * <p>A service that runs on its caller's thread has the context anyway. Another thread runs the
 * service where the call is asynchronous, and where the plugin awaits the service.
 */
@FunctionalInterface
public interface ContextPropagation {
  /**
   * Captures the context, on the thread that begins the call. It's called only for instances that
   * have services. The call fails with what this throws.
   *
   * @return the context; null if there's nothing to propagate
   */
  ContextSnapshot capture();
}
