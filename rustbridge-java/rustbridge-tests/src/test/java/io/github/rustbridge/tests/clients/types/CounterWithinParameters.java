// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

/**
 * What `Counter.within` takes.
 *
 * @param least {@code least}
 * @param most {@code most}
 */
record CounterWithinParameters(long least, long most) {}
