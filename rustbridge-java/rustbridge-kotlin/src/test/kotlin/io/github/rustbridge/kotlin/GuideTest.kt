package io.github.rustbridge.kotlin

import io.github.rustbridge.LogLevel
import io.github.rustbridge.PluginException
import io.github.rustbridge.State
import io.github.rustbridge.Status
import java.nio.file.Path
import kotlin.io.path.readText
import kotlin.test.assertEquals
import kotlin.test.assertTrue
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.put
import org.junit.jupiter.api.Test

/** The snippets of docs/guide/kotlin.md. Each stands between two comments. */
class GuideTest {
    private val library = pluginPath("hello_plugin")

    // guide
    @Serializable data class Greet(val name: String)

    @Serializable data class Greeting(val greeting: String)

    // end

    @Test
    fun `a plugin is loaded as the guide says`() {
        // guide
        val hello =
            loadPlugin(library) {
                name = "a"
                logLevel = LogLevel.DEBUG
                config { put("first_user", 100) }
                poisonOnPanic()
                onLog { record -> println("${record.level}: ${record.message} ${record.fields}") }
            }
        hello.use {
            val greeting = it.call<Greet, Greeting>("greet", Greet("Ada"))
            println(greeting.greeting)
        }
        // end
        assertEquals("a", hello.name)
        assertEquals(State.CLOSED, hello.state)
    }

    @Test
    fun `methods are called as the guide says`() {
        hello().use { hello ->
            // guide
            val text = hello.call("greet", """{"name":"Ada"}""")
            // end
            assertEquals("""{"greeting":"Hello, Ada! Welcome to rustbridge."}""", text)
            // guide
            val add = hello.typedMethod<Add, Sum>("math.add")
            val sums = (1L..10L).map { add.call(Add(it, it)).result }
            // end
            assertEquals((2L..20L step 2).toList(), sums)
        }
    }

    @Test
    fun `calls suspend as the guide says`() = runBlocking {
        val hello = hello()
        // guide
        val greeting: Greeting = hello.await("greet", Greet("Ada"))
        val answers = List(10) { async { hello.await("greet", """{"name":"Ada"}""") } }.awaitAll()
        // end
        assertTrue(answers.all { greeting.greeting in it })
        // guide
        withTimeoutOrNull(50.milliseconds) { hello.await<Sleep, Slept>("test.sleep", Sleep(500)) }
        hello.close(5.seconds) // no call is running
        // end
        assertEquals(State.CLOSED, hello.state)
    }

    @Test
    fun `errors arrive as the guide says`() {
        hello().use { hello ->
            // guide
            try {
                hello.call<Add, Sum>("math.add", Add(Long.MAX_VALUE, 1))
            } catch (failure: PluginException) {
                when (failure.status) {
                    Status.OUT_OF_RANGE -> println("${failure.type}: ${failure.detail<Long>("a")}")
                    else -> throw failure
                }
            }
            // end
        }
    }

    @Test
    fun `every snippet of the guide is here`() {
        val guide = Path.of(System.getProperty("guide.folder"), "kotlin.md").readText()
        val sources = System.getProperty("guide.sources")
        val here = Path.of(sources, "io/github/rustbridge/kotlin/GuideTest.kt").readText()
        val shown = pieces(guide, "```kotlin\n", "```")
        val tested = pieces(here, "// guide\n", "// end").map(String::trimIndent)
        assertEquals(tested.map(String::trim), shown.map(String::trim))
    }

    private fun pieces(text: String, begin: String, end: String): List<String> =
        text.replace("\r\n", "\n").split(Regex("(?m)^ *" + Regex.escape(begin))).drop(1).map {
            it.split(Regex("(?m)^ *" + Regex.escape(end) + "$")).first()
        }
}
