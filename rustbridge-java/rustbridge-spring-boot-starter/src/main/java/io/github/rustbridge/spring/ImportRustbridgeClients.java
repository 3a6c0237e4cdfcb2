package io.github.rustbridge.spring;

import io.github.rustbridge.TypedClient;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Makes beans of typed clients, the classes that {@code rustbridge gen} writes.
 *
 * <p>For a class {@code Pricing} there is a bean {@code pricing}, which is also the bean of its
 * interface {@code PricingApi}, and a bean {@code pricingPlugin}, the {@link
 * io.github.rustbridge.Plugin} that it calls. What the plugin asks its host for is answered by the
 * beans that implement the client's service interfaces. The plugin is loaded when the context
 * starts. It's closed after all beans that use the client, and before the beans that it asks.
 *
 * <p>Properties say how it's loaded, {@code rustbridge.clients.pricing.library} and others: {@link
 * ClientProperties}.
 */
@Documented
@Import(ClientRegistrar.class)
@Retention(RetentionPolicy.RUNTIME)
@SuppressWarnings("exports") // Spring alone makes the class that is imported.
@Target(ElementType.TYPE)
public @interface ImportRustbridgeClients {
  /**
   * Names the clients' classes.
   *
   * @return the classes
   */
  Class<? extends TypedClient>[] value();
}
