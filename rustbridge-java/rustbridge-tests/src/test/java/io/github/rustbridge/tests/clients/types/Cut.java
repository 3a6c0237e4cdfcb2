// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

/**
 * What is to be done with bytes that come beside it.
 *
 * @param skip How many at the beginning are left away.
 * @param times How often the others come back.
 */
public record Cut(long skip, long times) {}
