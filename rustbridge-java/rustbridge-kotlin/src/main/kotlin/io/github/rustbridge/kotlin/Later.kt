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
 * Calls with JSON text, without a thread that waits. Cancelling the coroutine cancels the call in
 * the plugin: what its handler awaits is dropped. A handler that isn't `async` runs on a thread of
 * the plugin's, and looks for itself whether it's cancelled.
 *
 * ```
 * val page = withTimeout(2.seconds) { fetch.await(request, CallOptions.defaults()) }
 * ```
 *
 * @param json the request
 * @param options what the call carries besides; its executor isn't used, since the coroutine goes
 *   on where its dispatcher says
 * @return the response
 * @throws PluginException if the call fails
 * @throws IllegalStateException if the method's encoding isn't JSON
 */
public suspend fun Method.await(json: String, options: CallOptions): String =
    begun(callAsync(json, unblocked(options)))

/**
 * Calls with bytes, as [Method.await] with options does with text.
 *
 * @param request the request, in the method's encoding
 * @param options what the call carries besides
 * @return the response
 * @throws PluginException if the call fails
 */
public suspend fun Method.awaitRawBytes(request: ByteArray, options: CallOptions): ByteArray =
    begun(callRawAsync(request, unblocked(options)))

/**
 * Calls with bytes for all that comes back, as [Method.await] with options does with text. An
 * answer that comes after the coroutine was cancelled is closed, and with it its objects.
 *
 * @param request the request, in the method's encoding
 * @param options what the call carries besides
 * @return the answer with trailers, objects, and headers if the options ask for them
 * @throws PluginException if the call fails
 */
public suspend fun Method.awaitReply(
    request: ByteArray,
    options: CallOptions = CallOptions.defaults(),
): Reply = begun(callForReplyAsync(request, unblocked(options)), Reply::close)

/**
 * Calls for an object, as [Method.await] with options does for text. One that comes after the
 * coroutine was cancelled is closed.
 *
 * @param json the request
 * @param options what the call carries besides
 * @return the object, to be closed, best by `use`
 * @throws PluginException if the call fails
 */
public suspend fun Method.awaitObject(
    json: String,
    options: CallOptions = CallOptions.defaults(),
): PluginObject = awaitReply(json.encodeToByteArray(), options).`object`()

/**
 * Calls with an object and gives an object, as [Method.await] with options does with text.
 *
 * @param request what to send
 * @param options what the call carries besides
 * @param json how to write and read
 * @param T the request's type; must be serializable
 * @param R the response's type; must be serializable
 * @return the answer
 * @throws PluginException if the call fails
 */
public suspend inline fun <reified T, reified R> Method.await(
    request: T,
    options: CallOptions,
    json: Json = PluginJson,
): R = json.decodeFromString<R>(await(json.encodeToString(request), options))

/**
 * Gives the items that a method answers with, as JSON text. Each collector has a call of its own,
 * which ends when it stops collecting. Items come as fast as they're collected, within the options'
 * window.
 *
 * @param json the request
 * @param options what the call carries besides
 * @return a cold flow; [PluginException] ends it if the stream has ended before its end
 * @throws IllegalStateException if the method answers once, or its encoding isn't JSON
 */
public fun Method.flow(json: String, options: CallOptions = CallOptions.defaults()): Flow<String> =
    collected {
        publishRaw(json.encodeToByteArray(), options.elsewhere())
    }
    .map { it.decodeToString(throwOnInvalidSequence = true) }

/**
 * Gives the items that a method answers with, as bytes, as [Method.flow] does as text.
 *
 * @param request the request, in the method's encoding
 * @param options what the call carries besides
 * @return a cold flow
 */
public fun Method.flowRaw(
    request: ByteArray,
    options: CallOptions = CallOptions.defaults(),
): Flow<ByteArray> = collected { publishRaw(request, options.elsewhere()) }

/**
 * Gives the items that a method answers with, as objects, as [Method.flow] does as text.
 *
 * ```
 * method.flow<Every, Tick>(Every(10)).collect { use(it) }
 * ```
 *
 * @param request what to send
 * @param options what the call carries besides
 * @param json how to write and read
 * @param T the request's type; must be serializable
 * @param R an item's type; must be serializable
 * @return a cold flow
 */
public inline fun <reified T, reified R> Method.flow(
    request: T,
    options: CallOptions = CallOptions.defaults(),
    json: Json = PluginJson,
): Flow<R> = flow(json.encodeToString(request), options).map { json.decodeFromString<R>(it) }

/**
 * Sends the items of a flow with the request, as JSON text, as fast as the plugin asks for them.
 * What the flow throws ends the stream into the plugin with that.
 *
 * @param json the request
 * @param items what to send
 * @param options what the call carries besides
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
 * Sends the items of a flow with the request, as bytes, as [Method.send] does as text.
 *
 * @param request the request, in the method's encoding
 * @param items what to send
 * @param options what the call carries besides
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
 * Sends the items of a flow and gives what comes back, as bytes.
 *
 * @param request the request, in the method's encoding
 * @param items what to send
 * @param options what the call carries besides
 * @return a cold flow, each of whose collectors has a call of its own and collects the items once
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

/** A subscriber's calls into the plugin may run what blocks, which the drainer must not. */
internal fun CallOptions.elsewhere(): CallOptions = withExecutor(elsewhere).calledFromThread()

/**
 * Completes on the drainer itself where the continuation only dispatches. Where it would go on in
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

/** What takes a publisher's items for a collector, which suspends until there are some. */
private class Collector<T> : JavaFlow.Subscriber<T> {
    /** Has room for all that is asked for, so sending to it never fails for that. */
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

/** A flow as a publisher for one subscriber: collected as far as that asks for items. */
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
