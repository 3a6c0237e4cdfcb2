package io.github.rustbridge.benchmarks

import io.github.rustbridge.benchmarks.kotlin.clients.Greeting
import io.github.rustbridge.benchmarks.kotlin.clients.Item
import io.github.rustbridge.benchmarks.kotlin.clients.Person
import io.github.rustbridge.benchmarks.kotlin.clients.Reading
import io.github.rustbridge.benchmarks.kotlin.clients.Shape
import java.lang.foreign.MemorySegment
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.CharBuffer

/**
 * Typed values by hand: the client's own classes, laid out for these very calls in arrays that are
 * kept, with what a careful person checks.
 *
 * One thread at a time.
 */
internal class KotlinFloor {
    private val scratch = FfmFloor.Scratch().also { it.reserve(ROOM) }
    private var sent = ByteArray(ROOM)
    private var request = littleEndian(sent)
    private val came = ByteArray(ROOM)
    private val response = littleEndian(came)
    private var end = 0
    private var at = 0

    /** Overwrites the last response. */
    fun forget() {
        came.fill(0xAA.toByte())
    }

    fun text(person: Person): Greeting {
        val length = text(0, person.name)
        begin(FfmFloor.greet(scratch, request(), length.toLong(), response(), ROOM.toLong()))
        return Greeting(text()).also { finish() }
    }

    fun numbers(reading: Reading): Reading {
        request.putInt(0, reading.instrument.toInt())
        request.putLong(4, reading.at)
        request.putDouble(12, reading.low)
        request.putDouble(20, reading.high)
        request.putFloat(28, reading.weight)
        request.putShort(32, reading.count.toShort())
        if (FfmFloor.nextReading(scratch, request(), 34, response(), ROOM.toLong()) != 34) {
            wrong()
        }
        return Reading(
            response.getInt(0).toUInt(),
            response.getLong(4),
            response.getDouble(12),
            response.getDouble(20),
            response.getFloat(28),
            response.getShort(32).toUShort(),
        )
    }

    fun records(items: List<Item>): List<Item> {
        request.putInt(0, items.size)
        var to = 4
        for (item in items) {
            reserve(to + 4)
            request.putInt(to, item.number.toInt())
            to = text(to + 4, item.name)
            reserve(to + 8)
            request.putDouble(to, item.price)
            to += 8
        }
        scratch.put(sent, to)
        val length =
            FfmFloor.discount(
                scratch,
                scratch.request,
                to.toLong(),
                scratch.response,
                scratch.capacity,
            )
        begin(scratch.get(length, came))
        val count = integer()
        if (count < 0 || count > (end - at) / SMALLEST_ITEM) {
            wrong()
        }
        val found = ArrayList<Item>(count)
        repeat(count) { found.add(Item(integer().toUInt(), text(), real())) }
        finish()
        return found
    }

    fun variant(shape: Shape): Shape {
        val length =
            when (shape) {
                is Shape.Circle -> {
                    request.putShort(0, 0)
                    request.putDouble(2, shape.radius)
                    10
                }
                is Shape.Rectangle -> {
                    request.putShort(0, 1)
                    request.putDouble(2, shape.width)
                    request.putDouble(10, shape.height)
                    18
                }
                is Shape.Label -> {
                    request.putShort(0, 2)
                    text(2, shape.text)
                }
            }
        begin(FfmFloor.around(scratch, request(), length.toLong(), response(), ROOM.toLong()))
        val found =
            when (response.getShort(take(2)).toInt()) {
                0 -> Shape.Circle(real())
                1 -> Shape.Rectangle(real(), real())
                2 -> Shape.Label(text())
                else -> wrong()
            }
        finish()
        return found
    }

    fun twice(numbers: DoubleArray): DoubleArray {
        val length = 8 + Double.SIZE_BYTES * numbers.size
        reserve(length)
        request.putLong(0, numbers.size.toLong())
        littleEndian(sent, 8, length - 8).asDoubleBuffer().put(numbers)
        val size = FfmFloor.twice(scratch, request(), length.toLong(), response(), ROOM.toLong())
        val count = response.getLong(0)
        if (size < 8 || size % 8 != 0 || count != (size - 8L) / 8) {
            wrong()
        }
        val found = DoubleArray(count.toInt())
        littleEndian(came, 8, size - 8).asDoubleBuffer().get(found)
        return found
    }

    fun divide(a: Long, b: Long): Double {
        request.putLong(0, a)
        request.putLong(8, b)
        if (FfmFloor.div(scratch, request(), 16, response(), 8) != 8) {
            wrong()
        }
        return response.getDouble(0)
    }

    fun answer(question: Int): Int {
        request.putInt(0, question)
        if (FfmFloor.answer(scratch, request(), 4, response(), 4) != 4) {
            wrong()
        }
        return response.getInt(0)
    }

    private fun request() = MemorySegment.ofArray(sent)

    private fun response() = MemorySegment.ofArray(came)

    private fun reserve(size: Int) {
        if (size > sent.size) {
            sent = sent.copyOf(2 * size)
            request = littleEndian(sent)
        }
    }

    /** Writes a text, and gives where it ends. */
    private fun text(start: Int, text: String): Int {
        val length = text.length
        reserve(start + 4 + length)
        val bytes = sent
        for (i in 0..<length) {
            val letter = text[i].code
            if (letter >= 0x80) {
                return anyText(start, text)
            }
            bytes[start + 4 + i] = letter.toByte()
        }
        request.putInt(start, length)
        return start + 4 + length
    }

    private fun anyText(start: Int, text: String): Int {
        // It throws where there are lone surrogates.
        val encoded = Charsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text))
        val length = encoded.remaining()
        reserve(start + 4 + length)
        request.putInt(start, length)
        encoded.get(sent, start + 4, length)
        return start + 4 + length
    }

    private fun begin(length: Int) {
        at = 0
        end = length
    }

    private fun finish() {
        if (at != end) {
            wrong()
        }
    }

    private fun take(size: Int): Int {
        val start = at
        if (size < 0 || size > end - start) {
            wrong()
        }
        at = start + size
        return start
    }

    private fun integer() = response.getInt(take(4))

    private fun real() = response.getDouble(take(8))

    private fun text(): String {
        val length = integer()
        val start = take(length)
        val text = String(came, start, length, Charsets.UTF_8)
        // It replaces what is wrong, which would go unnoticed otherwise.
        if (
            text.indexOf('\uFFFD') >= 0 &&
                !text.toByteArray().contentEquals(came.copyOfRange(start, at))
        ) {
            wrong()
        }
        return text
    }

    private companion object {
        const val ROOM = 16 shl 10
        const val SMALLEST_ITEM = 16

        fun littleEndian(
            bytes: ByteArray,
            start: Int = 0,
            length: Int = bytes.size,
        ): ByteBuffer = ByteBuffer.wrap(bytes, start, length).order(ByteOrder.LITTLE_ENDIAN)

        fun wrong(): Nothing = error("the bare call, or who calls, has it otherwise")
    }
}
