// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

/**
 * Plain old data: a list of them is one copy.
 *
 * @param x To the right.
 * @param y Upwards.
 */
public record Point(double x, double y) {}
