// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

/**
 * A number with a meaning.
 *
 * @param value {@code value}
 */
public record Celsius(double value) {}
