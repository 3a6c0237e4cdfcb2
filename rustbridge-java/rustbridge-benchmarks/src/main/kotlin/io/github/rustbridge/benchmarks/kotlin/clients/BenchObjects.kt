// Written by `rustbridge gen -l kotlin` of the plugin `bench`: write it anew by that, not by hand.
@file:Suppress("REDUNDANT_VISIBILITY_MODIFIER")

package io.github.rustbridge.benchmarks.kotlin.clients

import io.github.rustbridge.CallOptions
import io.github.rustbridge.PluginObject
import io.github.rustbridge.TypedObject

/** A `Adder`, which stays in the plugin. Close it, best by `use`. */
public class Adder internal constructor(private val client: Bench, untyped: PluginObject) :
    TypedObject(untyped) {
    /**
     * Adds.
     *
     * @param request the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun add(request: Value, options: CallOptions = CallOptions.defaults()): Value =
        this.client.adder__add.call(request, receiving(options))
}

/** A `SomeClass`, which stays in the plugin. Close it, best by `use`. */
public class SomeClass internal constructor(private val client: Bench, untyped: PluginObject) :
    TypedObject(untyped) {
    /**
     * Greets.
     *
     * @param options what the call carries besides
     * @return the response
     */
    public fun greet(options: CallOptions = CallOptions.defaults()): String =
        this.client.someClass__greet.call(Unit, receiving(options))
}
