package io.github.rustbridge.kotlin

import io.github.rustbridge.Plugin
import java.nio.file.Path
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** Finds a plugin of the workspace, built in release mode. */
fun pluginPath(library: String): Path =
    Path.of(
        System.getenv("RUSTBRIDGE_PLUGIN_DIR") ?: "../../target/release",
        System.mapLibraryName(library),
    )

fun hello(configure: PluginOptions.() -> Unit = {}): Plugin =
    loadPlugin(pluginPath("hello_plugin"), configure)

fun conformance(configure: PluginOptions.() -> Unit = {}): Plugin =
    loadPlugin(pluginPath("conformance_plugin")) {
        config(Conformance("kotlin"))
        configure()
    }

fun operations(configure: PluginOptions.() -> Unit = {}): Plugin =
    loadPlugin(pluginPath("operations_plugin"), configure)

@Serializable data class HelloConfig(@SerialName("first_user") val firstUser: Int)

@Serializable data class Greet(val name: String)

@Serializable data class Greeting(val greeting: String)

@Serializable data class Add(val a: Long, val b: Long)

@Serializable data class Sum(val result: Long)

@Serializable data class CreateUser(val username: String, val email: String)

@Serializable data class CreatedUser(@SerialName("user_id") val userId: String)

@Serializable data class Sleep(@SerialName("duration_ms") val durationMs: Long)

@Serializable data class Slept(@SerialName("slept_ms") val sleptMs: Long)

@Serializable
data class Conformance(
    val label: String,
    val limit: Int? = null,
    val tags: List<String> = listOf(),
)
