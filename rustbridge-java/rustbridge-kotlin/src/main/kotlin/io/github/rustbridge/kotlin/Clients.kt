package io.github.rustbridge.kotlin

import io.github.rustbridge.CallOptions
import io.github.rustbridge.PluginConfig
import io.github.rustbridge.PluginException
import io.github.rustbridge.ServiceCall
import io.github.rustbridge.TypedMethod as WireMethod
import io.github.rustbridge.TypedServices
import io.github.rustbridge.TypedStreamingCall
import io.github.rustbridge.wire.Decode
import io.github.rustbridge.wire.Encode
import io.github.rustbridge.wire.EncodeException
import java.util.concurrent.CompletableFuture
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.emitAll
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.launch

/**
 * Calls a typed method, on this thread: for the clients that `rustbridge gen` writes.
 *
 * @param request the request
 * @param options what the call carries besides
 * @param Q the request's type
 * @param A the response's type
 * @return the response
 * @throws PluginException if the call fails
 * @throws EncodeException if the request can't be sent
 */
public fun <Q, A> WireMethod<Q, A>.callWith(request: Q, options: CallOptions): A =
    // With nothing to carry there's a shorter way.
    if (options === CallOptions.defaults()) call(request) else call(request, options)

/**
 * Calls a typed method whose handler is `async`, without a thread that waits. Cancelling the
 * coroutine cancels the call in the plugin. An object that comes after that is closed.
 *
 * @param request the request
 * @param options what the call carries besides; its executor isn't used
 * @param Q the request's type
 * @param A the response's type
 * @return the response
 * @throws PluginException if the call fails
 * @throws EncodeException if the request can't be sent
 */
public suspend fun <Q, A> WireMethod<Q, A>.await(request: Q, options: CallOptions): A =
    begun(callAsync(request, options.resuming(currentCoroutineContext()))) {
        (it as? AutoCloseable)?.close()
    }

/**
 * Gives the items that a typed method answers with. Each collector has a call of its own, which
 * ends when it stops collecting.
 *
 * @param request the request
 * @param options what the call carries besides
 * @param Q the request's type
 * @param A an item's type
 * @return a cold flow; [PluginException] ends it if the stream has ended before its end
 * @throws EncodeException if the request can't be sent
 */
public fun <Q, A> WireMethod<Q, A>.flow(request: Q, options: CallOptions): Flow<A> {
    val publisher = publish(request, options.elsewhere())
    return collected { publisher }
}

/**
 * Sends the items of a flow to a typed method, as fast as the plugin asks for them. What the flow
 * throws, and an item that can't be written, ends the stream into the plugin with that.
 *
 * @param request the request
 * @param items what to send
 * @param options what the call carries besides
 * @param Q the request's type
 * @param I an item's type
 * @param A the response's type
 * @return the response
 * @throws PluginException if the call fails
 * @throws EncodeException if the request can't be sent
 */
public suspend fun <Q, I, A> TypedStreamingCall<Q, I, A>.send(
    request: Q,
    items: Flow<I>,
    options: CallOptions,
): A = coroutineScope {
    val source = Source(this, items)
    try {
        val resuming = options.resuming(currentCoroutineContext())
        begun(callAsync(request, source, resuming)) { (it as? AutoCloseable)?.close() }
    } finally {
        source.stop()
    }
}

/**
 * Sends the items of a flow to a typed method, and gives what comes back.
 *
 * @param request the request
 * @param items what to send
 * @param options what the call carries besides
 * @param Q the request's type
 * @param I the type of an item that is sent
 * @param A the type of one that comes back
 * @return a cold flow, each of whose collectors has a call of its own and collects the items once
 * @throws EncodeException from the flow, if the request can't be sent
 */
public fun <Q, I, A> TypedStreamingCall<Q, I, A>.exchange(
    request: Q,
    items: Flow<I>,
    options: CallOptions,
): Flow<A> = flow {
    coroutineScope {
        val source = Source(this, items)
        try {
            emitAll(collected { publish(request, source, options.elsewhere()) })
        } finally {
            source.stop()
        }
    }
}

/**
 * Makes a configuration, as [loadPlugin] does.
 *
 * @param configure how to load a plugin
 * @return the configuration
 */
public fun pluginConfig(configure: PluginOptions.() -> Unit): PluginConfig =
    PluginOptions().apply(configure).toConfig()

/**
 * Registers a typed service that may suspend: for the clients that `rustbridge gen` writes.
 *
 * It begins on the plugin's thread, and goes on where it suspended. If the plugin doesn't wait any
 * more, it's cancelled. [ServiceCall.current] is there on all its threads. If the plugin works for
 * a suspend call or a flow, the elements of that coroutine's context are there, too, but not its
 * job and dispatcher.
 *
 * @param name what the plugin calls it
 * @param decode reads requests
 * @param encode writes answers
 * @param service the function, any number of calls at once
 * @param Q the request's type
 * @param A the answer's type
 */
public fun <Q, A> TypedServices.serve(
    name: String,
    decode: Decode<Q>,
    encode: Encode<A>,
    service: suspend (Q) -> A,
): Unit =
    add(name, decode, encode) { request ->
        val answer = CompletableFuture<A>()
        val context =
            Dispatchers.Default + callersElements() + CurrentServiceCall(ServiceCall.current())
        val job =
            CoroutineScope(context).launch(start = CoroutineStart.UNDISPATCHED) {
                runCatching { service(request) }
                    .onSuccess(answer::complete)
                    .onFailure(answer::completeExceptionally)
            }
        answer.whenComplete { _, _ -> if (answer.isCancelled) job.cancel() }
        answer
    }
