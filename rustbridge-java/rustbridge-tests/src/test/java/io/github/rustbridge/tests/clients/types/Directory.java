// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * {@code directory}: what the plugin asks of its host.
 *
 * <p>Called on the plugin's threads, any number at once. What is thrown is told to the plugin.
 */
public interface Directory {
  /**
   * Who is called so, if anybody is.
   *
   * @param name the request
   * @return the answer, or null
   * @throws Exception for the plugin: {@link io.github.rustbridge.PluginException} keeps its
   *     status, any other becomes {@code INTERNAL}
   */
  Person find(String name) throws Exception;

  /**
   * As {@link #find}, which it calls unless it's overridden, for an answer that may come later.
   *
   * @param name the request
   * @return the answer, when it's there; cancelled if the plugin doesn't wait any more
   * @throws Exception as the other does; so may the stage fail
   */
  default CompletionStage<Person> findAsync(String name) throws Exception {
    return CompletableFuture.completedFuture(this.find(name));
  }

  /**
   * The same, of somebody who is there; fails with `NOT_FOUND` otherwise.
   *
   * @param name the request
   * @return the answer
   * @throws Exception for the plugin: {@link io.github.rustbridge.PluginException} keeps its
   *     status, any other becomes {@code INTERNAL}
   */
  Person fetch(String name) throws Exception;

  /**
   * As {@link #fetch}, which it calls unless it's overridden, for an answer that may come later.
   *
   * @param name the request
   * @return the answer, when it's there; cancelled if the plugin doesn't wait any more
   * @throws Exception as the other does; so may the stage fail
   */
  default CompletionStage<Person> fetchAsync(String name) throws Exception {
    return CompletableFuture.completedFuture(this.fetch(name));
  }

  /**
   * How many there are.
   *
   * @return the answer; its bits are those of a number without a sign
   * @throws Exception for the plugin: {@link io.github.rustbridge.PluginException} keeps its
   *     status, any other becomes {@code INTERNAL}
   */
  long count() throws Exception;

  /**
   * As {@link #count}, which it calls unless it's overridden, for an answer that may come later.
   *
   * @return the answer, when it's there; cancelled if the plugin doesn't wait any more
   * @throws Exception as the other does; so may the stage fail
   */
  default CompletionStage<Long> countAsync() throws Exception {
    return CompletableFuture.completedFuture(this.count());
  }
}
