package io.github.rustbridge.spring;

import io.github.rustbridge.TypedClient;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Registers beans for typed clients, the classes that {@code rustbridge gen} writes.
 *
 * <p>A class {@code Pricing} has a bean {@code pricing}, which is also the bean of its interface
 * {@code PricingApi}, and a bean {@code pricingPlugin}, the {@link io.github.rustbridge.Plugin}
 * that it calls. Beans that implement the client's service interfaces serve the plugin's calls.
 *
 * <p>The plugin is loaded when the context starts. It's closed after all beans that use the client,
 * and before the beans that serve it.
 *
 * <p>Properties configure how it's loaded, such as {@code rustbridge.clients.pricing.library}:
 * {@link ClientProperties}.
 */
@Documented
@Import(ClientRegistrar.class)
@Retention(RetentionPolicy.RUNTIME)
@SuppressWarnings("exports") // Spring alone makes the class that is imported.
@Target(ElementType.TYPE)
public @interface ImportRustbridgeClients {
  /**
   * Returns the clients' classes.
   *
   * @return the classes
   */
  Class<? extends TypedClient>[] value();
}
