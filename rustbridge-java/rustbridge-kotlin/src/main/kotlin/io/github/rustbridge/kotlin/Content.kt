package io.github.rustbridge.kotlin

import io.github.rustbridge.wire.Values

/**
 * Compares values of the classes that `rustbridge gen` writes by content: arrays, including arrays
 * of unsigned numbers, and lists, maps, pairs and triples that contain arrays.
 */
@OptIn(ExperimentalUnsignedTypes::class)
public object Content {
    /**
     * Compares the properties of two values.
     *
     * @param one the first value's properties
     * @param other the second value's properties
     * @return whether they are equal; a NaN equals itself
     */
    public fun equal(one: Array<Any?>, other: Array<Any?>): Boolean =
        Values.equal(plainItems(one), plainItems(other))

    /**
     * Returns a hash of the properties, which is consistent with [equal].
     *
     * @param properties the properties
     * @return the hash
     */
    public fun hash(properties: Array<Any?>): Int = Values.hash(plainItems(properties))

    /**
     * Formats a value like a data class, but with the content of arrays.
     *
     * @param type the name of the value's class
     * @param properties the value's properties
     * @param names the properties' names
     * @return the text
     */
    public fun text(type: String, properties: Array<Any?>, vararg names: String): String {
        val shown = names.indices.joinToString { "${names[it]}=${shown(properties[it])}" }
        return "$type($shown)"
    }

    private fun plainItems(items: Array<Any?>): Array<Any?> = Array(items.size) { plain(items[it]) }

    /** What Java compares by content. Arrays of numbers without a sign are objects of their own. */
    private fun plain(value: Any?): Any? =
        when (value) {
            is UByteArray -> value.asByteArray()
            is UShortArray -> value.asShortArray()
            is UIntArray -> value.asIntArray()
            is ULongArray -> value.asLongArray()
            is Pair<*, *> -> arrayOf(plain(value.first), plain(value.second))
            is Triple<*, *, *> ->
                arrayOf(plain(value.first), plain(value.second), plain(value.third))
            is List<*> -> value.map(::plain)
            is Map<*, *> -> value.mapValues { plain(it.value) }
            else -> value
        }

    private fun shown(value: Any?): Any? =
        when (value) {
            is ByteArray -> value.contentToString()
            is ShortArray -> value.contentToString()
            is IntArray -> value.contentToString()
            is LongArray -> value.contentToString()
            is FloatArray -> value.contentToString()
            is DoubleArray -> value.contentToString()
            is BooleanArray -> value.contentToString()
            is UByteArray -> value.contentToString()
            is UShortArray -> value.contentToString()
            is UIntArray -> value.contentToString()
            is ULongArray -> value.contentToString()
            is Pair<*, *> -> "(${shown(value.first)}, ${shown(value.second)})"
            is Triple<*, *, *> ->
                "(${shown(value.first)}, ${shown(value.second)}, ${shown(value.third)})"
            is List<*> -> value.map(::shown)
            is Map<*, *> -> value.mapValues { shown(it.value) }
            else -> value
        }
}
