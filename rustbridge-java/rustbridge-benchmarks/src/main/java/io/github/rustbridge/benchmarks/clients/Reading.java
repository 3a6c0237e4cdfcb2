// Written by `rustbridge gen -l java` of the plugin `bench`: write it anew by that, not by hand.
package io.github.rustbridge.benchmarks.clients;

/**
 * What an instrument has measured: numbers of different widths.
 *
 * @param instrument Which instrument it was.
 * @param at When, in seconds.
 * @param low The least.
 * @param high The most.
 * @param weight How much it counts.
 * @param count How often it was measured.
 */
public record Reading(long instrument, long at, double low, double high, float weight, int count) {}
