import io.github.rustbridge.LogLevel
import io.github.rustbridge.PluginException
import io.github.rustbridge.kotlin.await
import io.github.rustbridge.kotlin.call
import io.github.rustbridge.kotlin.details
import io.github.rustbridge.kotlin.flushLogs
import io.github.rustbridge.kotlin.loadPlugin
import io.github.rustbridge.kotlin.status
import kotlin.io.path.Path
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.put

@Serializable data class Greet(val name: String)

@Serializable data class Greeting(val greeting: String)

@Serializable data class Add(val a: Long, val b: Long)

@Serializable data class Sum(val result: Long)

/** Loads hello-plugin, and calls it blocking and suspending. Usage: Hello PATH-OF-THE-PLUGIN. */
fun main(arguments: Array<String>): Unit = runBlocking {
    val hello =
        loadPlugin(Path(arguments[0])) {
            logLevel = LogLevel.DEBUG
            config { put("first_user", 100) }
            onLog { println("${it.level} ${it.message}") }
        }
    hello.use {
        println(hello.call<Greet, Greeting>("greet", Greet("Ada")).greeting)

        val sums = (1L..3L).map { async { hello.await<Add, Sum>("math.add", Add(it, it)) } }
        println(sums.awaitAll().map { it.result })

        hello.call("user.create", """{"username":"ada","email":"ada@example.com"}""")
        hello.flushLogs(1.seconds)

        try {
            hello.await<Add, Sum>("math.add", Add(Long.MAX_VALUE, 1))
        } catch (failure: PluginException) {
            println("${failure.status}: ${failure.message} ${failure.details}")
        }
    }
}
