package io.github.rustbridge;

/** A function that a plugin calls with bytes; see {@link PluginConfig#rawService}. */
@FunctionalInterface
public interface RawService {
  /**
   * Answers a call, on the plugin's thread, which waits. Any number at once.
   *
   * @param request the request, this function's own
   * @param call what came with it
   * @return the answer
   * @throws Exception for the plugin: {@link PluginException} keeps its status, any other becomes
   *     {@link Status#INTERNAL} with the name of its class as the type
   */
  byte[] answer(byte[] request, ServiceCall call) throws Exception;
}
