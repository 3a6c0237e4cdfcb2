package io.github.rustbridge;

import java.util.concurrent.CompletionStage;

/** A function that a plugin calls with bytes; see {@link PluginConfig#rawAsyncService}. */
@FunctionalInterface
public interface AsyncService {
  /**
   * Begins to answer a call, on the plugin's thread. Any number at once.
   *
   * @param request the request, this function's own
   * @param call what came with it
   * @return the answer, when it's there; cancelled if the plugin doesn't wait any more
   * @throws Exception as {@link RawService#answer} does; so may the stage fail
   */
  CompletionStage<byte[]> answer(byte[] request, ServiceCall call) throws Exception;
}
