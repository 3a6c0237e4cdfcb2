package io.github.rustbridge;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of an object that is passed to {@link PluginConfig#services}. Plugins may call the
 * method.
 *
 * <pre>{@code
 * class Prices {
 *   @Service("prices.get")
 *   long get(long id) { .. }
 *
 *   @Service("prices.upper")
 *   byte[] upper(byte[] text, ServiceCall call) { .. }
 * }
 * }</pre>
 *
 * <p>A method with a {@code byte[]} parameter accepts and returns raw bytes; any other uses JSON.
 * It may have a {@link ServiceCall} as an additional parameter, and may return a {@link
 * java.util.concurrent.CompletionStage}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Service {
  /**
   * Returns the service's name.
   *
   * @return the name by which the plugin calls it
   */
  String value();
}
