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
 * The default format with which calls with serializable values write and read JSON.
 *
 * Members that have their default value are written, because the Kotlin class and the plugin may
 * have different defaults. Members that a class doesn't have are ignored, so a plugin may add
 * members, as in serde on the other side.
 */
public val PluginJson: Json = Json {
    encodeDefaults = true
    ignoreUnknownKeys = true
}

/**
 * Calls a method with a serializable request and response, as JSON with kotlinx.serialization.
 *
 * ```
 * val greeting = plugin.call<Greet, Greeting>("greet", Greet("Ada"))
 * ```
 *
 * Failures of both sides can be distinguished: the plugin's failures are [PluginException]. A
 * request that can't be written, or a response that isn't an [R], throws the
 * [SerializationException] of kotlinx.serialization.
 *
 * @param method the method's name
 * @param request the request
 * @param json writes the request and reads the response
 * @param T the request's type, which must be serializable
 * @param R the response's type, which must be serializable
 * @return the response
 * @throws PluginException if the call fails
 * @throws SerializationException if the request can't be written or the response can't be read
 */
public inline fun <reified T, reified R> Plugin.call(
    method: String,
    request: T,
    json: Json = PluginJson,
): R = json.decodeFromString<R>(call(method, json.encodeToString(request)))

/**
 * Calls a method without parameters, and returns its response.
 *
 * ```
 * val config = plugin.call<Settings>("state.config")
 * ```
 *
 * @param method the method's name
 * @param json reads the response
 * @param R the response's type, which must be serializable
 * @return the response
 * @throws PluginException if the call fails
 * @throws SerializationException if the response can't be read
 */
public inline fun <reified R> Plugin.call(method: String, json: Json = PluginJson): R =
    json.decodeFromString<R>(call(method, NOTHING))

/** The request of a method without parameters. */
@PublishedApi internal const val NOTHING: String = "null"

/**
 * Calls the method with a serializable request and response, like [Plugin.call] with the method's
 * name.
 *
 * @param request the request
 * @param json writes the request and reads the response
 * @param T the request's type, which must be serializable
 * @param R the response's type, which must be serializable
 * @return the response
 * @throws PluginException if the call fails
 * @throws SerializationException if the request can't be written or the response can't be read
 * @throws IllegalStateException if the method's encoding isn't JSON
 */
public inline fun <reified T, reified R> Method.call(request: T, json: Json = PluginJson): R =
    json.decodeFromString<R>(call(json.encodeToString(request)))

/**
 * Calls a method with a serializable request and response, without blocking the caller's thread.
 * Cancellation works as in [Method.await].
 *
 * @param method the method's name
 * @param request the request
 * @param json writes the request and reads the response
 * @param dispatcher runs the call on one of its threads
 * @param T the request's type, which must be serializable
 * @param R the response's type, which must be serializable
 * @return the response
 * @throws PluginException if the call fails
 * @throws SerializationException if the request can't be written or the response can't be read
 */
public suspend inline fun <reified T, reified R> Plugin.await(
    method: String,
    request: T,
    json: Json = PluginJson,
    dispatcher: CoroutineDispatcher = Dispatchers.IO,
): R = method(method).await<T, R>(request, json, dispatcher)

/**
 * Calls the method with a serializable request and response, without blocking the caller's thread.
 * Cancellation works as in [Method.await] with text.
 *
 * @param request the request
 * @param json writes the request and reads the response
 * @param dispatcher runs the call on one of its threads
 * @param T the request's type, which must be serializable
 * @param R the response's type, which must be serializable
 * @return the response
 * @throws PluginException if the call fails
 * @throws SerializationException if the request can't be written or the response can't be read
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
 * Resolves a method together with the serializers of its request and response, for repeated calls.
 *
 * @param name the method's name
 * @param json writes the request and reads the response
 * @param T the request's type, which must be serializable
 * @param R the response's type, which must be serializable
 * @return the method
 * @throws PluginException if there is no such method, or it doesn't support JSON
 */
public inline fun <reified T, reified R> Plugin.typedMethod(
    name: String,
    json: Json = PluginJson,
): TypedMethod<T, R> = TypedMethod(method(name), json)

/**
 * Creates a [TypedMethod] from a method that was resolved in JSON.
 *
 * @param method the method
 * @param json writes the request and reads the response
 * @param T the request's type, which must be serializable
 * @param R the response's type, which must be serializable
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
 * A [Method] with a serializable request and response, as JSON with kotlinx.serialization.
 *
 * Like a [Method], it may be used from any number of threads at once.
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
     * Calls the method on this thread.
     *
     * @param request the request
     * @return the response
     * @throws PluginException if the call fails
     * @throws SerializationException if the request can't be written or the response can't be read
     */
    public fun call(request: T): R {
        val answer = method.call(json.encodeToString(this.request, request))
        return json.decodeFromString(response, answer)
    }

    /**
     * Calls the method without blocking the caller's thread: one of the dispatcher's threads writes
     * the request, calls the method and reads the response. Cancellation works as in
     * [Method.await].
     *
     * @param request the request
     * @param dispatcher runs all of this on one of its threads
     * @return the response
     * @throws PluginException if the call fails
     * @throws SerializationException if the request can't be written or the response can't be read
     */
    public suspend fun await(
        request: T,
        dispatcher: CoroutineDispatcher = Dispatchers.IO,
    ): R =
        if (method.isAsync) await(request, CallOptions.defaults())
        else offload(dispatcher) { call(request) }

    /**
     * Calls the method like [Method.await] with options: cancelling the coroutine cancels the call
     * in the plugin.
     *
     * @param request the request
     * @param options the call options
     * @return the response
     * @throws PluginException if the call fails
     * @throws SerializationException if the request can't be written or the response can't be read
     */
    public suspend fun await(request: T, options: CallOptions): R {
        val answer = method.await(json.encodeToString(this.request, request), options)
        return json.decodeFromString(response, answer)
    }

    /** Returns a text for people, without the types. */
    override fun toString(): String = "Typed$method"
}
