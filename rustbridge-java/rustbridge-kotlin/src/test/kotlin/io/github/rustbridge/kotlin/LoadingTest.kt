package io.github.rustbridge.kotlin

import io.github.rustbridge.Encoding
import io.github.rustbridge.JsonCodec
import io.github.rustbridge.LogLevel
import io.github.rustbridge.LogRecord
import io.github.rustbridge.PluginException
import io.github.rustbridge.State
import io.github.rustbridge.Status
import java.lang.reflect.Type
import java.nio.file.Files
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertNotNull
import kotlin.test.assertNull
import kotlin.test.assertTrue
import kotlin.time.Duration.Companion.seconds
import kotlinx.serialization.json.add
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonArray
import org.junit.jupiter.api.Test

class LoadingTest {
    @Test
    fun `without a block everything is as the plugin has it`() {
        loadPlugin(pluginPath("hello_plugin")).use { plugin ->
            assertEquals("hello", plugin.name)
            assertEquals(State.ACTIVE, plugin.state)
            assertTrue(plugin.backend in setOf("ffm", "jni"))
            assertEquals("hello", plugin.description.name)
            val greet = plugin.method("greet")
            assertEquals("greet", greet.name)
            assertEquals(Encoding.JSON, greet.encoding)
            assertEquals(plugin, greet.plugin)
        }
    }

    @Test
    fun `a configuration is built, serialized or given as text`() {
        val create = CreateUser("ada", "ada@example.com")
        val configured =
            listOf<PluginOptions.() -> Unit>(
                { config { put("first_user", 100) } },
                { config(HelloConfig(100)) },
                { configJson("""{"first_user":100}""") },
            )
        for (configure in configured) {
            hello(configure).use { plugin ->
                assertEquals(
                    "user-00000064",
                    plugin.call<CreateUser, CreatedUser>("user.create", create).userId,
                )
            }
        }
        conformance {
            config {
                put("label", "built")
                putJsonArray("tags") { add("größer") }
            }
        }
            .use { plugin ->
                assertEquals(
                    Conformance("built", null, listOf("größer")),
                    plugin.call<String?, Conformance>("state.config", null),
                )
            }
    }

    @Test
    fun `a refused configuration says why`() {
        val failure =
            assertFailsWith<PluginException> {
                conformance { config(Conformance("refuse")) }.close()
            }
        assertEquals("CreateError.Refused", failure.type)
        assertEquals("refuse", failure.detail<String>("label"))
        assertNull(failure.detail<Long>("label"))
        assertNull(failure.detail<String>("nothing"))
        assertEquals(setOf("label"), failure.details.keys)
    }

    @Test
    fun `records go to the listener, up to the level`() {
        val records = CopyOnWriteArrayList<LogRecord>()
        val plugin = hello {
            name = "listened"
            logLevel = LogLevel.DEBUG
            onLog { record -> records += record }
        }
        plugin.use {
            assertEquals("listened", it.name)
            assertEquals(LogLevel.DEBUG, it.logLevel)
            it.call<CreateUser, CreatedUser>("user.create", CreateUser("ada", "ada@example.com"))
            it.flushLogs(10.seconds)
            val record = records.single { record -> record.message == "user created" }
            assertEquals("listened", record.instance)
            assertEquals(LogLevel.DEBUG, record.level)
            assertEquals("ada", record.fields["username"])
            it.logLevel = LogLevel.ERROR
            records.clear()
            it.call<CreateUser, CreatedUser>("user.create", CreateUser("bob", "bob@example.com"))
            it.flushLogs(10.seconds)
            assertEquals(listOf<LogRecord>(), records.toList())
        }
    }

    @Test
    fun `records go to the logger that is given`() {
        val lines = CopyOnWriteArrayList<String>()
        val logger =
            object : System.Logger {
                override fun getName() = "given"

                override fun isLoggable(level: System.Logger.Level) = true

                override fun log(level: System.Logger.Level, message: String?) {
                    lines += "$level $message"
                }

                override fun log(
                    level: System.Logger.Level,
                    bundle: java.util.ResourceBundle?,
                    message: String?,
                    thrown: Throwable?,
                ) = log(level, message)

                override fun log(
                    level: System.Logger.Level,
                    bundle: java.util.ResourceBundle?,
                    format: String?,
                    vararg params: Any?,
                ) = log(level, format)
            }
        hello {
            this.logger = logger
            logLevel = LogLevel.DEBUG
        }
            .use { plugin ->
                plugin.call<CreateUser, CreatedUser>(
                    "user.create",
                    CreateUser("ada", "ada@example.com"),
                )
                plugin.flushLogs(10.seconds)
            }
        assertTrue(lines.any { it.startsWith("DEBUG") && "user created" in it }, lines.toString())
    }

    @Test
    fun `a panic poisons if that is asked for, and has a backtrace if that is`() {
        conformance {
            poisonOnPanic()
            backtraces()
        }
            .use { plugin ->
                val panic =
                    assertFailsWith<PluginException> {
                        plugin.call("panic.now", """{"message":"ouch"}""")
                    }
                assertEquals(Status.INTERNAL, panic.status)
                assertNotNull(panic.backtrace)
                assertEquals(State.POISONED, plugin.state)
            }
        conformance().use { plugin ->
            val panic =
                assertFailsWith<PluginException> {
                    plugin.call("panic.now", """{"message":"ouch"}""")
                }
            assertNull(panic.backtrace)
            assertEquals(State.ACTIVE, plugin.state)
        }
    }

    @Test
    fun `an own copy and the library's bytes work too`() {
        hello { ownCopy() }
            .use { assertEquals("3", it.call<Add, Sum>("math.add", Add(1, 2)).result.toString()) }
        loadPlugin(Files.readAllBytes(pluginPath("hello_plugin"))) { name = "bytes" }
            .use { assertEquals("bytes", it.name) }
    }

    @Test
    fun `a resource that isn't there is refused`() {
        val failure = runCatching {
            loadPluginResource(LoadingTest::class, "no-such-plugin.so").close()
        }
        assertTrue("no-such-plugin.so" in failure.exceptionOrNull()?.message.orEmpty(), "$failure")
    }

    @Test
    fun `a codec serves the Java calls`() {
        val codec =
            object : JsonCodec {
                override fun encode(value: Any?) = """{"name":"$value"}""".encodeToByteArray()

                override fun decode(json: ByteArray, type: Type): Any = json.decodeToString()
            }
        hello { this.codec = codec }
            .use { plugin ->
                val answer = plugin.call("greet", "Ada" as Any, String::class.java)
                assertEquals("""{"greeting":"Hello, Ada! Welcome to rustbridge."}""", answer)
            }
    }

    @Test
    fun `closing takes Kotlin's durations`() {
        val plugin = hello()
        plugin.close(5.seconds)
        plugin.close(5.seconds)
        assertEquals(State.CLOSED, plugin.state)
        hello().close(kotlin.time.Duration.INFINITE)
    }
}
