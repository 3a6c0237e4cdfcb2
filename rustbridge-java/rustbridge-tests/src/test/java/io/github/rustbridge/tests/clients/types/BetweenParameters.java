// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

/**
 * What `between` takes.
 *
 * @param youngest {@code youngest}
 * @param oldest {@code oldest}
 */
record BetweenParameters(long youngest, long oldest) {}
