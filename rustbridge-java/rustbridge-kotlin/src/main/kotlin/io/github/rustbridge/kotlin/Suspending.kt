package io.github.rustbridge.kotlin

import io.github.rustbridge.CallOptions
import io.github.rustbridge.Method
import io.github.rustbridge.Plugin
import io.github.rustbridge.PluginException
import io.github.rustbridge.RawResponse
import kotlin.time.Duration
import kotlin.time.toKotlinDuration
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch
import kotlinx.coroutines.suspendCancellableCoroutine

/**
 * Calls with JSON text without blocking the caller's thread.
 *
 * A handler that is `async` needs no thread meanwhile, and cancelling the coroutine cancels it:
 * what it awaits is dropped. The dispatcher isn't used then.
 *
 * **Any other runs on a thread of the dispatcher's, and cancellation stops at the boundary.** Such
 * a handler can't be interrupted, so a coroutine that is cancelled while its call runs goes on at
 * once with [CancellationException], and the call runs to its end on its thread; what it answers or
 * throws is dropped. It still counts as running: closing the plugin waits for it. A call that waits
 * for a free thread when its coroutine is cancelled isn't made at all. Where the handler looks
 * whether it's cancelled, `await` with [CallOptions] tells it.
 *
 * [Dispatchers.IO] has 64 threads for all that block. A plugin that should have fewer of them, or
 * more, is called with a `Dispatchers.IO.limitedParallelism(n)` of its own; a method that is a leaf
 * needs none of this and is best called directly.
 *
 * @param json the request
 * @param dispatcher on whose thread the call runs
 * @return the response
 * @throws PluginException if the call fails
 * @throws IllegalStateException if the method's encoding isn't JSON
 */
public suspend fun Method.await(
    json: String,
    dispatcher: CoroutineDispatcher = Dispatchers.IO,
): String = if (isAsync) await(json, CallOptions.defaults()) else offload(dispatcher) { call(json) }

/**
 * Calls a method by name with JSON text, as [Method.await] does.
 *
 * @param method the method's name
 * @param json the request
 * @param dispatcher on whose thread the call runs
 * @return the response
 * @throws PluginException if the call fails
 */
public suspend fun Plugin.await(
    method: String,
    json: String,
    dispatcher: CoroutineDispatcher = Dispatchers.IO,
): String = method(method).await(json, dispatcher)

/**
 * Calls with bytes in the method's encoding, as [Method.await] does with text. Nobody may change
 * the request before the call is over, which after a cancellation may be later than this function
 * returns.
 *
 * @param request the request
 * @param dispatcher on whose thread the call runs
 * @return the response, a new array
 * @throws PluginException if the call fails
 */
public suspend fun Method.awaitRawBytes(
    request: ByteArray,
    dispatcher: CoroutineDispatcher = Dispatchers.IO,
): ByteArray =
    if (isAsync) awaitRawBytes(request, CallOptions.defaults())
    else offload(dispatcher) { callRawBytes(request) }

/**
 * Calls a method by name with bytes, as [Method.awaitRawBytes] does.
 *
 * @param method the method's name
 * @param request the request
 * @param dispatcher on whose thread the call runs
 * @return the response, a new array
 * @throws PluginException if the call fails
 */
public suspend fun Plugin.awaitRawBytes(
    method: String,
    request: ByteArray,
    dispatcher: CoroutineDispatcher = Dispatchers.IO,
): ByteArray = offload(dispatcher) { callRawBytes(method, request) }

/**
 * Calls with bytes and leaves the response in the plugin's memory, as [Method.awaitRawBytes] does
 * otherwise. A response that arrives after the coroutine was cancelled is closed.
 *
 * @param request the request
 * @param dispatcher on whose thread the call runs
 * @return the response, to be closed, best by `use`
 * @throws PluginException if the call fails
 */
public suspend fun Method.awaitRawZeroCopy(
    request: ByteArray,
    dispatcher: CoroutineDispatcher = Dispatchers.IO,
): RawResponse = offload(dispatcher, RawResponse::close) { callRawZeroCopy(request) }

/**
 * Calls a method by name with bytes and leaves the response in the plugin's memory, as
 * [Method.awaitRawZeroCopy] does.
 *
 * @param method the method's name
 * @param request the request
 * @param dispatcher on whose thread the call runs
 * @return the response, to be closed, best by `use`
 * @throws PluginException if the call fails
 */
public suspend fun Plugin.awaitRawZeroCopy(
    method: String,
    request: ByteArray,
    dispatcher: CoroutineDispatcher = Dispatchers.IO,
): RawResponse = offload(dispatcher, RawResponse::close) { callRawZeroCopy(method, request) }

/**
 * Closes an instance without blocking the caller's thread. A coroutine that is cancelled meanwhile
 * goes on at once, and the closing does too, on its own thread.
 *
 * @param timeout how long to wait for running calls
 * @param dispatcher on whose thread it waits
 * @throws PluginException with `DEADLINE_EXCEEDED` if calls still run; the instance stays closing
 */
public suspend fun Plugin.awaitClose(
    timeout: Duration = Plugin.CLOSE_TIMEOUT.toKotlinDuration(),
    dispatcher: CoroutineDispatcher = Dispatchers.IO,
): Unit = offload(dispatcher) { close(timeout) }

/**
 * Runs `call` on a thread of the dispatcher's, in a job of its own, which the caller's cancellation
 * doesn't reach.
 *
 * `withContext` is no alternative: it returns only when its block has, however long ago the caller
 * was cancelled. The caller's other context elements go along, so that what is bound to the thread
 * (a logging context, say) is there.
 *
 * @param drop gives a result back that nobody takes any more: also one that arrived in time, when
 *   the caller is cancelled before it goes on
 */
@PublishedApi
internal suspend fun <R> offload(
    dispatcher: CoroutineDispatcher,
    drop: (R) -> Unit = {},
    call: () -> R,
): R = suspendCancellableCoroutine { continuation ->
    val job =
        CoroutineScope(continuation.context.minusKey(Job) + dispatcher).launch {
            if (!continuation.isActive) return@launch
            runCatching { calledFrom(continuation.context, call) }
                .onSuccess { result -> continuation.resume(result) { _, late, _ -> drop(late) } }
                .onFailure { failure -> continuation.resumeWith(Result.failure(failure)) }
        }
    // A dispatcher that takes no work, being closed, cancels the job: then nobody else goes on.
    job.invokeOnCompletion { refused -> if (refused != null) continuation.cancel(refused) }
}
