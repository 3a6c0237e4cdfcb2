package io.github.rustbridge.kotlin

import io.github.rustbridge.Encoding
import io.github.rustbridge.PluginException
import io.github.rustbridge.Status
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import org.junit.jupiter.api.Test

class TypedTest {
    private val ada = Greeting("Hello, Ada! Welcome to rustbridge.")

    @Test
    fun `objects go in and come out`() {
        hello().use { plugin ->
            assertEquals(ada, plugin.call<Greet, Greeting>("greet", Greet("Ada")))
            val inferred: Greeting = plugin.call("greet", Greet("Ada"))
            assertEquals(ada, inferred)
            val greet = plugin.method("greet")
            assertEquals(ada, greet.call<Greet, Greeting>(Greet("Ada")))
            assertEquals(ada, plugin.typedMethod<Greet, Greeting>("greet").call(Greet("Ada")))
        }
    }

    @Test
    fun `a method that takes nothing needs no request`() {
        conformance().use { plugin ->
            assertEquals("kotlin", plugin.call<JsonObject>("state.config").label())
            val inferred: JsonObject = plugin.call("state.config")
            assertEquals("kotlin", inferred.label())
        }
    }

    private fun JsonObject.label(): String? = (get("label") as? JsonPrimitive)?.content

    @Test
    fun `the suspending twins do the same`() = runBlocking {
        hello().use { plugin ->
            assertEquals(ada, plugin.await<Greet, Greeting>("greet", Greet("Ada")))
            val inferred: Greeting = plugin.await("greet", Greet("Ada"))
            assertEquals(ada, inferred)
            val greet = plugin.method("greet")
            assertEquals(ada, greet.await<Greet, Greeting>(Greet("Ada")))
            assertEquals(ada, plugin.typedMethod<Greet, Greeting>("greet").await(Greet("Ada")))
        }
    }

    @Test
    fun `text stays text and is no JSON string`() = runBlocking {
        hello().use { plugin ->
            val answer = """{"message":"größer","length":8}"""
            assertEquals(answer, plugin.call("echo", """{"message":"größer"}"""))
            assertEquals(answer, plugin.await("echo", """{"message":"größer"}"""))
            assertEquals(answer, plugin.method("echo").await("""{"message":"größer"}"""))
        }
    }

    @Test
    fun `generic types and elements of JSON are fine`() {
        conformance().use { plugin ->
            val lists = mapOf("a" to listOf(1, 2), "b" to listOf())
            assertEquals(
                lists,
                plugin.call<Map<String, List<Int>>, Map<String, List<Int>>>("types.value", lists),
            )
            val element = JsonObject(mapOf("größe" to JsonPrimitive(1.5)))
            assertEquals(element, plugin.call<JsonElement, JsonElement>("types.value", element))
            assertEquals(null, plugin.call<String?, String?>("types.value", null))
        }
    }

    @Serializable data class WithDefault(val a: Int = 1, val b: Int = 2)

    @Serializable data class OnlyA(val a: Int)

    @Test
    fun `default values are sent, and unknown members are ignored`() {
        conformance().use { plugin ->
            assertEquals(
                """{"a":1,"b":2}""",
                plugin.call<WithDefault, JsonObject>("types.value", WithDefault()).toString(),
            )
            assertEquals(OnlyA(1), plugin.call<WithDefault, OnlyA>("types.value", WithDefault()))
        }
    }

    @Test
    fun `another Json can be chosen`() {
        conformance().use { plugin ->
            assertEquals(
                "{}",
                plugin.call<WithDefault, JsonObject>("types.value", WithDefault(), Json).toString(),
            )
            assertFailsWith<SerializationException> {
                plugin.call<WithDefault, OnlyA>("types.value", WithDefault(3, 4), Json)
            }
        }
    }

    @Test
    fun `an answer of another shape is a SerializationException, and the plugin's failure is not`() {
        hello().use { plugin ->
            assertFailsWith<SerializationException> {
                plugin.call<Greet, Sum>("greet", Greet("Ada"))
            }
            val failure =
                assertFailsWith<PluginException> {
                    plugin.call<Greet, Sum>("math.add", Greet("Ada"))
                }
            assertEquals(Status.INVALID_ARGUMENT, failure.status)
        }
    }

    @Test
    fun `a request that can't be written is a SerializationException`() {
        hello().use { plugin ->
            assertFailsWith<SerializationException> {
                plugin.call<Double, Sum>("math.add", Double.NaN)
            }
        }
    }

    @Test
    fun `a method in another encoding takes no objects`() {
        hello().use { plugin ->
            val pod = plugin.method("math.add", Encoding.POD)
            assertFailsWith<IllegalStateException> { pod.call<Add, Sum>(Add(1, 2)) }
        }
    }
}
