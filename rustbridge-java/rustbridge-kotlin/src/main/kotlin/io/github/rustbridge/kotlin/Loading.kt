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
 * Loads a plugin from a file and makes an instance of it.
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
 * @param configure how to load it; by default as [Plugin.load] does
 * @return the instance, to be closed, best by `use`
 * @throws PluginException if it can't be loaded; its status says why
 */
public fun loadPlugin(path: Path, configure: PluginOptions.() -> Unit = {}): Plugin =
    Plugin.load(path, PluginOptions().apply(configure).toConfig())

/**
 * Loads a plugin from its library's bytes, as [loadPlugin] does from a file.
 *
 * @param image the library's bytes
 * @param configure how to load it
 * @return the instance, to be closed
 * @throws PluginException if it can't be loaded; its status says why
 */
public fun loadPlugin(image: ByteArray, configure: PluginOptions.() -> Unit = {}): Plugin =
    Plugin.load(image, PluginOptions().apply(configure).toConfig())

/**
 * Loads a plugin that lies as a resource beside a class, as [loadPlugin] does from a file.
 *
 * @param anchor the class whose loader, module and package find the resource
 * @param resource its name, as for [Class.getResourceAsStream]
 * @param configure how to load it
 * @return the instance, to be closed
 * @throws PluginException if it can't be loaded; its status says why
 */
public fun loadPluginResource(
    anchor: KClass<*>,
    resource: String,
    configure: PluginOptions.() -> Unit = {},
): Plugin = Plugin.loadResource(anchor.java, resource, PluginOptions().apply(configure).toConfig())

/**
 * Marks what configures a plugin, so that its functions can't be called by accident from inside
 * another DSL.
 */
@DslMarker @Target(AnnotationTarget.CLASS) public annotation class PluginDsl

/**
 * How to load a plugin: what [PluginConfig] says in Java. [loadPlugin] makes one and hands it to
 * its block.
 *
 * What isn't set is as [PluginConfig.defaults] has it.
 */
@PluginDsl
public class PluginOptions internal constructor() {
    /** What to call the instance in messages and loggers; by default the plugin's own name. */
    public var name: String? = null

    /** The level up to which records are made; by default what the logger lets through. */
    public var logLevel: LogLevel? = null

    /** How many records may wait for the logger or listener; by default 4,096. */
    public var logCapacity: Int? = null

    /**
     * How many plain handlers of the plugin may run on threads of their own at once, and how many
     * services that it awaits; by default 512. What is beyond waits.
     */
    public var threads: Int? = null

    /** Where all records go, instead of to `rustbridge.<instance>.<target>`. */
    public var logger: System.Logger? = null

    /** Returns the logger of a name, in place of [System.getLogger]; see [PluginConfig.loggers]. */
    public var loggers: ((String) -> System.Logger)? = null

    /**
     * The codec of [Plugin]'s own typed calls; those of this package use kotlinx.serialization in
     * any case.
     */
    public var codec: JsonCodec? = null

    /**
     * Captures the context of each call, for the services that the plugin calls for it: a logging
     * context, say. The elements of a coroutine's context need none.
     */
    public var contextPropagation: ContextPropagation? = null

    private var config: String? = null
    private var listener: ((LogRecord) -> Unit)? = null
    private var poison = false
    private var backtrace = false
    private var copy = false

    /**
     * Builds the plugin's configuration member by member.
     *
     * @param build adds the members; `put` is in `kotlinx.serialization.json`
     */
    public fun config(build: JsonObjectBuilder.() -> Unit) {
        configJson(buildJsonObject(build).toString())
    }

    /**
     * Sets the plugin's configuration to an object.
     *
     * @param value what is to become a JSON object
     * @param json how to write it
     * @throws SerializationException if it can't be written
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
     * Hands all records to a listener, with their fields and spans as values, instead of to
     * loggers.
     *
     * Unless [logLevel] says otherwise that is up to [LogLevel.INFO]. What it throws is logged and
     * harms no call.
     *
     * @param listener what takes them, one at a time, on a thread of the core's
     */
    public fun onLog(listener: (LogRecord) -> Unit) {
        this.listener = listener
    }

    /** Makes the instance refuse further calls after a panic. By default it goes on. */
    public fun poisonOnPanic() {
        poison = true
    }

    /** Puts the Rust backtrace of a panic into [PluginException.backtrace]. */
    public fun backtraces() {
        backtrace = true
    }

    /**
     * Maps the library once more for this instance alone, for plugins with global state of their
     * own. Costs a mapping that stays for the life of the process.
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
