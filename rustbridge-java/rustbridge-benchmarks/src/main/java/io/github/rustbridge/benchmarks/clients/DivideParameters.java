// Written by `rustbridge gen -l java` of the plugin `bench`: write it anew by that, not by hand.
package io.github.rustbridge.benchmarks.clients;

/**
 * What `divide` takes.
 *
 * @param a {@code a}
 * @param b {@code b}
 */
record DivideParameters(long a, long b) {}
