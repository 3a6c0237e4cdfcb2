package io.github.rustbridge.kotlin

import io.github.rustbridge.CallOptions
import io.github.rustbridge.PluginConfig
import io.github.rustbridge.PluginException
import io.github.rustbridge.ServiceCall
import io.github.rustbridge.TypedMethod as WireMethod
import io.github.rustbridge.TypedObject
import io.github.rustbridge.TypedServices
import io.github.rustbridge.TypedStreamingCall
import io.github.rustbridge.wire.Decode
import io.github.rustbridge.wire.Encode
import io.github.rustbridge.wire.EncodeException
import java.util.concurrent.CompletableFuture
import java.util.function.ToLongFunction
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
 * Calls a typed method on this thread. For clients that `rustbridge gen` writes.
 *
 * @param request the request
 * @param options the call options
 * @param Q the request's type
 * @param A the response's type
 * @return the response
 * @throws PluginException if the call fails
 * @throws EncodeException if the request doesn't fit its type
 */
public fun <Q, A> WireMethod<Q, A>.callWith(request: Q, options: CallOptions): A =
    // With nothing to carry there's a shorter way.
    if (options === CallOptions.defaults()) call(request) else call(request, options)

/**
 * Calls a typed method with an `async` handler, without blocking a thread. Cancelling the coroutine
 * cancels the call in the plugin. If an object arrives after that, it's closed.
 *
 * @param request the request
 * @param options the call options; their executor isn't used
 * @param Q the request's type
 * @param A the response's type
 * @return the response
 * @throws PluginException if the call fails
 * @throws EncodeException if the request doesn't fit its type
 */
public suspend fun <Q, A> WireMethod<Q, A>.await(request: Q, options: CallOptions): A =
    begun(callAsync(request, options.resuming(currentCoroutineContext()))) {
        (it as? TypedObject)?.close()
    }

/**
 * Returns a flow of a typed method's items. Each collector makes its own call, which is cancelled
 * when it stops collecting.
 *
 * @param request the request
 * @param options the call options
 * @param Q the request's type
 * @param A an item's type
 * @return a cold flow; if the stream fails, it throws [PluginException]
 * @throws EncodeException if the request doesn't fit its type
 */
public fun <Q, A> WireMethod<Q, A>.flow(request: Q, options: CallOptions): Flow<A> {
    val publisher = publish(request, options.elsewhere())
    return collected { publisher }
}

/**
 * Sends the items of a flow to a typed method, as fast as the plugin accepts them. If the flow
 * throws, or an item can't be written, the plugin's stream fails with that exception.
 *
 * @param request the request
 * @param items the items to send
 * @param options the call options
 * @param Q the request's type
 * @param I an item's type
 * @param A the response's type
 * @return the response
 * @throws PluginException if the call fails
 * @throws EncodeException if the request doesn't fit its type
 */
public suspend fun <Q, I, A> TypedStreamingCall<Q, I, A>.send(
    request: Q,
    items: Flow<I>,
    options: CallOptions,
): A = coroutineScope {
    val source = Source(this, items)
    try {
        val resuming = options.resuming(currentCoroutineContext())
        begun(callAsync(request, source, resuming)) { (it as? TypedObject)?.close() }
    } finally {
        source.stop()
    }
}

/**
 * Sends the items of a flow to a typed method, and returns a flow of the method's items.
 *
 * @param request the request
 * @param items the items to send
 * @param options the call options
 * @param Q the request's type
 * @param I the type of the sent items
 * @param A the type of the returned items
 * @return a cold flow; each collector makes its own call and collects the sent items once
 * @throws EncodeException from the flow, if the request doesn't fit its type
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
 * Creates a configuration with the options of [loadPlugin].
 *
 * @param configure sets the options
 * @return the configuration
 */
public fun pluginConfig(configure: PluginOptions.() -> Unit): PluginConfig =
    PluginOptions().apply(configure).toConfig()

/**
 * Registers a typed service that may suspend. For clients that `rustbridge gen` writes.
 *
 * The service starts on the plugin's thread, and resumes where it suspended. If the plugin no
 * longer waits, it's cancelled. [ServiceCall.current] is available on all its threads. If the
 * plugin runs for a suspending call or a flow, the elements of that coroutine's context are
 * available too, except its job and dispatcher.
 *
 * @param name the name by which the plugin calls it
 * @param decode reads requests
 * @param encode writes responses
 * @param service the function; any number of calls may run at once
 * @param Q the request's type
 * @param A the response's type
 */
public fun <Q, A> TypedServices.serve(
    name: String,
    decode: Decode<Q>,
    encode: Encode<A>,
    service: suspend (Q) -> A,
): Unit = add(name, decode, encode) { request -> started { service(request) } }

/**
 * Registers a function of a callback, which may suspend like a typed service. For clients that
 * `rustbridge gen` writes.
 *
 * @param callback the callback's name
 * @param name the name by which the plugin calls the function
 * @param decode reads requests
 * @param encode writes responses
 * @param number returns the number of the host's object, which is part of the request
 * @param function the function; any number of calls may run at once
 * @param T the callback's interface
 * @param Q the request's type
 * @param A the response's type
 */
public fun <T, Q, A> TypedServices.serve(
    callback: String,
    name: String,
    decode: Decode<Q>,
    encode: Encode<A>,
    number: ToLongFunction<Q>,
    function: suspend (T, Q) -> A,
): Unit =
    addFunction<T, Q, A>(callback, name, decode, encode, number) { of, request ->
        started { function(of, request) }
    }

/**
 * Registers a function of a callback with objects among its arguments or in its result. For clients
 * that `rustbridge gen` writes.
 *
 * @param callback the callback's name
 * @param name the name by which the plugin calls the function
 * @param encode writes responses; null if a method of the plugin accepts the result
 * @param function the function; any number of calls may run at once
 * @param T the callback's interface
 * @param Q the type of the arguments
 * @param A the result's type
 */
public fun <T, Q, A> TypedServices.serveCrossing(
    callback: String,
    name: String,
    encode: Encode<A>?,
    function: suspend (T, Q) -> A,
): Unit =
    addCrossing<T, Q, A>(callback, name, encode) { of, given -> started { function(of, given) } }

private fun <A> started(service: suspend () -> A): CompletableFuture<A> {
    val answer = CompletableFuture<A>()
    val context =
        Dispatchers.Default + callersElements() + CurrentServiceCall(ServiceCall.current())
    val job =
        CoroutineScope(context).launch(start = CoroutineStart.UNDISPATCHED) {
            runCatching { service() }
                .onSuccess(answer::complete)
                .onFailure(answer::completeExceptionally)
        }
    answer.whenComplete { _, _ -> if (answer.isCancelled) job.cancel() }
    return answer
}
