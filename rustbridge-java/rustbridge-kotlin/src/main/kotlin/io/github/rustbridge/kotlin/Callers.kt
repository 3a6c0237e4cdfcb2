package io.github.rustbridge.kotlin

import io.github.rustbridge.CallOptions
import io.github.rustbridge.ContextSnapshot
import io.github.rustbridge.ServiceCall
import java.util.concurrent.Callable
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.CoroutineExceptionHandler
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Job
import kotlinx.coroutines.ThreadContextElement
import kotlinx.coroutines.launch

/** The elements of the caller's coroutine context, on a thread that calls or runs a service. */
private val callers = ThreadLocal<CoroutineContext>()

/** The elements of a caller's context that its services have: not its job, nor its dispatcher. */
private fun CoroutineContext.passedOn(): CoroutineContext =
    minusKey(Job).minusKey(ContinuationInterceptor)

/** The elements that a service on this thread has from its caller. */
internal fun callersElements(): CoroutineContext = callers.get() ?: EmptyCoroutineContext

/**
 * Runs what calls a plugin in a coroutine on this thread, so that its services have the elements.
 */
internal fun <R> calledFrom(context: CoroutineContext, call: () -> R): R {
    val elements = context.passedOn()
    return if (elements === EmptyCoroutineContext) call() else withElements(elements, call)
}

private fun <R> withElements(elements: CoroutineContext, call: () -> R): R {
    val outer = callers.get()
    callers.set(elements)
    try {
        return call()
    } finally {
        if (outer == null) callers.remove() else callers.set(outer)
    }
}

/** Has the services of a call of a coroutine run with the elements of its context. */
internal fun CallOptions.calledFrom(context: CoroutineContext): CallOptions {
    val elements = context.passedOn()
    return if (elements === EmptyCoroutineContext) this
    else withContextPropagation { Elements(elements) }
}

/** The same for a call that [calledFrom] with the context will begin. */
internal fun CallOptions.calledFromThread(): CallOptions = withContextPropagation {
    callers.get()?.let(::Elements)
}

/**
 * Runs services with the elements of a coroutine's context, including the elements that are bound
 * to a thread.
 */
private class Elements(private val elements: CoroutineContext) : ContextSnapshot {
    override fun wrap(function: Callable<Any?>): Callable<Any?> = Callable {
        var result: Result<Any?>? = null
        // An element of the thread may throw before the function runs.
        val failed = CoroutineExceptionHandler { _, error -> result = Result.failure(error) }
        // It doesn't suspend, so it has ended when this returns.
        CoroutineScope(elements + failed).launch(start = CoroutineStart.UNDISPATCHED) {
            result = runCatching { withElements(elements, function::call) }
        }
        checkNotNull(result) { "the service hasn't run" }.getOrThrow()
    }
}

/** Keeps [ServiceCall.current] when a service's coroutine changes its thread. */
internal class CurrentServiceCall(private val call: ServiceCall) :
    AbstractCoroutineContextElement(Key), ThreadContextElement<ServiceCall.Scope> {
    companion object Key : CoroutineContext.Key<CurrentServiceCall>

    override fun updateThreadContext(context: CoroutineContext): ServiceCall.Scope =
        call.makeCurrent()

    override fun restoreThreadContext(context: CoroutineContext, oldState: ServiceCall.Scope) {
        oldState.close()
    }
}
