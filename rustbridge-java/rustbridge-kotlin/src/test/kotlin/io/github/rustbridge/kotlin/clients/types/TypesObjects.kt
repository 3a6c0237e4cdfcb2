// Written by `rustbridge gen -l kotlin` of the plugin `types`: write it anew by that, not by hand.
@file:Suppress("REDUNDANT_VISIBILITY_MODIFIER")

package io.github.rustbridge.kotlin.clients.types

import io.github.rustbridge.CallOptions
import io.github.rustbridge.PluginObject
import io.github.rustbridge.TypedObject
import io.github.rustbridge.kotlin.await
import io.github.rustbridge.kotlin.flow
import io.github.rustbridge.kotlin.send
import kotlinx.coroutines.flow.Flow

/** A `Counter`, which stays in the plugin. Close it, best by `use`. */
public class Counter internal constructor(private val client: Types, untyped: PluginObject) :
    TypedObject(untyped) {
    /**
     * Adds, and gives the sum.
     *
     * @param more the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun add(more: Long, options: CallOptions = CallOptions.defaults()): Long =
        this.client.counter__add.call(more, receiving(options))

    /**
     * The same, from an `async fn`.
     *
     * @param more the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun addLater(more: Long, options: CallOptions = CallOptions.defaults()): Long =
        this.client.counter__addLater.call(more, receiving(options))

    /**
     * The same, from an `async fn`.
     *
     * @param more the request
     * @param options what the call carries besides
     * @return the response
     */
    public suspend fun awaitAddLater(
        more: Long,
        options: CallOptions = CallOptions.defaults(),
    ): Long = this.client.counter__addLater.await(more, receiving(options))

    /**
     * Half of what was counted, if that's a number.
     *
     * @param options what the call carries besides
     * @return the response
     * @throws OddException if it fails with `Odd`
     */
    public fun half(options: CallOptions = CallOptions.defaults()): Long =
        this.client.counter__half.call(Unit, receiving(options))

    /**
     * Whether it's between two numbers, both included.
     *
     * @param least `least`
     * @param most `most`
     * @param options what the call carries besides
     * @return the response
     */
    public fun within(
        least: Long,
        most: Long,
        options: CallOptions = CallOptions.defaults(),
    ): Boolean =
        this.client.counter__within.call(CounterWithinParameters(least, most), receiving(options))

    /**
     * What was counted so far.
     *
     * @param options what the call carries besides
     * @return the response
     */
    public fun get(options: CallOptions = CallOptions.defaults()): Long =
        this.client.counter__get.call(Unit, receiving(options))

    /**
     * Adds what another has counted, and gives the sum.
     *
     * @param other the request
     * @param options what the call carries besides
     * @return the response
     */
    public fun absorb(other: Counter, options: CallOptions = CallOptions.defaults()): Long =
        this.client.counter__absorb.call(other, receiving(options))

    /**
     * The numbers from there up to before another.
     *
     * @param end the request
     * @param options what the call carries besides
     * @return a cold flow of the items, each of whose collectors has a call of its own
     */
    public fun upto(end: Long, options: CallOptions = CallOptions.defaults()): Flow<Long> =
        this.client.counter__upto.flow(end, receiving(options))

    /**
     * Counts those who are sent.
     *
     * @param items what is sent, collected as fast as the plugin asks for it
     * @param options what the call carries besides
     * @return the response
     */
    public suspend fun admit(
        items: Flow<Person>,
        options: CallOptions = CallOptions.defaults(),
    ): Long = this.client.counter__admit.send(Unit, items, receiving(options))
}
