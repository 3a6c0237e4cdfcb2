package peers

import java.util.concurrent.CompletableFuture
import kotlin.coroutines.Continuation
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.startCoroutine
import peers.uniffi.Failure
import peers.uniffi.Found
import peers.uniffi.Greeting
import peers.uniffi.Item
import peers.uniffi.Key
import peers.uniffi.Pair
import peers.uniffi.PairAnswer
import peers.uniffi.Person
import peers.uniffi.Reading
import peers.uniffi.Shape
import peers.uniffi.Student

/** The calls in Kotlin, for JMH writes its benchmarks for Java's compiler only. */
object Calls {
    private val pair = Pair(40, 2)
    private val key = Key("bench_key", 1u)

    @JvmStatic fun empty() = peers.uniffi.empty()

    @JvmStatic fun pod8(): PairAnswer = peers.uniffi.pod8(pair)

    @JvmStatic fun small(): Found = peers.uniffi.small(key)

    @JvmStatic fun echo(text: String): String = peers.uniffi.echoJson(text)

    @JvmStatic fun div(a: Long, b: Long): Double = peers.uniffi.div(a, b)

    @JvmStatic fun join(): String = peers.uniffi.join(listOf("hello", "world"))

    /** UniFFI knows no arrays of numbers, so that the list's numbers are objects. */
    @JvmStatic fun sum(numbers: List<Long>): Long = peers.uniffi.sum(numbers)

    @JvmStatic
    fun error(reason: String): String =
        try {
            peers.uniffi.fail(reason)
            ""
        } catch (failure: Failure) {
            failure.message.orEmpty()
        }

    @JvmStatic fun answer(value: Int): Int = peers.uniffi.answer(value)

    /** Begins a coroutine on this thread and waits for its end: less than `runBlocking` costs, which makes an event loop. */
    @JvmStatic
    fun ready(value: Int): Int {
        val ended = CompletableFuture<Int>()
        val call: suspend () -> Int = { peers.uniffi.ready(value) }
        call.startCoroutine(Continuation(EmptyCoroutineContext) { ended.complete(it.getOrThrow()) })
        return ended.join()
    }

    @JvmStatic fun blob(size: Int): ByteArray = peers.uniffi.blob(size.toUInt())

    @JvmStatic fun text(): Greeting = peers.uniffi.greet(Person("Ada Lovelace"))

    @JvmStatic
    fun reading(): Reading =
        peers.uniffi.nextReading(Reading(7u, 1000, -1.0, 3.0, 0.5f, 11.toUShort()))

    private val items = List(100) { Item((it + 1).toUInt(), "item number ${it + 1}", it + 1.0) }

    @JvmStatic fun records(): List<Item> = peers.uniffi.discount(items)

    @JvmStatic fun variant(): Shape = peers.uniffi.around(Shape.Rectangle(3.0, 4.0))

    private val fractions = List(1000) { 0.5 * it }

    @JvmStatic fun doubles(): List<Double> = peers.uniffi.twice(fractions)

    @JvmStatic fun structs(): List<Student> = peers.uniffi.structs()

    @JvmStatic fun emailsOf(student: Any): Int = (student as Student).schools[33].emails.size

    @JvmStatic
    fun words(answer: Any): String =
        when (answer) {
            is PairAnswer -> "${answer.sum} ${answer.xor}"
            is Greeting -> answer.text
            is Reading -> "${answer.at} ${answer.low} ${answer.high} ${answer.count}"
            is Item -> "${answer.number} ${answer.name} ${answer.price}"
            is Shape.Circle -> answer.radius.toString()
            is List<*> -> answer.last().toString()
            is Found -> "${answer.value} ${answer.ttlSeconds} ${answer.cacheHit}"
            else -> answer.toString()
        }
}
