// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

/**
 * There's no half of it.
 *
 * @param count What was counted.
 */
public record Odd(long count) {}
