// Written by `rustbridge gen -l java` of the plugin `bench`: write it anew by that, not by hand.
package io.github.rustbridge.benchmarks.clients;

/**
 * Two numbers to divide.
 *
 * @param a What is divided.
 * @param b By what.
 */
public record Division(long a, long b) {}
