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
 * Calls the method with JSON text, without blocking the caller's thread.
 *
 * A handler that is `async` needs no thread while it waits, and cancelling the coroutine cancels
 * it: the handler is dropped. The dispatcher isn't used then.
 *
 * **Any other handler runs on one of the dispatcher's threads, and cancellation doesn't reach the
 * plugin.** Such a handler can't be interrupted. So if the coroutine is cancelled while its call is
 * running, it resumes immediately with [CancellationException]. The call runs until it completes on
 * its thread, and its response or exception is discarded. It still counts as a running call:
 * closing the plugin waits for it. If the coroutine is cancelled while the call waits for a free
 * thread, the call isn't made. If the handler checks for cancellation, use `await` with
 * [CallOptions], which notifies it.
 *
 * [Dispatchers.IO] has 64 threads for all blocking work. For a plugin that needs another limit,
 * pass its own `Dispatchers.IO.limitedParallelism(n)`. A leaf method needs none of this, and is
 * best called directly.
 *
 * @param json the request
 * @param dispatcher runs the call on one of its threads
 * @return the response
 * @throws PluginException if the call fails
 * @throws IllegalStateException if the method's encoding isn't JSON
 */
public suspend fun Method.await(
    json: String,
    dispatcher: CoroutineDispatcher = Dispatchers.IO,
): String = if (isAsync) await(json, CallOptions.defaults()) else offload(dispatcher) { call(json) }

/**
 * Calls a method by name with JSON text, like [Method.await].
 *
 * @param method the method's name
 * @param json the request
 * @param dispatcher runs the call on one of its threads
 * @return the response
 * @throws PluginException if the call fails
 */
public suspend fun Plugin.await(
    method: String,
    json: String,
    dispatcher: CoroutineDispatcher = Dispatchers.IO,
): String = method(method).await(json, dispatcher)

/**
 * Calls the method with bytes in its encoding, like [Method.await] with text. The request must not
 * be changed before the call has completed, which may be after this function has returned if the
 * coroutine was cancelled.
 *
 * @param request the request
 * @param dispatcher runs the call on one of its threads
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
 * Calls a method by name with bytes, like [Method.awaitRawBytes].
 *
 * @param method the method's name
 * @param request the request
 * @param dispatcher runs the call on one of its threads
 * @return the response, a new array
 * @throws PluginException if the call fails
 */
public suspend fun Plugin.awaitRawBytes(
    method: String,
    request: ByteArray,
    dispatcher: CoroutineDispatcher = Dispatchers.IO,
): ByteArray = offload(dispatcher) { callRawBytes(method, request) }

/**
 * Calls the method with bytes, like [Method.awaitRawBytes], but leaves the response in the plugin's
 * memory. A response that arrives after the coroutine was cancelled is closed.
 *
 * @param request the request
 * @param dispatcher runs the call on one of its threads
 * @return the response; the caller must close it, preferably with `use`
 * @throws PluginException if the call fails
 */
public suspend fun Method.awaitRawZeroCopy(
    request: ByteArray,
    dispatcher: CoroutineDispatcher = Dispatchers.IO,
): RawResponse = offload(dispatcher, RawResponse::close) { callRawZeroCopy(request) }

/**
 * Calls a method by name with bytes and leaves the response in the plugin's memory, like
 * [Method.awaitRawZeroCopy].
 *
 * @param method the method's name
 * @param request the request
 * @param dispatcher runs the call on one of its threads
 * @return the response; the caller must close it, preferably with `use`
 * @throws PluginException if the call fails
 */
public suspend fun Plugin.awaitRawZeroCopy(
    method: String,
    request: ByteArray,
    dispatcher: CoroutineDispatcher = Dispatchers.IO,
): RawResponse = offload(dispatcher, RawResponse::close) { callRawZeroCopy(method, request) }

/**
 * Closes an instance without blocking the caller's thread. If the coroutine is cancelled, it
 * resumes immediately, and closing continues on its own thread.
 *
 * @param timeout how long to wait for running calls
 * @param dispatcher waits on one of its threads
 * @throws PluginException with `DEADLINE_EXCEEDED` if calls are still running; the instance keeps
 *   closing
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
