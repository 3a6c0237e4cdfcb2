package io.github.rustbridge;

import java.util.concurrent.CompletionStage;

/**
 * An asynchronous function that a plugin calls with bytes; see {@link
 * PluginConfig#rawAsyncService}.
 */
@FunctionalInterface
public interface AsyncService {
  /**
   * Starts to answer a call, on the plugin's thread. Any number of threads may call it at once.
   *
   * @param request the request; the function owns the array
   * @param call the context of the call
   * @return a stage of the response; it's cancelled if the plugin no longer waits
   * @throws Exception as in {@link RawService#answer}; the stage may fail with it as well
   */
  CompletionStage<byte[]> answer(byte[] request, ServiceCall call) throws Exception;
}
