package io.github.rustbridge.benchmarks

import io.github.rustbridge.Plugin
import io.github.rustbridge.benchmarks.kotlin.clients.Bench
import io.github.rustbridge.benchmarks.kotlin.clients.Greeting
import io.github.rustbridge.benchmarks.kotlin.clients.Item
import io.github.rustbridge.benchmarks.kotlin.clients.Person
import io.github.rustbridge.benchmarks.kotlin.clients.Reading
import io.github.rustbridge.benchmarks.kotlin.clients.Shape
import io.github.rustbridge.benchmarks.kotlin.clients.Students
import io.github.rustbridge.benchmarks.kotlin.clients.Values_

/** What is measured of a generated client in Kotlin, with the values that go in. */
internal class KotlinClient(plugin: Plugin) {
    private val client = Bench.of(plugin)

    val items = (1..100).map { Item(it.toUInt(), "item number $it", it * 1.25) }
    val doubles = DoubleArray(1000) { 0.5 * it }

    fun text(): Greeting = client.greet(person())

    fun numbers(): Reading = client.nextReading(reading())

    fun records(): List<Item> = client.discount(items)

    fun variant(): Shape = client.around(rectangle())

    fun twice(): DoubleArray = client.twice(doubles)

    fun divide(): Double = client.divide(10, 2)

    fun answer(): Int = client.answerTo(23)

    fun join(): String = client.joinTexts(listOf("hello", "world"))

    fun any(values: Values_): Values_ = client.any(values)

    fun structs(): Students = client.getStructs()

    companion object {
        fun person() = Person("Ada Lovelace")

        fun reading() = Reading(7u, 1_700_000_000, -1.5, 3.25, 0.5f, 11u)

        fun rectangle(): Shape = Shape.Rectangle(3.0, 4.0)

        fun values(count: Int): Values_ {
            val three = listOf(1L, "two", 3.0)
            return Values_(List(count) { three[it % 3] })
        }
    }
}
