// Written by `rustbridge gen -l java` of the plugin `bench`: write it anew by that, not by hand.
package io.github.rustbridge.benchmarks.clients;

/**
 * A question, and its answer.
 *
 * @param value The number.
 */
public record Value(int value) {}
