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

/** What the instance is doing. */
public val Plugin.state: State
    get() = state()

/** The backend that runs it: `ffm` or `jni`. */
public val Plugin.backend: String
    get() = backend()

/** The level up to which records are made. Setting it takes effect at once. */
public var Plugin.logLevel: LogLevel
    get() = logLevel()
    set(level) = setLogLevel(level)

/** What the plugin says of itself. */
public val Plugin.description: PluginDescription
    get() = describe()

/**
 * Closes the instance, as [Plugin.close] does with a Java duration.
 *
 * @param timeout how long to wait for running calls
 * @throws PluginException with [Status.DEADLINE_EXCEEDED] if calls still run; the instance stays
 *   closing
 */
public fun Plugin.close(timeout: Duration): Unit = close(timeout.toJavaDuration())

/**
 * Waits until the records logged before this call have been delivered.
 *
 * @param timeout how long to wait
 * @throws PluginException with [Status.DEADLINE_EXCEEDED] if they haven't been by then
 */
public fun Plugin.flushLogs(timeout: Duration): Unit = flushLogs(timeout.toJavaDuration())

/** The method's name, or its number in decimal. */
public val Method.name: String
    get() = name()

/** The encoding it was prepared in. */
public val Method.encoding: Encoding
    get() = encoding()

/** The instance it belongs to. */
public val Method.plugin: Plugin
    get() = plugin()

/** How many bytes there are. */
public val RawResponse.length: Long
    get() = length()

/** The headers that came before it failed, if the call's options asked for them. */
public val PluginException.headers: Metadata
    get() = headers()

/** How the call ended. */
public val PluginException.status: Status
    get() = status()

/** The trailers that were added to its error, if the call had options or was to give a reply. */
public val PluginException.trailers: Metadata
    get() = trailers()

/**
 * The error's type in the plugin, e.g. `MathError.Overflow`, or `panic`; empty if the plugin names
 * none.
 */
public val PluginException.type: String
    get() = type()

/** What the error carries besides its message, as values of JSON. */
public val PluginException.details: Map<String, Any?>
    get() = details()

/** The Rust backtrace of a panic, if [PluginOptions.backtraces] asked for it. */
public val PluginException.backtrace: String?
    get() = backtrace().getOrNull()

/**
 * Gives one of the error's details.
 *
 * ```
 * val wait = failure.detail<Long>("retry_after_ms") ?: 1000
 * ```
 *
 * @param name the detail's name
 * @param T what to take it for: [String], [Long], [Double], [Boolean], [List], [Map] or
 *   [java.math.BigInteger]
 * @return the detail, or null if there is none, or none of that type
 */
public inline fun <reified T : Any> PluginException.detail(name: String): T? = details()[name] as? T
