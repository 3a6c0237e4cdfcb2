package io.github.rustbridge;

/**
 * A function that a plugin calls with JSON; see {@link PluginConfig#service}.
 *
 * @param <T> the request's type
 * @param <R> the response's type
 */
@FunctionalInterface
public interface JsonService<T, R> {
  /**
   * Answers a call, on the plugin's thread. Any number of threads may call it at once.
   *
   * @param request the request
   * @param call the context of the call
   * @return a value that the codec can write, or a {@link java.util.concurrent.CompletionStage} of
   *     such a value, which answers the call when it completes
   * @throws Exception as in {@link RawService#answer}
   */
  R answer(T request, ServiceCall call) throws Exception;
}
