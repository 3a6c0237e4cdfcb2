package io.github.rustbridge.kotlin

import io.github.rustbridge.CallOptions
import io.github.rustbridge.Method
import io.github.rustbridge.Plugin
import io.github.rustbridge.PluginException
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import kotlinx.serialization.serializer

/**
 * How the typed calls write and read JSON unless they are told otherwise.
 *
 * Members that have their default value are written, because what a Kotlin class takes for the
 * default needn't be the plugin's. Members that a class doesn't know are ignored, so a plugin may
 * add some, as serde does on the other side.
 */
public val PluginJson: Json = Json {
    encodeDefaults = true
    ignoreUnknownKeys = true
}

/**
 * Calls with an object and gives an object, by JSON and kotlinx.serialization.
 *
 * ```
 * val greeting = plugin.call<Greet, Greeting>("greet", Greet("Ada"))
 * ```
 *
 * What goes wrong on either side can be told apart: the plugin's failures are [PluginException]; a
 * request that can't be written and an answer that isn't an [R] are [SerializationException],
 * passed on as kotlinx.serialization throws it.
 *
 * @param method the method's name
 * @param request what to send
 * @param json how to write and read
 * @param T the request's type; must be serializable
 * @param R the response's type; must be serializable
 * @return the answer
 * @throws PluginException if the call fails
 * @throws SerializationException if the request can't be written or the answer can't be read
 */
public inline fun <reified T, reified R> Plugin.call(
    method: String,
    request: T,
    json: Json = PluginJson,
): R = json.decodeFromString<R>(call(method, json.encodeToString(request)))

/**
 * Calls a method that takes nothing, and gives an object.
 *
 * ```
 * val config = plugin.call<Settings>("state.config")
 * ```
 *
 * @param method the method's name
 * @param json how to read
 * @param R the response's type; must be serializable
 * @return the answer
 * @throws PluginException if the call fails
 * @throws SerializationException if the answer can't be read
 */
public inline fun <reified R> Plugin.call(method: String, json: Json = PluginJson): R =
    json.decodeFromString<R>(call(method, NOTHING))

/** The request of a method that takes nothing. */
@PublishedApi internal const val NOTHING: String = "null"

/**
 * Calls with an object and gives an object, as [Plugin.call] with the method's name does.
 *
 * @param request what to send
 * @param json how to write and read
 * @param T the request's type; must be serializable
 * @param R the response's type; must be serializable
 * @return the answer
 * @throws PluginException if the call fails
 * @throws SerializationException if the request can't be written or the answer can't be read
 * @throws IllegalStateException if the method's encoding isn't JSON
 */
public inline fun <reified T, reified R> Method.call(request: T, json: Json = PluginJson): R =
    json.decodeFromString<R>(call(json.encodeToString(request)))

/**
 * Calls with an object and gives an object, without blocking the caller's thread. Cancellation is
 * as [Method.await] has it.
 *
 * @param method the method's name
 * @param request what to send
 * @param json how to write and read
 * @param dispatcher on whose thread the call runs
 * @param T the request's type; must be serializable
 * @param R the response's type; must be serializable
 * @return the answer
 * @throws PluginException if the call fails
 * @throws SerializationException if the request can't be written or the answer can't be read
 */
public suspend inline fun <reified T, reified R> Plugin.await(
    method: String,
    request: T,
    json: Json = PluginJson,
    dispatcher: CoroutineDispatcher = Dispatchers.IO,
): R = method(method).await<T, R>(request, json, dispatcher)

/**
 * Calls with an object and gives an object, without blocking the caller's thread. Cancellation is
 * as [Method.await] with text has it.
 *
 * @param request what to send
 * @param json how to write and read
 * @param dispatcher on whose thread the call runs
 * @param T the request's type; must be serializable
 * @param R the response's type; must be serializable
 * @return the answer
 * @throws PluginException if the call fails
 * @throws SerializationException if the request can't be written or the answer can't be read
 * @throws IllegalStateException if the method's encoding isn't JSON
 */
public suspend inline fun <reified T, reified R> Method.await(
    request: T,
    json: Json = PluginJson,
    dispatcher: CoroutineDispatcher = Dispatchers.IO,
): R =
    if (isAsync) await<T, R>(request, CallOptions.defaults(), json)
    else offload(dispatcher) { json.decodeFromString<R>(call(json.encodeToString(request))) }

/**
 * Prepares a method together with how its request is written and its answer read: what a hot loop
 * with objects uses.
 *
 * @param name the method's name
 * @param json how to write and read
 * @param T the request's type; must be serializable
 * @param R the response's type; must be serializable
 * @return the method
 * @throws PluginException if there is no such method, or it has no JSON
 */
public inline fun <reified T, reified R> Plugin.typedMethod(
    name: String,
    json: Json = PluginJson,
): TypedMethod<T, R> = TypedMethod(method(name), json)

/**
 * Makes a [TypedMethod] of a method prepared in JSON.
 *
 * @param method the method
 * @param json how to write and read
 * @param T the request's type; must be serializable
 * @param R the response's type; must be serializable
 * @return the method with its types
 */
public inline fun <reified T, reified R> TypedMethod(
    method: Method,
    json: Json = PluginJson,
): TypedMethod<T, R> {
    val module = json.serializersModule
    return TypedMethod(method, module.serializer<T>(), module.serializer<R>(), json)
}

/**
 * A [Method] that takes and gives objects, by JSON and kotlinx.serialization.
 *
 * As a [Method] it may be used from any number of threads at once.
 *
 * @property method the method
 * @param T the request's type
 * @param R the response's type
 */
public class TypedMethod<T, R>(
    public val method: Method,
    private val request: KSerializer<T>,
    private val response: KSerializer<R>,
    private val json: Json = PluginJson,
) {
    /**
     * Calls the method, on this thread.
     *
     * @param request what to send
     * @return the answer
     * @throws PluginException if the call fails
     * @throws SerializationException if the request can't be written or the answer can't be read
     */
    public fun call(request: T): R {
        val answer = method.call(json.encodeToString(this.request, request))
        return json.decodeFromString(response, answer)
    }

    /**
     * Calls the method without blocking the caller's thread: writing, calling and reading happen on
     * a thread of the dispatcher's. Cancellation is as [Method.await] has it.
     *
     * @param request what to send
     * @param dispatcher on whose thread all that runs
     * @return the answer
     * @throws PluginException if the call fails
     * @throws SerializationException if the request can't be written or the answer can't be read
     */
    public suspend fun await(
        request: T,
        dispatcher: CoroutineDispatcher = Dispatchers.IO,
    ): R =
        if (method.isAsync) await(request, CallOptions.defaults())
        else offload(dispatcher) { call(request) }

    /**
     * Calls the method as [Method.await] with options does: cancelling the coroutine reaches the
     * plugin.
     *
     * @param request what to send
     * @param options what the call carries besides
     * @return the answer
     * @throws PluginException if the call fails
     * @throws SerializationException if the request can't be written or the answer can't be read
     */
    public suspend fun await(request: T, options: CallOptions): R {
        val answer = method.await(json.encodeToString(this.request, request), options)
        return json.decodeFromString(response, answer)
    }

    /** The method with its types left out, for people. */
    override fun toString(): String = "Typed$method"
}
