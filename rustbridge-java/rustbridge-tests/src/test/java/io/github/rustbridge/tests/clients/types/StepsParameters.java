// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

/**
 * What `steps` takes.
 *
 * @param first {@code first}
 * @param last {@code last}
 * @param step {@code step}
 */
record StepsParameters(long first, long last, long step) {}
