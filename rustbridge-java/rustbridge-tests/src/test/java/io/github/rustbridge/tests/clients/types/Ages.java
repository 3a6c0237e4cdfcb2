// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * {@code ages}: what the plugin asks of its host.
 *
 * <p>Called on the plugin's threads, any number at once. What is thrown is told to the plugin.
 */
public interface Ages {
  /**
   * Of each by name.
   *
   * @param people the request
   * @return the answer
   * @throws Exception for the plugin: {@link io.github.rustbridge.PluginException} keeps its
   *     status, any other becomes {@code INTERNAL}
   */
  Map<String, Long> of(List<Person> people) throws Exception;

  /**
   * As {@link #of}, which it calls unless it's overridden, for an answer that may come later.
   *
   * @param people the request
   * @return the answer, when it's there; cancelled if the plugin doesn't wait any more
   * @throws Exception as the other does; so may the stage fail
   */
  default CompletionStage<Map<String, Long>> ofAsync(List<Person> people) throws Exception {
    return CompletableFuture.completedFuture(this.of(people));
  }
}
