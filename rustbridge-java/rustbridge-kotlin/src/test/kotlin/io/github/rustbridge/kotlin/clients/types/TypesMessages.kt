// Written by `rustbridge gen -l kotlin` of the plugin `types`: write it anew by that, not by hand.
@file:OptIn(ExperimentalUnsignedTypes::class)
@file:Suppress("REDUNDANT_VISIBILITY_MODIFIER")

package io.github.rustbridge.kotlin.clients.types

import io.github.rustbridge.PluginException
import io.github.rustbridge.kotlin.Content
import io.github.rustbridge.wire.Maybe
import java.math.BigInteger
import java.time.Duration
import java.time.Instant
import java.util.UUID

/**
 * One of each.
 *
 * @property numbers `numbers`
 * @property texts `texts`
 * @property times `times`
 * @property lists `lists`
 * @property pairs `pairs`
 * @property foreign `foreign`
 * @property people `people`
 * @property words `words`
 * @property color `color`
 * @property shape `shape`
 * @property tagged `tagged`
 * @property untagged `untagged`
 * @property expr `expr`
 * @property tree `tree`
 * @property samples `samples`
 * @property celsius `celsius`
 * @property unit `unit`
 * @property defaults `defaults`
 * @property renamed `renamed`
 * @property any `any`
 * @property tuple `tuple`
 */
public data class Every(
    public val numbers: Numbers,
    public val texts: Texts,
    public val times: Times,
    public val lists: Lists,
    public val pairs: Pairs,
    public val foreign: Foreign,
    public val people: PagePerson,
    public val words: PageString,
    public val color: Color,
    public val shape: Shape,
    public val tagged: Tagged,
    public val untagged: Untagged,
    public val expr: Expr,
    public val tree: Tree,
    public val samples: Samples,
    public val celsius: Celsius,
    public val unit: Unit_,
    public val defaults: Defaults,
    public val renamed: RenamedRecord,
    public val any: Any?,
    public val tuple: Triple<UByte, String, Boolean?>,
) {
    private fun content(): Array<Any?> =
        arrayOf(
            numbers,
            texts,
            times,
            lists,
            pairs,
            foreign,
            people,
            words,
            color,
            shape,
            tagged,
            untagged,
            expr,
            tree,
            samples,
            celsius,
            unit,
            defaults,
            renamed,
            any,
            tuple,
        )

    override fun equals(other: Any?): Boolean =
        other is Every && Content.equal(content(), other.content())

    override fun hashCode(): Int = Content.hash(content())

    override fun toString(): String =
        Content.text(
            "Every",
            content(),
            "numbers",
            "texts",
            "times",
            "lists",
            "pairs",
            "foreign",
            "people",
            "words",
            "color",
            "shape",
            "tagged",
            "untagged",
            "expr",
            "tree",
            "samples",
            "celsius",
            "unit",
            "defaults",
            "renamed",
            "any",
            "tuple",
        )
}

/**
 * A number of each width, and what is written as one.
 *
 * @property u8 One byte.
 * @property u16 `u16`
 * @property u32 `u32`
 * @property u64 `u64`
 * @property u128 `u128`
 * @property i8 `i8`
 * @property i16 `i16`
 * @property i32 `i32`
 * @property i64 `i64`
 * @property i128 `i128`
 * @property f32 `f32`
 * @property f64 `f64`
 * @property bool `bool`
 * @property char a code point
 * @property size `size`
 */
public data class Numbers(
    public val u8: UByte,
    public val u16: UShort,
    public val u32: UInt,
    public val u64: ULong,
    public val u128: BigInteger,
    public val i8: Byte,
    public val i16: Short,
    public val i32: Int,
    public val i64: Long,
    public val i128: BigInteger,
    public val f32: Float,
    public val f64: Double,
    public val bool: Boolean,
    public val char: Int,
    public val size: ULong,
)

/**
 * Texts and bytes, each in a form of its own.
 *
 * @property text `text`
 * @property boxed `boxed`
 * @property maybeBytes `maybeBytes`
 * @property bytes `bytes`
 * @property maybe `maybe`
 */
public data class Texts(
    public val text: String,
    public val boxed: String,
    public val maybeBytes: ByteArray?,
    public val bytes: ByteArray,
    public val maybe: String? = null,
) {
    private fun content(): Array<Any?> = arrayOf(text, boxed, maybeBytes, bytes, maybe)

    override fun equals(other: Any?): Boolean =
        other is Texts && Content.equal(content(), other.content())

    override fun hashCode(): Int = Content.hash(content())

    override fun toString(): String =
        Content.text("Texts", content(), "text", "boxed", "maybeBytes", "bytes", "maybe")
}

/**
 * Points in time and spans of it.
 *
 * @property at `at`
 * @property lasts `lasts`
 * @property ends `ends`
 */
public data class Times(
    public val at: Instant,
    public val lasts: Duration,
    public val ends: Instant? = null,
)

/**
 * Lists, sets and arrays.
 *
 * @property bytes `bytes`
 * @property small `small`
 * @property numbers `numbers`
 * @property doubles `doubles`
 * @property large `large`
 * @property bools `bools`
 * @property texts `texts`
 * @property nested `nested`
 * @property fixed `fixed`
 * @property matrix `matrix`
 * @property names `names`
 * @property set `set`
 * @property people `people`
 * @property points `points`
 * @property sizes `sizes`
 * @property boxes `boxes`
 * @property chars code points
 * @property options `options`
 * @property tuples `tuples`
 */
public data class Lists(
    public val bytes: ByteArray,
    public val small: ByteArray,
    public val numbers: UIntArray,
    public val doubles: DoubleArray,
    public val large: List<BigInteger>,
    public val bools: BooleanArray,
    public val texts: List<String>,
    public val nested: List<UShortArray>,
    public val fixed: UIntArray,
    public val matrix: List<DoubleArray>,
    public val names: List<String>,
    public val set: UIntArray,
    public val people: List<Person>,
    public val points: List<Point>,
    public val sizes: ULongArray,
    public val boxes: FloatArray,
    public val chars: IntArray,
    public val options: List<UByte?>,
    public val tuples: List<Pair<UByte, UInt>>,
) {
    private fun content(): Array<Any?> =
        arrayOf(
            bytes,
            small,
            numbers,
            doubles,
            large,
            bools,
            texts,
            nested,
            fixed,
            matrix,
            names,
            set,
            people,
            points,
            sizes,
            boxes,
            chars,
            options,
            tuples,
        )

    override fun equals(other: Any?): Boolean =
        other is Lists && Content.equal(content(), other.content())

    override fun hashCode(): Int = Content.hash(content())

    override fun toString(): String =
        Content.text(
            "Lists",
            content(),
            "bytes",
            "small",
            "numbers",
            "doubles",
            "large",
            "bools",
            "texts",
            "nested",
            "fixed",
            "matrix",
            "names",
            "set",
            "people",
            "points",
            "sizes",
            "boxes",
            "chars",
            "options",
            "tuples",
        )
}

/**
 * Somebody.
 *
 * @property name What they are called.
 * @property age In years.
 * @property email Where they can be reached.
 */
public data class Person(
    public val name: String,
    public val age: UInt,
    public val email: String? = null,
)

/**
 * Plain old data: a list of them is one copy.
 *
 * @property x To the right.
 * @property y Upwards.
 */
public data class Point(public val x: Double, public val y: Double)

/**
 * Maps by every kind of key.
 *
 * @property byName `byName`
 * @property byNumber `byNumber`
 * @property byChar `byChar`
 * @property byColor `byColor`
 * @property hashed `hashed`
 * @property nested `nested`
 */
public data class Pairs(
    public val byName: Map<String, UInt>,
    public val byNumber: Map<Long, String>,
    public val byChar: Map<Int, ByteArray>,
    public val byColor: Map<Color, Person>,
    public val hashed: Map<UShort, Float?>,
    public val nested: Map<String, Map<UByte, Boolean>>,
) {
    private fun content(): Array<Any?> = arrayOf(byName, byNumber, byChar, byColor, hashed, nested)

    override fun equals(other: Any?): Boolean =
        other is Pairs && Content.equal(content(), other.content())

    override fun hashCode(): Int = Content.hash(content())

    override fun toString(): String =
        Content.text(
            "Pairs",
            content(),
            "byName",
            "byNumber",
            "byChar",
            "byColor",
            "hashed",
            "nested",
        )
}

/** Three colours. */
public enum class Color {
    /** Like blood. */
    RED,
    /** `green`. */
    GREEN,
    /** `dark_blue`. */
    DARK_BLUE,
}

/**
 * What other crates have.
 *
 * @property id `id`
 * @property parent `parent`
 * @property names `names`
 * @property made `made`
 * @property took `took`
 * @property seen `seen`
 * @property waits `waits`
 * @property ends `ends`
 * @property lasts `lasts`
 * @property at `at`
 * @property others `others`
 */
public data class Foreign(
    public val id: UUID,
    public val parent: UUID?,
    public val names: Map<UUID, String>,
    public val made: Instant,
    public val took: Duration,
    public val seen: Instant,
    public val waits: List<Duration>,
    public val ends: Instant?,
    public val lasts: Duration,
    public val at: Endpoint,
    public val others: Map<String, List<Endpoint>>,
)

/**
 * Where something listens.
 *
 * @property address Four numbers with dots between.
 * @property port `port`
 */
public data class Endpoint(public val address: String, public val port: UShort)

/**
 * Some of many.
 *
 * @property items These.
 * @property total How many there are in all.
 */
public data class PagePerson(public val items: List<Person>, public val total: ULong)

/**
 * Some of many.
 *
 * @property items These.
 * @property total How many there are in all.
 */
public data class PageString(public val items: List<String>, public val total: ULong)

/** A shape in a plane. */
public sealed interface Shape {
    /** No shape. */
    public data object Nothing : Shape

    /**
     * All points of one distance.
     *
     * @property radius `radius`
     */
    public data class Circle(public val radius: Double) : Shape

    /**
     * Points in a row.
     *
     * @property value `value`
     */
    public data class Polygon(public val value: List<Point>) : Shape
}

/** Known by a field of its own in JSON. */
public sealed interface Tagged {
    /**
     * `started`.
     *
     * @property atSecond `atSecond`
     */
    public data class Started(public val atSecond: ULong) : Tagged

    /**
     * `moved`.
     *
     * @property toPlace `toPlace`
     * @property howFast `howFast`
     */
    public data class Moved(public val toPlace: Point, public val howFast: Float? = null) : Tagged

    /** `stopped`. */
    public data object Stopped : Tagged
}

/** Known by what it looks like in JSON. */
public sealed interface Untagged {
    /**
     * `Number`.
     *
     * @property value `value`
     */
    public data class Number(public val value: Long) : Untagged

    /**
     * `Text`.
     *
     * @property value `value`
     */
    public data class Text(public val value: String) : Untagged

    /**
     * `Both`.
     *
     * @property item0 `item0`
     * @property item1 `item1`
     */
    public data class Both(public val item0: Long, public val item1: String) : Untagged
}

/** What has itself in it, by an enum. */
public sealed interface Expr {
    /**
     * `Number`.
     *
     * @property value `value`
     */
    public data class Number(public val value: Double) : Expr

    /**
     * `Negated`.
     *
     * @property value `value`
     */
    public data class Negated(public val value: Expr) : Expr

    /**
     * `Sum`.
     *
     * @property item0 `item0`
     * @property item1 `item1`
     */
    public data class Sum(public val item0: Expr, public val item1: Expr) : Expr

    /**
     * `Call`.
     *
     * @property name `name`
     * @property arguments `arguments`
     */
    public data class Call(public val name: String, public val arguments: List<Expr>) : Expr
}

/**
 * What has itself in it, by a list.
 *
 * @property name `name`
 * @property children `children`
 */
public data class Tree(public val name: String, public val children: List<Tree>)

/**
 * Plain old data alone, in a list, in an array.
 *
 * @property name `name`
 * @property first `first`
 * @property all `all`
 * @property pair `pair`
 */
public data class Samples(
    public val name: String,
    public val first: Sample,
    public val all: List<Sample>,
    public val pair: List<Point>,
)

/**
 * Plain old data with smaller fields.
 *
 * @property time `time`
 * @property value `value`
 * @property channel `channel`
 * @property flags `flags`
 */
public data class Sample(
    public val time: ULong,
    public val value: Float,
    public val channel: UShort,
    public val flags: UByteArray,
) {
    private fun content(): Array<Any?> = arrayOf(time, value, channel, flags)

    override fun equals(other: Any?): Boolean =
        other is Sample && Content.equal(content(), other.content())

    override fun hashCode(): Int = Content.hash(content())

    override fun toString(): String =
        Content.text("Sample", content(), "time", "value", "channel", "flags")
}

/**
 * A number with a meaning.
 *
 * @property value `value`
 */
@JvmInline public value class Celsius(public val value: Double)

/** Nothing to say. */
public data object Unit_

/**
 * What may be left out.
 *
 * @property count null for the plugin's default
 * @property name null for the plugin's default
 * @property list null for the plugin's default
 * @property maybe null for the plugin's default
 */
public data class Defaults(
    public val count: UInt? = null,
    public val name: String? = null,
    public val list: ByteArray? = null,
    public val maybe: Maybe<ULong?>? = null,
) {
    private fun content(): Array<Any?> = arrayOf(count, name, list, maybe)

    override fun equals(other: Any?): Boolean =
        other is Defaults && Content.equal(content(), other.content())

    override fun hashCode(): Int = Content.hash(content())

    override fun toString(): String =
        Content.text("Defaults", content(), "count", "name", "list", "maybe")
}

/**
 * Names that aren't those of Rust, and a record whose fields JSON has among the others.
 *
 * @property firstName `firstName`
 * @property type `type`
 * @property class_ `class_`
 * @property person `person`
 */
public data class RenamedRecord(
    public val firstName: String,
    public val type: Color,
    public val class_: UByte,
    public val person: Person,
)

/** How somebody is, in ways that may become more. */
public enum class Mood {
    /** At ease. */
    CALM,
    /** More than that. */
    GLAD,
    /** One that this client doesn't know. It's only read. */
    UNKNOWN,
}

/** What has happened to somebody, of which more may come. */
public sealed interface Event {
    /** They have come. */
    public data object Came : Event

    /**
     * They have met others.
     *
     * @property others `others`
     * @property mood `mood`
     */
    public data class Met(public val others: List<Person>, public val mood: Mood) : Event

    /**
     * They have said so.
     *
     * @property value `value`
     */
    public data class Said(public val value: String) : Event

    /** One that this client doesn't know. It's only read. */
    public data object Unknown : Event
}

/**
 * What is checked when it's read.
 *
 * @property share `share`
 * @property all `all`
 */
public data class Bounded(public val share: UByte, public val all: ByteArray) {
    private fun content(): Array<Any?> = arrayOf(share, all)

    override fun equals(other: Any?): Boolean =
        other is Bounded && Content.equal(content(), other.content())

    override fun hashCode(): Int = Content.hash(content())

    override fun toString(): String = Content.text("Bounded", content(), "share", "all")
}

/** What `part` takes. */
internal class PartParameters(val text: String, val start: UInt, val count: UInt?)

/** What `several` takes. */
internal class SeveralParameters(
    val person: Person,
    val nickNames: List<String>,
    val numbers: DoubleArray,
    val type: Color,
    val class_: ByteArray,
    val self: Any?,
)

/** What `cut` takes. */
internal class CutParameters(val how: Cut, val data: ByteArray)

/**
 * What is to be done with bytes that come beside it.
 *
 * @property skip How many at the beginning are left away.
 * @property times How often the others come back.
 */
public data class Cut(public val skip: UInt, public val times: UInt)

/**
 * What is said of bytes that come back beside it.
 *
 * @property length How many there are.
 * @property first The first of them.
 */
public data class Piece(public val length: ULong, public val first: UByte? = null)

/** What `cut_later` takes. */
internal class CutLaterParameters(val how: Cut, val data: ByteArray)

/** What `aged` takes. */
internal class AgedParameters(val person: Person, val years: UInt)

/** What `steps` takes. */
internal class StepsParameters(val first: Long, val last: Long, val step: UInt)

/** What `search` takes. */
internal class SearchParameters(val name: String, val people: List<Person>)

/** Why nobody was found. */
public sealed interface SearchError {
    /**
     * There's nobody like that.
     *
     * @property name Who was looked for.
     * @property similar Those who are called nearly so.
     */
    public data class Nobody(
        public val name: String,
        public val similar: List<Person>,
    ) : SearchError

    /** They are there, and don't want to be found. */
    public data object Hidden : SearchError

    /**
     * There are too many.
     *
     * @property item0 `item0`
     * @property item1 `item1`
     */
    public data class Crowd(public val item0: ULong, public val item1: DoubleArray) : SearchError {
        private fun content(): Array<Any?> = arrayOf(item0, item1)

        override fun equals(other: Any?): Boolean =
            other is Crowd && Content.equal(content(), other.content())

        override fun hashCode(): Int = Content.hash(content())

        override fun toString(): String = Content.text("Crowd", content(), "item0", "item1")
    }
}

/** What `search_later` takes. */
internal class SearchLaterParameters(val name: String, val people: List<Person>)

/** What `paint` takes. */
internal class PaintParameters(val color: Color, val better: Color?)

/**
 * What isn't to one's taste.
 *
 * @property color What it was in.
 * @property better What it might be in.
 */
public data class Refused(public val color: Color, public val better: Color? = null)

/** Whether there's power. */
public enum class PowerError {
    /** There is none. */
    OUT
}

/**
 * Somebody, and how often.
 *
 * @property person Who comes first.
 * @property times How many there are.
 */
public data class Repeat(public val person: Person, public val times: UInt)

/** What `between` takes. */
internal class BetweenParameters(val youngest: UInt, val oldest: UInt)

/**
 * Counters, here and there.
 *
 * @property first One that there needn't be.
 * @property others Any number of them.
 * @property name What has nothing to do with them.
 */
public data class Counters(
    public val first: Counter?,
    public val others: List<Counter>,
    public val name: String,
)

/** What `transfer` takes. */
internal class TransferParameters(val from: Counter, val to: Counter, val count: Long)

/**
 * Which random value is asked for.
 *
 * @property method The method that would give it back.
 * @property seed The same value for the same seed.
 */
public data class Random(public val method: String, public val seed: ULong)

/** What `as_json` takes. */
internal class AsJsonParameters(val method: String, val message: ByteArray)

/** What `as_message` takes. */
internal class AsMessageParameters(val method: String, val json: String)

/**
 * There's no half of it.
 *
 * @property count What was counted.
 */
public data class Odd(public val count: Long)

/** What `Counter.within` takes. */
internal class CounterWithinParameters(val least: Long, val most: Long)

/**
 * Values without names, in their order.
 *
 * @param T0 the type of `item0`
 * @param T1 the type of `item1`
 * @param T2 the type of `item2`
 * @param T3 the type of `item3`
 * @param T4 the type of `item4`
 * @param T5 the type of `item5`
 * @property item0 `item0`
 * @property item1 `item1`
 * @property item2 `item2`
 * @property item3 `item3`
 * @property item4 `item4`
 * @property item5 `item5`
 */
public data class Tuple6<out T0, out T1, out T2, out T3, out T4, out T5>(
    public val item0: T0,
    public val item1: T1,
    public val item2: T2,
    public val item3: T3,
    public val item4: T4,
    public val item5: T5,
) {
    private fun content(): Array<Any?> = arrayOf(item0, item1, item2, item3, item4, item5)

    override fun equals(other: Any?): Boolean =
        other is Tuple6<*, *, *, *, *, *> && Content.equal(content(), other.content())

    override fun hashCode(): Int = Content.hash(content())

    override fun toString(): String =
        Content.text("Tuple6", content(), "item0", "item1", "item2", "item3", "item4", "item5")
}

/**
 * Why nobody was found.
 *
 * @property error the error; not there in an exception that was serialized, which errors can't be
 */
public class SearchException
internal constructor(
    failed: PluginException,
    @Transient public val error: SearchError,
) : PluginException(failed) {
    private companion object {
        private const val serialVersionUID = 1L
    }
}

/**
 * What isn't to one's taste.
 *
 * @property error the error; not there in an exception that was serialized, which errors can't be
 */
public class RefusedException
internal constructor(
    failed: PluginException,
    @Transient public val error: Refused,
) : PluginException(failed) {
    private companion object {
        private const val serialVersionUID = 1L
    }
}

/**
 * Whether there's power.
 *
 * @property error the error; not there in an exception that was serialized, which errors can't be
 */
public class PowerException
internal constructor(
    failed: PluginException,
    @Transient public val error: PowerError,
) : PluginException(failed) {
    private companion object {
        private const val serialVersionUID = 1L
    }
}

/**
 * There's no half of it.
 *
 * @property error the error; not there in an exception that was serialized, which errors can't be
 */
public class OddException
internal constructor(
    failed: PluginException,
    @Transient public val error: Odd,
) : PluginException(failed) {
    private companion object {
        private const val serialVersionUID = 1L
    }
}
