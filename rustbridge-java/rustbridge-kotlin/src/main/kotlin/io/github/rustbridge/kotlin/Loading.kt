package io.github.rustbridge.kotlin

import io.github.rustbridge.ContextPropagation
import io.github.rustbridge.JsonCodec
import io.github.rustbridge.LogLevel
import io.github.rustbridge.LogRecord
import io.github.rustbridge.Plugin
import io.github.rustbridge.PluginConfig
import io.github.rustbridge.PluginException
import java.nio.file.Path
import kotlin.reflect.KClass
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.buildJsonObject

/**
 * Loads a plugin from a file and creates an instance of it.
 *
 * ```
 * val plugin = loadPlugin(Path("libhello.so")) {
 *   name = "a"
 *   logLevel = LogLevel.DEBUG
 *   config { put("first_user", 100) }
 *   onLog { record -> println("${record.level}: ${record.message}") }
 * }
 * ```
 *
 * @param path the plugin's library
 * @param configure sets the options; the defaults are those of [Plugin.load]
 * @return the instance; the caller must close it, preferably with `use`
 * @throws PluginException if it can't be loaded; its status is the reason
 */
public fun loadPlugin(path: Path, configure: PluginOptions.() -> Unit = {}): Plugin =
    Plugin.load(path, PluginOptions().apply(configure).toConfig())

/**
 * Loads a plugin from the bytes of its library, like [loadPlugin] from a file.
 *
 * @param image the bytes of the library
 * @param configure sets the options
 * @return the instance; the caller must close it
 * @throws PluginException if it can't be loaded; its status is the reason
 */
public fun loadPlugin(image: ByteArray, configure: PluginOptions.() -> Unit = {}): Plugin =
    Plugin.load(image, PluginOptions().apply(configure).toConfig())

/**
 * Loads a plugin from a resource of a class, like [loadPlugin] from a file.
 *
 * @param anchor the class whose loader, module and package find the resource
 * @param resource the resource's name, as [Class.getResourceAsStream] accepts it
 * @param configure sets the options
 * @return the instance; the caller must close it
 * @throws PluginException if it can't be loaded; its status is the reason
 */
public fun loadPluginResource(
    anchor: KClass<*>,
    resource: String,
    configure: PluginOptions.() -> Unit = {},
): Plugin = Plugin.loadResource(anchor.java, resource, PluginOptions().apply(configure).toConfig())

/**
 * Marks the configuration DSL, so that its functions can't be called by accident from inside
 * another DSL.
 */
@DslMarker @Target(AnnotationTarget.CLASS) public annotation class PluginDsl

/**
 * The options for loading a plugin, like [PluginConfig] in Java. [loadPlugin] creates them and
 * passes them to its block.
 *
 * Options that aren't set have the values of [PluginConfig.defaults].
 */
@PluginDsl
public class PluginOptions internal constructor() {
    /** The instance's name, which messages and loggers use; by default the plugin's own name. */
    public var name: String? = null

    /** The most verbose level that is logged; by default the level that the logger accepts. */
    public var logLevel: LogLevel? = null

    /** How many records may wait for the logger or listener; by default 4,096. */
    public var logCapacity: Int? = null

    /**
     * How many threads the plugin may use at once for synchronous handlers that are offloaded or
     * wait for the items of a stream, and the library for services that the plugin awaits; by
     * default 512. Further handlers and services wait.
     */
    public var threads: Int? = null

    /**
     * The logger that receives all records, instead of the loggers
     * `rustbridge.<instance>.<target>`.
     */
    public var logger: System.Logger? = null

    /**
     * Returns the logger for a name, in place of [System.getLogger]; see [PluginConfig.loggers].
     */
    public var loggers: ((String) -> System.Logger)? = null

    /**
     * The codec of [Plugin]'s own calls with objects. The functions of this package always use
     * kotlinx.serialization.
     */
    public var codec: JsonCodec? = null

    /**
     * Captures the context of each call, such as a logging context, for the services that the
     * plugin calls for it. It isn't needed for the elements of a coroutine's context.
     */
    public var contextPropagation: ContextPropagation? = null

    private var config: String? = null
    private var listener: ((LogRecord) -> Unit)? = null
    private var poison = false
    private var backtrace = false
    private var copy = false

    /**
     * Sets the plugin's configuration to an object that is built member by member.
     *
     * @param build adds the members; `put` is a function of `kotlinx.serialization.json`
     */
    public fun config(build: JsonObjectBuilder.() -> Unit) {
        configJson(buildJsonObject(build).toString())
    }

    /**
     * Sets the plugin's configuration to an object.
     *
     * @param value the value, which is written as a JSON object
     * @param json writes the value
     * @throws SerializationException if the value can't be written
     */
    public inline fun <reified T> config(value: T, json: Json = PluginJson) {
        configJson(json.encodeToString(value))
    }

    /**
     * Sets the plugin's configuration to a JSON text.
     *
     * @param text a JSON object
     */
    public fun configJson(text: String) {
        config = text
    }

    /**
     * Sends all records to a listener instead of loggers, with their fields and spans as values.
     *
     * Unless [logLevel] is set, the level is [LogLevel.INFO]. An exception that the listener throws
     * is logged, and doesn't affect any call.
     *
     * @param listener receives the records one at a time, on one of the core's threads
     */
    public fun onLog(listener: (LogRecord) -> Unit) {
        this.listener = listener
    }

    /**
     * Makes the instance refuse further calls after a panic. By default, it continues to accept
     * calls.
     */
    public fun poisonOnPanic() {
        poison = true
    }

    /** Includes the Rust backtrace of a panic in [PluginException.backtrace]. */
    public fun backtraces() {
        backtrace = true
    }

    /**
     * Maps the library a second time, for this instance alone. Use it for plugins with global
     * state. The mapping stays until the process ends.
     */
    public fun ownCopy() {
        copy = true
    }

    internal fun toConfig(): PluginConfig {
        var made = config?.let(PluginConfig::json) ?: PluginConfig.defaults()
        name?.let { made = made.named(it) }
        logLevel?.let { made = made.logLevel(it) }
        logCapacity?.let { made = made.logCapacity(it) }
        threads?.let { made = made.threads(it) }
        loggers?.let { made = made.loggers(it) }
        logger?.let { made = made.logger(it) }
        codec?.let { made = made.codec(it) }
        contextPropagation?.let { made = made.contextPropagation(it) }
        listener?.let { made = made.logListener(it) }
        if (poison) made = made.poisonOnPanic()
        if (backtrace) made = made.backtraces()
        if (copy) made = made.ownCopy()
        return made
    }
}
