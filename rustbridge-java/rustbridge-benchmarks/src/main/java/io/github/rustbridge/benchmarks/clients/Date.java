// Written by `rustbridge gen -l java` of the plugin `bench`: write it anew by that, not by hand.
package io.github.rustbridge.benchmarks.clients;

/**
 * A day.
 *
 * @param year From 1900 to 1929.
 * @param month From 1 to 12.
 * @param day From 1 to 30.
 */
public record Date(int year, int month, int day) {}
