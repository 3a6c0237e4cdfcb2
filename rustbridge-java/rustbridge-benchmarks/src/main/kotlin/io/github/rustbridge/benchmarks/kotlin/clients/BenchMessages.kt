// Written by `rustbridge gen -l kotlin` of the plugin `bench`: write it anew by that, not by hand.
@file:Suppress("REDUNDANT_VISIBILITY_MODIFIER")

package io.github.rustbridge.benchmarks.kotlin.clients

import io.github.rustbridge.kotlin.Content

/**
 * Two numbers to divide.
 *
 * @property a What is divided.
 * @property b By what.
 */
public data class Division(public val a: Long, public val b: Long)

/**
 * A quotient.
 *
 * @property quotient The quotient.
 */
public data class Quotient(public val quotient: Double)

/**
 * A question, and its answer.
 *
 * @property value The number.
 */
public data class Value(public val value: Int)

/**
 * Texts to join.
 *
 * @property parts The texts.
 */
public data class Parts(public val parts: List<String>)

/**
 * Joined texts.
 *
 * @property text All of them.
 */
public data class Joined(public val text: String)

/**
 * A list of values whose types only the values themselves know.
 *
 * @property values The values.
 */
public data class Values_(public val values: List<Any?>) {
    private fun content(): Array<Any?> = arrayOf(values)

    override fun equals(other: Any?): Boolean =
        other is Values_ && Content.equal(content(), other.content())

    override fun hashCode(): Int = Content.hash(content())

    override fun toString(): String = Content.text("Values_", content(), "values")
}

/** What `divide` takes. */
internal class DivideParameters(val a: Long, val b: Long)

/**
 * Somebody to greet.
 *
 * @property name What they're called.
 */
public data class Person(public val name: String)

/**
 * How somebody is greeted.
 *
 * @property text What is said.
 */
public data class Greeting(public val text: String)

/**
 * What an instrument has measured: numbers of different widths.
 *
 * @property instrument Which instrument it was.
 * @property at When, in seconds.
 * @property low The least.
 * @property high The most.
 * @property weight How much it counts.
 * @property count How often it was measured.
 */
public data class Reading(
    public val instrument: UInt,
    public val at: Long,
    public val low: Double,
    public val high: Double,
    public val weight: Float,
    public val count: UShort,
)

/**
 * Something that's sold.
 *
 * @property number Which one it is.
 * @property name What it's called.
 * @property price What it costs.
 */
public data class Item(public val number: UInt, public val name: String, public val price: Double)

/** Something that can be drawn. */
public sealed interface Shape {
    /**
     * Round.
     *
     * @property radius From the middle to the line.
     */
    public data class Circle(public val radius: Double) : Shape

    /**
     * With four corners.
     *
     * @property width From left to right.
     * @property height From top to bottom.
     */
    public data class Rectangle(public val width: Double, public val height: Double) : Shape

    /**
     * Text.
     *
     * @property text What it says.
     */
    public data class Label(public val text: String) : Shape
}

/**
 * All students.
 *
 * @property students 34 of them.
 */
public data class Students(public val students: List<Student>)

/**
 * A student.
 *
 * @property name 43 characters.
 * @property friends From 0 to 599.
 * @property home Where the student lives.
 * @property birth Where the student was born.
 * @property date When the student was born.
 * @property subjects 34 of them.
 * @property emails 34 of 37 characters.
 * @property schools 34 of them.
 */
public data class Student(
    public val name: String,
    public val friends: Int,
    public val home: Address,
    public val birth: Address,
    public val date: Date,
    public val subjects: List<Subject>,
    public val emails: List<String>,
    public val schools: List<School>,
)

/**
 * A place.
 *
 * @property city 12 characters.
 * @property zip From 5000 to 7999.
 * @property street 16 characters.
 * @property number From 1 to 125.
 */
public data class Address(
    public val city: String,
    public val zip: Int,
    public val street: String,
    public val number: Short,
)

/**
 * A day.
 *
 * @property year From 1900 to 1929.
 * @property month From 1 to 12.
 * @property day From 1 to 30.
 */
public data class Date(public val year: Int, public val month: Int, public val day: Int)

/**
 * What is taught.
 *
 * @property id From 0 to 28344.
 * @property title 22 characters.
 * @property text 16 characters.
 */
public data class Subject(public val id: Int, public val title: String, public val text: String)

/**
 * A school.
 *
 * @property name 36 characters.
 * @property address Where it is.
 * @property date Since when it has been there.
 * @property emails 34 of 37 characters.
 */
public data class School(
    public val name: String,
    public val address: Address,
    public val date: Date,
    public val emails: List<String>,
)
