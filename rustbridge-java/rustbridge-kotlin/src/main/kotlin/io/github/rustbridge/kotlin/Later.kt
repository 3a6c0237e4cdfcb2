package io.github.rustbridge.kotlin

import io.github.rustbridge.CallOptions
import io.github.rustbridge.Method
import io.github.rustbridge.PluginException
import io.github.rustbridge.PluginObject
import io.github.rustbridge.Reply
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException
import java.util.concurrent.Flow as JavaFlow
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.asExecutor
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.launch
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.serialization.json.Json

/**
 * Calls the method with JSON text, without blocking a thread. Cancelling the coroutine cancels the
 * call in the plugin, which drops an `async` handler. A handler that isn't `async` runs on one of
 * the plugin's threads, and has to check itself whether the call is cancelled.
 *
 * ```
 * val page = withTimeout(2.seconds) { fetch.await(request, CallOptions.defaults()) }
 * ```
 *
 * @param json the request
 * @param options the call options; their executor isn't used, since the coroutine's dispatcher
 *   resumes it
 * @return the response
 * @throws PluginException if the call fails
 * @throws IllegalStateException if the method's encoding isn't JSON
 */
public suspend fun Method.await(json: String, options: CallOptions): String =
    begun(callAsync(json, unblocked(options)))

/**
 * Calls the method with bytes, like [Method.await] with options.
 *
 * @param request the request, in the method's encoding
 * @param options the call options
 * @return the response
 * @throws PluginException if the call fails
 */
public suspend fun Method.awaitRawBytes(request: ByteArray, options: CallOptions): ByteArray =
    begun(callRawAsync(request, unblocked(options)))

/**
 * Calls the method with bytes, like [Method.await] with options, and returns the response with its
 * initial metadata, trailing metadata and objects. If the response arrives after the coroutine was
 * cancelled, it's closed together with its objects.
 *
 * @param request the request, in the method's encoding
 * @param options the call options
 * @return the response with trailing metadata and objects, and with initial metadata if the options
 *   request it
 * @throws PluginException if the call fails
 */
public suspend fun Method.awaitReply(
    request: ByteArray,
    options: CallOptions = CallOptions.defaults(),
): Reply = begun(callForReplyAsync(request, unblocked(options)), Reply::close)

/**
 * Calls the method like [Method.await] with options, and returns an object of the plugin. If it
 * arrives after the coroutine was cancelled, it's closed.
 *
 * @param json the request
 * @param options the call options
 * @return the object; the caller must close it, preferably with `use`
 * @throws PluginException if the call fails
 */
public suspend fun Method.awaitObject(
    json: String,
    options: CallOptions = CallOptions.defaults(),
): PluginObject = awaitReply(json.encodeToByteArray(), options).`object`()

/**
 * Calls the method with a serializable request and response, like [Method.await] with options.
 *
 * @param request the request
 * @param options the call options
 * @param json writes the request and reads the response
 * @param T the request's type, which must be serializable
 * @param R the response's type, which must be serializable
 * @return the response
 * @throws PluginException if the call fails
 */
public suspend inline fun <reified T, reified R> Method.await(
    request: T,
    options: CallOptions,
    json: Json = PluginJson,
): R = json.decodeFromString<R>(await(json.encodeToString(request), options))

/**
 * Returns a flow of the method's items as JSON text. Each collector makes its own call, which is
 * cancelled when it stops collecting. Items arrive as fast as they're collected, within the
 * options' window.
 *
 * @param json the request
 * @param options the call options
 * @return a cold flow; if the stream fails, it throws [PluginException]
 * @throws IllegalStateException if the method isn't a stream, or its encoding isn't JSON
 */
public fun Method.flow(json: String, options: CallOptions = CallOptions.defaults()): Flow<String> =
    collected {
        publishRaw(json.encodeToByteArray(), options.elsewhere())
    }
    .map { it.decodeToString(throwOnInvalidSequence = true) }

/**
 * Returns a flow of the method's items as bytes, like [Method.flow] with text.
 *
 * @param request the request, in the method's encoding
 * @param options the call options
 * @return a cold flow
 */
public fun Method.flowRaw(
    request: ByteArray,
    options: CallOptions = CallOptions.defaults(),
): Flow<ByteArray> = collected { publishRaw(request, options.elsewhere()) }

/**
 * Returns a flow of the method's items as serializable values, like [Method.flow] with text.
 *
 * ```
 * method.flow<Every, Tick>(Every(10)).collect { use(it) }
 * ```
 *
 * @param request the request
 * @param options the call options
 * @param json writes the request and reads the response
 * @param T the request's type, which must be serializable
 * @param R an item's type, which must be serializable
 * @return a cold flow
 */
public inline fun <reified T, reified R> Method.flow(
    request: T,
    options: CallOptions = CallOptions.defaults(),
    json: Json = PluginJson,
): Flow<R> = flow(json.encodeToString(request), options).map { json.decodeFromString<R>(it) }

/**
 * Sends the items of a flow as JSON text in addition to the request, as fast as the plugin accepts
 * them. If the flow throws, the plugin's stream fails with that exception.
 *
 * @param json the request
 * @param items the items to send
 * @param options the call options
 * @return the response
 * @throws PluginException if the call fails
 */
public suspend fun Method.send(
    json: String,
    items: Flow<String>,
    options: CallOptions = CallOptions.defaults(),
): String =
    sendRaw(json.encodeToByteArray(), items.map { it.encodeToByteArray() }, options)
        .decodeToString(throwOnInvalidSequence = true)

/**
 * Sends the items of a flow as bytes in addition to the request, like [Method.send] with text.
 *
 * @param request the request, in the method's encoding
 * @param items the items to send
 * @param options the call options
 * @return the response
 * @throws PluginException if the call fails
 */
public suspend fun Method.sendRaw(
    request: ByteArray,
    items: Flow<ByteArray>,
    options: CallOptions = CallOptions.defaults(),
): ByteArray = coroutineScope {
    val source = Source(this, items)
    try {
        begun(sending(source).callRawAsync(request, options.calledFrom(currentCoroutineContext())))
    } finally {
        source.stop()
    }
}

/**
 * Sends the items of a flow and returns a flow of the method's items, as bytes.
 *
 * @param request the request, in the method's encoding
 * @param items the items to send
 * @param options the call options
 * @return a cold flow; each collector makes its own call and collects the sent items once
 */
public fun Method.exchangeRaw(
    request: ByteArray,
    items: Flow<ByteArray>,
    options: CallOptions = CallOptions.defaults(),
): Flow<ByteArray> = flow {
    coroutineScope {
        val source = Source(this, items)
        try {
            collected { sending(source).publishRaw(request, options.calledFromThread()) }
                .collect { emit(it) }
        } finally {
            source.stop()
        }
    }
}

private val elsewhere = Dispatchers.Default.asExecutor()

/** A subscriber's calls into the plugin may run what blocks, which the poller must not. */
internal fun CallOptions.elsewhere(): CallOptions = withExecutor(elsewhere).calledFromThread()

/**
 * Completes on the poller itself where the continuation only dispatches. Where it would go on in
 * place (unconfined ones do), that is a thread of [Dispatchers.Default]'s.
 */
internal fun CallOptions.resuming(context: CoroutineContext): CallOptions {
    val dispatcher = context[ContinuationInterceptor] as? CoroutineDispatcher
    return calledFrom(context).withExecutor { task ->
        if (dispatcher != null && dispatcher.isDispatchNeeded(context)) task.run()
        else elsewhere.execute(task)
    }
}

private suspend fun Method.unblocked(options: CallOptions): CallOptions =
    (if (isAsync) options else options.offloaded()).resuming(currentCoroutineContext())

/**
 * Waits for a call's future; cancelling the coroutine cancels that.
 *
 * @param drop gives a value back that nobody takes any more
 */
internal suspend fun <R> begun(call: CompletableFuture<R>, drop: (R) -> Unit = {}): R =
    suspendCancellableCoroutine { continuation ->
        continuation.invokeOnCancellation { call.cancel(true) }
        call.whenComplete { value, failure ->
            if (failure == null) {
                continuation.resume(value) { _, late, _ -> drop(late) }
            } else {
                val cause = (failure as? CompletionException)?.cause ?: failure
                continuation.resumeWith(Result.failure(cause))
            }
        }
    }

/** A publisher's items, asked for in halves of what a collector may have ahead of it. */
internal fun <T> collected(publisher: () -> JavaFlow.Publisher<T>): Flow<T> = flow {
    val subscriber = Collector<T>()
    calledFrom(currentCoroutineContext()) { publisher().subscribe(subscriber) }
    try {
        for (item in subscriber.channel) {
            emit(item)
            subscriber.took()
        }
    } finally {
        subscriber.stop()
    }
    currentCoroutineContext().ensureActive()
}

private const val AHEAD = 64

/** Receives a publisher's items for a collector, which suspends until there are items. */
private class Collector<T> : JavaFlow.Subscriber<T> {
    /** Has capacity for the complete demand, so sending to it never fails for lack of capacity. */
    val channel: Channel<T> = Channel(AHEAD)
    private lateinit var subscription: JavaFlow.Subscription
    private var taken = 0L

    override fun onSubscribe(given: JavaFlow.Subscription) {
        subscription = given
        given.request(AHEAD.toLong())
    }

    override fun onNext(item: T) {
        channel.trySend(item)
    }

    override fun onError(failure: Throwable) {
        channel.close(failure)
    }

    override fun onComplete() {
        channel.close()
    }

    fun took() {
        taken++
        if (taken >= AHEAD / 2) {
            subscription.request(taken)
            taken = 0
        }
    }

    fun stop() {
        subscription.cancel()
        channel.cancel()
    }
}

/**
 * A flow as a publisher for one subscriber; the flow is collected as far as the subscriber requests
 * items.
 */
internal class Source<I>(private val scope: CoroutineScope, private val items: Flow<I>) :
    JavaFlow.Publisher<I> {
    private val wanted = Channel<Long>(Channel.UNLIMITED)
    private val lock = Any()
    private var job: Job? = null
    private var stopped = false

    override fun subscribe(subscriber: JavaFlow.Subscriber<in I>) {
        subscriber.onSubscribe(
            object : JavaFlow.Subscription {
                override fun request(count: Long) {
                    wanted.trySend(count)
                }

                override fun cancel() {
                    stop()
                }
            }
        )
        // Stopped on another thread it may be before this: what isn't begun must not be waited for.
        synchronized(lock) {
            if (!stopped) job = scope.launch(Dispatchers.Default) { collect(subscriber) }
        }
    }

    private suspend fun collect(subscriber: JavaFlow.Subscriber<in I>) {
        var room = 0L
        try {
            items.collect { item ->
                while (room == 0L) room += wanted.receive()
                room--
                subscriber.onNext(item)
            }
            subscriber.onComplete()
        } catch (cancelled: CancellationException) {
            subscriber.onError(cancelled)
            throw cancelled
        } catch (failure: Exception) {
            subscriber.onError(failure)
        }
    }

    fun stop() {
        wanted.cancel()
        val begun =
            synchronized(lock) {
                stopped = true
                job
            }
        begun?.cancel()
    }
}
