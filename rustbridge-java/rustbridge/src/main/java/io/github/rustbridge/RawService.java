package io.github.rustbridge;

/** A function that a plugin calls with bytes; see {@link PluginConfig#rawService}. */
@FunctionalInterface
public interface RawService {
  /**
   * Answers a call, on the plugin's thread, which waits. Any number of threads may call it at once.
   *
   * @param request the request; the function owns the array
   * @param call the context of the call
   * @return the response
   * @throws Exception reported to the plugin: a {@link PluginException} keeps its status; any other
   *     becomes {@link Status#INTERNAL} with the name of its class as the error type
   */
  byte[] answer(byte[] request, ServiceCall call) throws Exception;
}
