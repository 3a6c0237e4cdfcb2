package io.github.rustbridge.kotlin

import io.github.rustbridge.LogLevel
import io.github.rustbridge.PluginException
import io.github.rustbridge.Status
import java.time.Duration
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.test.assertEquals
import kotlin.test.assertTrue
import kotlinx.coroutines.flow.catch
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.Serializable
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

/** What the guides that go side by side show of Kotlin: `cargo xtask tidy` looks for it here. */
@Timeout(120)
class SideBySideTest {
    @Serializable data class Range(val from: Long, val to: Long, val fail_at: Long? = null)

    @Serializable data class Note(val text: String)

    @Test
    fun `a call fails`() {
        val said = mutableListOf<String>()
        hello().use { hello ->
            try {
                hello.call<Add, Sum>("math.add", Add(Long.MAX_VALUE, 1))
            } catch (error: PluginException) {
                if (error.status != Status.OUT_OF_RANGE) throw error
                said += "${error.type}: ${error.detail<Long>("a")} is too large"
            }
        }
        assertEquals(listOf("MathError.Overflow: ${Long.MAX_VALUE} is too large"), said)
    }

    @Test
    fun `a stream breaks`() = runBlocking {
        var said = ""
        operations().use { plugin ->
            val numbers = plugin.method("stream.numbers").flow<Range, Long>(Range(0, 5, 3))
            val seen =
                numbers
                    .catch { broken -> said = "then ${(broken as PluginException).status}" }
                    .toList() // [0, 1, 2], then DATA_LOSS
            assertEquals(listOf(0L, 1L, 2L), seen)
        }
        assertEquals("then DATA_LOSS", said)
    }

    @Test
    fun `an awaited call fails`() = runBlocking {
        var said = ""
        operations().use { plugin ->
            try {
                plugin.method("async.fail").await<Note, Note>(Note("gone"))
            } catch (failed: PluginException) {
                said = "${failed.message} ${failed.details}" // gone {n=7}
            }
        }
        assertEquals("gone {n=7}", said)
    }

    @Test
    fun `records come to a function`() {
        val lines = CopyOnWriteArrayList<String>()
        val users = hello {
            name = "users"
            logLevel = LogLevel.DEBUG
            onLog { record -> lines += "${record.message} ${record.fields}" }
        }
        users.use {
            users.call<CreateUser, CreatedUser>("user.create", CreateUser("ada", "b"))
            users.flushLogs(Duration.ofSeconds(1)) // waits until all so far was delivered
            users.logLevel = LogLevel.WARN // takes effect at once
            assertTrue(lines.single().contains("username=ada"), "$lines")
            assertEquals(LogLevel.WARN, users.logLevel)
        }
    }
}
