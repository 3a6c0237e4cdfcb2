// Written by `rustbridge gen -l java` of the plugin `bench`: write it anew by that, not by hand.
package io.github.rustbridge.benchmarks.clients;

import io.github.rustbridge.PluginObject;
import io.github.rustbridge.wire.Values;
import io.github.rustbridge.wire.WireReader;
import io.github.rustbridge.wire.WireWriter;
import java.util.List;
import java.util.Objects;

/** Writes and reads the plugin's types. */
final class BenchCodec {

  private BenchCodec() {}

  static void writeDivision(WireWriter out, Division value) {
    out.i64(value.a());
    out.i64(value.b());
  }

  static Division readDivision(WireReader in) {
    return new Division(in.i64(), in.i64());
  }

  static void writeQuotient(WireWriter out, Quotient value) {
    out.f64(value.quotient());
  }

  static Quotient readQuotient(WireReader in) {
    return new Quotient(in.f64());
  }

  static void writeValue(WireWriter out, Value value) {
    out.i32(value.value());
  }

  static Value readValue(WireReader in) {
    return new Value(in.i32());
  }

  static void writeParts(WireWriter out, Parts value) {
    out.enter();
    writeListOfString(out, value.parts(), "Parts.parts");
    out.leave();
  }

  static Parts readParts(WireReader in) {
    in.enter();
    Parts value = new Parts(readListOfString(in));
    in.leave();
    return value;
  }

  static void writeJoined(WireWriter out, Joined value) {
    out.enter();
    out.string(value.text(), "Joined.text");
    out.leave();
  }

  static Joined readJoined(WireReader in) {
    in.enter();
    Joined value = new Joined(in.string());
    in.leave();
    return value;
  }

  static void writeValues_(WireWriter out, Values_ value) {
    out.enter();
    writeListOfAny(out, value.values(), "Values_.values");
    out.leave();
  }

  static Values_ readValues_(WireReader in) {
    in.enter();
    Values_ value = new Values_(readListOfAny(in));
    in.leave();
    return value;
  }

  static void writeDivideParameters(WireWriter out, DivideParameters value) {
    out.i64(value.a());
    out.i64(value.b());
  }

  static DivideParameters readDivideParameters(WireReader in) {
    return new DivideParameters(in.i64(), in.i64());
  }

  static void writePerson(WireWriter out, Person value) {
    out.enter();
    out.string(value.name(), "Person.name");
    out.leave();
  }

  static Person readPerson(WireReader in) {
    in.enter();
    Person value = new Person(in.string());
    in.leave();
    return value;
  }

  static void writeGreeting(WireWriter out, Greeting value) {
    out.enter();
    out.string(value.text(), "Greeting.text");
    out.leave();
  }

  static Greeting readGreeting(WireReader in) {
    in.enter();
    Greeting value = new Greeting(in.string());
    in.leave();
    return value;
  }

  static void writeReading(WireWriter out, Reading value) {
    out.u32(value.instrument(), "Reading.instrument");
    out.i64(value.at());
    out.f64(value.low());
    out.f64(value.high());
    out.f32(value.weight());
    out.u16(value.count(), "Reading.count");
  }

  static Reading readReading(WireReader in) {
    return new Reading(in.u32(), in.i64(), in.f64(), in.f64(), in.f32(), in.u16());
  }

  static void writeItem(WireWriter out, Item value) {
    out.enter();
    out.u32(value.number(), "Item.number");
    out.string(value.name(), "Item.name");
    out.f64(value.price());
    out.leave();
  }

  static Item readItem(WireReader in) {
    in.enter();
    Item value = new Item(in.u32(), in.string(), in.f64());
    in.leave();
    return value;
  }

  static void writeShape(WireWriter out, Shape value) {
    Objects.requireNonNull(value, "Shape");
    out.enter();
    if (value instanceof Shape.Circle variant) {
      out.variant(0);
      writeShapeCircle(out, variant);
    } else if (value instanceof Shape.Rectangle variant) {
      out.variant(1);
      writeShapeRectangle(out, variant);
    } else if (value instanceof Shape.Label variant) {
      out.variant(2);
      writeShapeLabel(out, variant);
    }
    out.leave();
  }

  static Shape readShape(WireReader in) {
    in.enter();
    Shape value =
        switch (in.variant(3, "Shape")) {
          case 0 -> readShapeCircle(in);
          case 1 -> readShapeRectangle(in);
          default -> readShapeLabel(in);
        };
    in.leave();
    return value;
  }

  static void writeShapeCircle(WireWriter out, Shape.Circle value) {
    out.f64(value.radius());
  }

  static Shape.Circle readShapeCircle(WireReader in) {
    return new Shape.Circle(in.f64());
  }

  static void writeShapeRectangle(WireWriter out, Shape.Rectangle value) {
    out.f64(value.width());
    out.f64(value.height());
  }

  static Shape.Rectangle readShapeRectangle(WireReader in) {
    return new Shape.Rectangle(in.f64(), in.f64());
  }

  static void writeShapeLabel(WireWriter out, Shape.Label value) {
    out.string(value.text(), "Shape.Label.text");
  }

  static Shape.Label readShapeLabel(WireReader in) {
    return new Shape.Label(in.string());
  }

  static void writeStudents(WireWriter out, Students value) {
    out.enter();
    writeListOfStudent(out, value.students());
    out.leave();
  }

  static Students readStudents(WireReader in) {
    in.enter();
    Students value = new Students(readListOfStudent(in));
    in.leave();
    return value;
  }

  static void writeStudent(WireWriter out, Student value) {
    out.enter();
    out.string(value.name(), "Student.name");
    out.i32(value.friends());
    writeAddress(out, value.home());
    writeAddress(out, value.birth());
    writeDate(out, value.date());
    writeListOfSubject(out, value.subjects());
    writeListOfString(out, value.emails(), "Student.emails");
    writeListOfSchool(out, value.schools());
    out.leave();
  }

  static Student readStudent(WireReader in) {
    in.enter();
    Student value =
        new Student(
            in.string(),
            in.i32(),
            readAddress(in),
            readAddress(in),
            readDate(in),
            readListOfSubject(in),
            readListOfString(in),
            readListOfSchool(in));
    in.leave();
    return value;
  }

  static void writeAddress(WireWriter out, Address value) {
    out.enter();
    out.string(value.city(), "Address.city");
    out.i32(value.zip());
    out.string(value.street(), "Address.street");
    out.i16(value.number());
    out.leave();
  }

  static Address readAddress(WireReader in) {
    in.enter();
    Address value = new Address(in.string(), in.i32(), in.string(), in.i16());
    in.leave();
    return value;
  }

  static void writeDate(WireWriter out, Date value) {
    out.i32(value.year());
    out.i32(value.month());
    out.i32(value.day());
  }

  static Date readDate(WireReader in) {
    return new Date(in.i32(), in.i32(), in.i32());
  }

  static void writeSubject(WireWriter out, Subject value) {
    out.enter();
    out.i32(value.id());
    out.string(value.title(), "Subject.title");
    out.string(value.text(), "Subject.text");
    out.leave();
  }

  static Subject readSubject(WireReader in) {
    in.enter();
    Subject value = new Subject(in.i32(), in.string(), in.string());
    in.leave();
    return value;
  }

  static void writeSchool(WireWriter out, School value) {
    out.enter();
    out.string(value.name(), "School.name");
    writeAddress(out, value.address());
    writeDate(out, value.date());
    writeListOfString(out, value.emails(), "School.emails");
    out.leave();
  }

  static School readSchool(WireReader in) {
    in.enter();
    School value = new School(in.string(), readAddress(in), readDate(in), readListOfString(in));
    in.leave();
    return value;
  }

  static Adder readAdder(WireReader in) {
    return new Adder((Bench) in.client(), (PluginObject) in.object());
  }

  static SomeClass readSomeClass(WireReader in) {
    return new SomeClass((Bench) in.client(), (PluginObject) in.object());
  }

  static void writeListOfString(WireWriter out, List<String> value, String field) {
    out.count(value.size());
    for (String item : value) {
      out.string(item, field);
    }
  }

  static List<String> readListOfString(WireReader in) {
    Object[] items = new Object[in.count(4)];
    for (int i = 0; i < items.length; i++) {
      items[i] = in.string();
    }
    return Values.listOf(items);
  }

  static void writeListOfItem(WireWriter out, List<Item> value) {
    out.count(value.size());
    for (Item item : value) {
      writeItem(out, item);
    }
  }

  static List<Item> readListOfItem(WireReader in) {
    Object[] items = new Object[in.count(16)];
    for (int i = 0; i < items.length; i++) {
      items[i] = readItem(in);
    }
    return Values.listOf(items);
  }

  static void writeListOfAny(WireWriter out, List<Object> value, String field) {
    out.count(value.size());
    for (Object item : value) {
      out.any(item, field);
    }
  }

  static List<Object> readListOfAny(WireReader in) {
    Object[] items = new Object[in.count(1)];
    for (int i = 0; i < items.length; i++) {
      items[i] = in.any();
    }
    return Values.listOfNullable(items);
  }

  static void writeListOfStudent(WireWriter out, List<Student> value) {
    out.count(value.size());
    for (Student item : value) {
      writeStudent(out, item);
    }
  }

  static List<Student> readListOfStudent(WireReader in) {
    Object[] items = new Object[in.count(60)];
    for (int i = 0; i < items.length; i++) {
      items[i] = readStudent(in);
    }
    return Values.listOf(items);
  }

  static void writeListOfSubject(WireWriter out, List<Subject> value) {
    out.count(value.size());
    for (Subject item : value) {
      writeSubject(out, item);
    }
  }

  static List<Subject> readListOfSubject(WireReader in) {
    Object[] items = new Object[in.count(12)];
    for (int i = 0; i < items.length; i++) {
      items[i] = readSubject(in);
    }
    return Values.listOf(items);
  }

  static void writeListOfSchool(WireWriter out, List<School> value) {
    out.count(value.size());
    for (School item : value) {
      writeSchool(out, item);
    }
  }

  static List<School> readListOfSchool(WireReader in) {
    Object[] items = new Object[in.count(34)];
    for (int i = 0; i < items.length; i++) {
      items[i] = readSchool(in);
    }
    return Values.listOf(items);
  }
}
