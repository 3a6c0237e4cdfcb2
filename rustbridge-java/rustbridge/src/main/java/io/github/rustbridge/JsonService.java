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
   * Answers a call, on the plugin's thread. Any number at once.
   *
   * @param request the request
   * @param call what came with it
   * @return what the codec can write; or a {@link java.util.concurrent.CompletionStage} of that,
   *     and then it's answered when that is complete
   * @throws Exception as {@link RawService#answer} does
   */
  R answer(T request, ServiceCall call) throws Exception;
}
