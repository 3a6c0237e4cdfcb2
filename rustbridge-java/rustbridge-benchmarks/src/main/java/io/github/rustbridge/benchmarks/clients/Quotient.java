// Written by `rustbridge gen -l java` of the plugin `bench`: write it anew by that, not by hand.
package io.github.rustbridge.benchmarks.clients;

/**
 * A quotient.
 *
 * @param quotient The quotient.
 */
public record Quotient(double quotient) {}
