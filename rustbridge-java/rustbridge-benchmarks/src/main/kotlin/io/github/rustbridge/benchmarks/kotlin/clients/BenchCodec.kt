// Written by `rustbridge gen -l kotlin` of the plugin `bench`: write it anew by that, not by hand.
@file:Suppress("REDUNDANT_VISIBILITY_MODIFIER")

package io.github.rustbridge.benchmarks.kotlin.clients

import io.github.rustbridge.PluginObject
import io.github.rustbridge.wire.Values
import io.github.rustbridge.wire.WireReader
import io.github.rustbridge.wire.WireWriter

/** Writes and reads the plugin's types. */
internal object BenchCodec {
    fun writeDivision(output: WireWriter, value: Division) {
        output.i64(value.a)
        output.i64(value.b)
    }

    fun readDivision(input: WireReader): Division = Division(input.i64(), input.i64())

    fun writeQuotient(output: WireWriter, value: Quotient) {
        output.f64(value.quotient)
    }

    fun readQuotient(input: WireReader): Quotient = Quotient(input.f64())

    fun writeValue(output: WireWriter, value: Value) {
        output.i32(value.value)
    }

    fun readValue(input: WireReader): Value = Value(input.i32())

    fun writeParts(output: WireWriter, value: Parts) {
        output.enter()
        writeListOfString(output, value.parts, "Parts.parts")
        output.leave()
    }

    fun readParts(input: WireReader): Parts {
        input.enter()
        val value = Parts(readListOfString(input))
        input.leave()
        return value
    }

    fun writeJoined(output: WireWriter, value: Joined) {
        output.enter()
        output.string(value.text, "Joined.text")
        output.leave()
    }

    fun readJoined(input: WireReader): Joined {
        input.enter()
        val value = Joined(input.string())
        input.leave()
        return value
    }

    fun writeValues_(output: WireWriter, value: Values_) {
        output.enter()
        writeListOfAny(output, value.values, "Values_.values")
        output.leave()
    }

    fun readValues_(input: WireReader): Values_ {
        input.enter()
        val value = Values_(readListOfAny(input))
        input.leave()
        return value
    }

    fun writeDivideParameters(output: WireWriter, value: DivideParameters) {
        output.i64(value.a)
        output.i64(value.b)
    }

    fun readDivideParameters(input: WireReader): DivideParameters =
        DivideParameters(input.i64(), input.i64())

    fun writePerson(output: WireWriter, value: Person) {
        output.enter()
        output.string(value.name, "Person.name")
        output.leave()
    }

    fun readPerson(input: WireReader): Person {
        input.enter()
        val value = Person(input.string())
        input.leave()
        return value
    }

    fun writeGreeting(output: WireWriter, value: Greeting) {
        output.enter()
        output.string(value.text, "Greeting.text")
        output.leave()
    }

    fun readGreeting(input: WireReader): Greeting {
        input.enter()
        val value = Greeting(input.string())
        input.leave()
        return value
    }

    fun writeReading(output: WireWriter, value: Reading) {
        output.i32(value.instrument.toInt())
        output.i64(value.at)
        output.f64(value.low)
        output.f64(value.high)
        output.f32(value.weight)
        output.i16(value.count.toShort())
    }

    fun readReading(input: WireReader): Reading =
        Reading(
            input.i32().toUInt(),
            input.i64(),
            input.f64(),
            input.f64(),
            input.f32(),
            input.i16().toUShort(),
        )

    fun writeItem(output: WireWriter, value: Item) {
        output.enter()
        output.i32(value.number.toInt())
        output.string(value.name, "Item.name")
        output.f64(value.price)
        output.leave()
    }

    fun readItem(input: WireReader): Item {
        input.enter()
        val value = Item(input.i32().toUInt(), input.string(), input.f64())
        input.leave()
        return value
    }

    fun writeShape(output: WireWriter, value: Shape) {
        output.enter()
        when (value) {
            is Shape.Circle -> {
                output.variant(0)
                writeShapeCircle(output, value)
            }
            is Shape.Rectangle -> {
                output.variant(1)
                writeShapeRectangle(output, value)
            }
            is Shape.Label -> {
                output.variant(2)
                writeShapeLabel(output, value)
            }
        }
        output.leave()
    }

    fun readShape(input: WireReader): Shape {
        input.enter()
        val value =
            when (input.variant(3, "Shape")) {
                0 -> readShapeCircle(input)
                1 -> readShapeRectangle(input)
                else -> readShapeLabel(input)
            }
        input.leave()
        return value
    }

    fun writeShapeCircle(output: WireWriter, value: Shape.Circle) {
        output.f64(value.radius)
    }

    fun readShapeCircle(input: WireReader): Shape.Circle = Shape.Circle(input.f64())

    fun writeShapeRectangle(output: WireWriter, value: Shape.Rectangle) {
        output.f64(value.width)
        output.f64(value.height)
    }

    fun readShapeRectangle(input: WireReader): Shape.Rectangle =
        Shape.Rectangle(input.f64(), input.f64())

    fun writeShapeLabel(output: WireWriter, value: Shape.Label) {
        output.string(value.text, "Shape.Label.text")
    }

    fun readShapeLabel(input: WireReader): Shape.Label = Shape.Label(input.string())

    fun writeStudents(output: WireWriter, value: Students) {
        output.enter()
        writeListOfStudent(output, value.students)
        output.leave()
    }

    fun readStudents(input: WireReader): Students {
        input.enter()
        val value = Students(readListOfStudent(input))
        input.leave()
        return value
    }

    fun writeStudent(output: WireWriter, value: Student) {
        output.enter()
        output.string(value.name, "Student.name")
        output.i32(value.friends)
        writeAddress(output, value.home)
        writeAddress(output, value.birth)
        writeDate(output, value.date)
        writeListOfSubject(output, value.subjects)
        writeListOfString(output, value.emails, "Student.emails")
        writeListOfSchool(output, value.schools)
        output.leave()
    }

    fun readStudent(input: WireReader): Student {
        input.enter()
        val value =
            Student(
                input.string(),
                input.i32(),
                readAddress(input),
                readAddress(input),
                readDate(input),
                readListOfSubject(input),
                readListOfString(input),
                readListOfSchool(input),
            )
        input.leave()
        return value
    }

    fun writeAddress(output: WireWriter, value: Address) {
        output.enter()
        output.string(value.city, "Address.city")
        output.i32(value.zip)
        output.string(value.street, "Address.street")
        output.i16(value.number)
        output.leave()
    }

    fun readAddress(input: WireReader): Address {
        input.enter()
        val value = Address(input.string(), input.i32(), input.string(), input.i16())
        input.leave()
        return value
    }

    fun writeDate(output: WireWriter, value: Date) {
        output.i32(value.year)
        output.i32(value.month)
        output.i32(value.day)
    }

    fun readDate(input: WireReader): Date = Date(input.i32(), input.i32(), input.i32())

    fun writeSubject(output: WireWriter, value: Subject) {
        output.enter()
        output.i32(value.id)
        output.string(value.title, "Subject.title")
        output.string(value.text, "Subject.text")
        output.leave()
    }

    fun readSubject(input: WireReader): Subject {
        input.enter()
        val value = Subject(input.i32(), input.string(), input.string())
        input.leave()
        return value
    }

    fun writeSchool(output: WireWriter, value: School) {
        output.enter()
        output.string(value.name, "School.name")
        writeAddress(output, value.address)
        writeDate(output, value.date)
        writeListOfString(output, value.emails, "School.emails")
        output.leave()
    }

    fun readSchool(input: WireReader): School {
        input.enter()
        val value =
            School(input.string(), readAddress(input), readDate(input), readListOfString(input))
        input.leave()
        return value
    }

    fun readAdder(input: WireReader): Adder =
        Adder(input.client() as Bench, input.`object`() as PluginObject)

    fun readSomeClass(input: WireReader): SomeClass =
        SomeClass(input.client() as Bench, input.`object`() as PluginObject)

    fun writeListOfString(output: WireWriter, value: List<String>, field: String) {
        output.count(value.size)
        for (item in value) {
            output.string(item, field)
        }
    }

    fun readListOfString(input: WireReader): List<String> {
        val items = arrayOfNulls<Any>(input.count(4))
        for (i in items.indices) items[i] = input.string()
        return Values.listOf(items)
    }

    fun writeListOfItem(output: WireWriter, value: List<Item>) {
        output.count(value.size)
        for (item in value) {
            writeItem(output, item)
        }
    }

    fun readListOfItem(input: WireReader): List<Item> {
        val items = arrayOfNulls<Any>(input.count(16))
        for (i in items.indices) items[i] = readItem(input)
        return Values.listOf(items)
    }

    fun writeListOfAny(output: WireWriter, value: List<Any?>, field: String) {
        output.count(value.size)
        for (item in value) {
            output.any(item, field)
        }
    }

    fun readListOfAny(input: WireReader): List<Any?> {
        val items = arrayOfNulls<Any>(input.count(1))
        for (i in items.indices) items[i] = input.any()
        return Values.listOfNullable(items)
    }

    fun writeListOfStudent(output: WireWriter, value: List<Student>) {
        output.count(value.size)
        for (item in value) {
            writeStudent(output, item)
        }
    }

    fun readListOfStudent(input: WireReader): List<Student> {
        val items = arrayOfNulls<Any>(input.count(60))
        for (i in items.indices) items[i] = readStudent(input)
        return Values.listOf(items)
    }

    fun writeListOfSubject(output: WireWriter, value: List<Subject>) {
        output.count(value.size)
        for (item in value) {
            writeSubject(output, item)
        }
    }

    fun readListOfSubject(input: WireReader): List<Subject> {
        val items = arrayOfNulls<Any>(input.count(12))
        for (i in items.indices) items[i] = readSubject(input)
        return Values.listOf(items)
    }

    fun writeListOfSchool(output: WireWriter, value: List<School>) {
        output.count(value.size)
        for (item in value) {
            writeSchool(output, item)
        }
    }

    fun readListOfSchool(input: WireReader): List<School> {
        val items = arrayOfNulls<Any>(input.count(34))
        for (i in items.indices) items[i] = readSchool(input)
        return Values.listOf(items)
    }
}
