package io.github.rustbridge;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method that plugins call, of an object that {@link PluginConfig#services} is given.
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
 * <p>A method that takes {@code byte[]} is called with raw bytes and answers with bytes; any other
 * by JSON. It may take a {@link ServiceCall} besides, and may answer with a {@link
 * java.util.concurrent.CompletionStage}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Service {
  /**
   * Gives the service's name.
   *
   * @return what the plugin asks for
   */
  String value();
}
