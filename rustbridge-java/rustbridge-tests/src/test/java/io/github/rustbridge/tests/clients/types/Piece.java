// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

/**
 * What is said of bytes that come back beside it.
 *
 * @param length How many there are. (its bits are those of a number without a sign)
 * @param first The first of them. (or null)
 */
public record Piece(long length, Integer first) {}
