// Written by `rustbridge gen -l kotlin` of the plugin `types`: write it anew by that, not by hand.
@file:Suppress("REDUNDANT_VISIBILITY_MODIFIER")

package io.github.rustbridge.kotlin.clients.types

/**
 * `directory`: what the plugin asks of its host.
 *
 * Called on the plugin's threads, any number at once; what suspends goes on elsewhere, and is
 * cancelled if the plugin doesn't wait any more. What is thrown is told to the plugin: a
 * `PluginException` keeps its status, any other becomes `INTERNAL`.
 */
public interface Directory {
    /**
     * Who is called so, if anybody is.
     *
     * @param name what is asked
     * @return the answer
     */
    public suspend fun find(name: String): Person?

    /**
     * The same, of somebody who is there; fails with `NOT_FOUND` otherwise.
     *
     * @param name what is asked
     * @return the answer
     */
    public suspend fun fetch(name: String): Person

    /**
     * How many there are.
     *
     * @return the answer
     */
    public suspend fun count(): ULong
}

/**
 * `ages`: what the plugin asks of its host.
 *
 * Called on the plugin's threads, any number at once; what suspends goes on elsewhere, and is
 * cancelled if the plugin doesn't wait any more. What is thrown is told to the plugin: a
 * `PluginException` keeps its status, any other becomes `INTERNAL`.
 */
public interface Ages {
    /**
     * Of each by name.
     *
     * @param people what is asked
     * @return the answer
     */
    public suspend fun of(people: List<Person>): Map<String, UInt>
}
