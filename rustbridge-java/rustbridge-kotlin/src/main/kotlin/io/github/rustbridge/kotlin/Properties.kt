package io.github.rustbridge.kotlin

import io.github.rustbridge.Encoding
import io.github.rustbridge.LogLevel
import io.github.rustbridge.Metadata
import io.github.rustbridge.Method
import io.github.rustbridge.Plugin
import io.github.rustbridge.PluginDescription
import io.github.rustbridge.PluginException
import io.github.rustbridge.RawResponse
import io.github.rustbridge.State
import io.github.rustbridge.Status
import kotlin.jvm.optionals.getOrNull
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/** The instance's name. */
public val Plugin.name: String
    get() = name()

/** The instance's state. */
public val Plugin.state: State
    get() = state()

/** The name of the backend that makes the calls: `ffm` or `jni`. */
public val Plugin.backend: String
    get() = backend()

/** The most verbose level that is logged. Setting it takes effect immediately. */
public var Plugin.logLevel: LogLevel
    get() = logLevel()
    set(level) = setLogLevel(level)

/** The plugin's description. */
public val Plugin.description: PluginDescription
    get() = describe()

/**
 * Closes the instance, like [Plugin.close] with a Java duration.
 *
 * @param timeout how long to wait for running calls
 * @throws PluginException with [Status.DEADLINE_EXCEEDED] if calls are still running; the instance
 *   keeps closing
 */
public fun Plugin.close(timeout: Duration): Unit = close(timeout.toJavaDuration())

/**
 * Waits until the records that were logged before this call are delivered.
 *
 * @param timeout how long to wait
 * @throws PluginException with [Status.DEADLINE_EXCEEDED] if they aren't delivered in time
 */
public fun Plugin.flushLogs(timeout: Duration): Unit = flushLogs(timeout.toJavaDuration())

/** The method's name, or its number in decimal if it was resolved by number. */
public val Method.name: String
    get() = name()

/** The encoding of the method's calls. */
public val Method.encoding: Encoding
    get() = encoding()

/** The instance that the method belongs to. */
public val Method.plugin: Plugin
    get() = plugin()

/** The number of bytes. */
public val RawResponse.length: Long
    get() = length()

/** The initial metadata that arrived before the call failed, if the call's options requested it. */
public val PluginException.headers: Metadata
    get() = headers()

/** The status of the call. */
public val PluginException.status: Status
    get() = status()

/**
 * The trailing metadata, which the plugin sends with the error. It's available if the call has
 * options with any data, or returns a `Reply`.
 */
public val PluginException.trailers: Metadata
    get() = trailers()

/**
 * The name of the error type in the plugin, e.g. `MathError.Overflow`, or `panic`; empty if the
 * error has no type.
 */
public val PluginException.type: String
    get() = type()

/** The error's data other than its message, as JSON values. */
public val PluginException.details: Map<String, Any?>
    get() = details()

/** The Rust backtrace of a panic, if [PluginOptions.backtraces] requested it. */
public val PluginException.backtrace: String?
    get() = backtrace().getOrNull()

/**
 * Returns one of the error's details.
 *
 * ```
 * val wait = failure.detail<Long>("retry_after_ms") ?: 1000
 * ```
 *
 * @param name the detail's name
 * @param T the detail's type: [String], [Long], [Double], [Boolean], [List], [Map] or
 *   [java.math.BigInteger]
 * @return the detail, or null if there is no such detail, or it has another type
 */
public inline fun <reified T : Any> PluginException.detail(name: String): T? = details()[name] as? T
