// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.PluginObject;
import io.github.rustbridge.wire.Maybe;
import io.github.rustbridge.wire.Values;
import io.github.rustbridge.wire.WireReader;
import io.github.rustbridge.wire.WireWriter;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** Writes and reads the plugin's types. */
final class TypesCodec {
  private static final Color[] COLOR_CONSTANTS = Color.values();
  private static final Mood[] MOOD_CONSTANTS = Mood.values();
  private static final PowerError[] POWER_ERROR_CONSTANTS = PowerError.values();

  private TypesCodec() {}

  static void writeEvery(WireWriter out, Every value) {
    out.enter();
    writeNumbers(out, value.numbers());
    writeTexts(out, value.texts());
    writeTimes(out, value.times());
    writeLists(out, value.lists());
    writePairs(out, value.pairs());
    writeForeign(out, value.foreign());
    writePagePerson(out, value.people());
    writePageString(out, value.words());
    writeColor(out, value.color());
    writeShape(out, value.shape());
    writeTagged(out, value.tagged());
    writeUntagged(out, value.untagged());
    writeExpr(out, value.expr());
    writeTree(out, value.tree());
    writeSamples(out, value.samples());
    writeCelsius(out, value.celsius());
    writeUnit(out, value.unit());
    writeDefaults(out, value.defaults());
    writeRenamedRecord(out, value.renamed());
    out.any(value.any(), "Every.any");
    writeTupleOfU8AndStringAndOptionOfBool(out, value.tuple(), "Every.tuple");
    out.leave();
  }

  static Every readEvery(WireReader in) {
    in.enter();
    Every value =
        new Every(
            readNumbers(in),
            readTexts(in),
            readTimes(in),
            readLists(in),
            readPairs(in),
            readForeign(in),
            readPagePerson(in),
            readPageString(in),
            readColor(in),
            readShape(in),
            readTagged(in),
            readUntagged(in),
            readExpr(in),
            readTree(in),
            readSamples(in),
            readCelsius(in),
            readUnit(in),
            readDefaults(in),
            readRenamedRecord(in),
            in.any(),
            readTupleOfU8AndStringAndOptionOfBool(in));
    in.leave();
    return value;
  }

  static void writeNumbers(WireWriter out, Numbers value) {
    out.u8(value.u8(), "Numbers.u8");
    out.u16(value.u16(), "Numbers.u16");
    out.u32(value.u32(), "Numbers.u32");
    out.i64(value.u64());
    out.u128(value.u128(), "Numbers.u128");
    out.i8(value.i8());
    out.i16(value.i16());
    out.i32(value.i32());
    out.i64(value.i64());
    out.i128(value.i128(), "Numbers.i128");
    out.f32(value.f32());
    out.f64(value.f64());
    out.bool(value.bool());
    out.character(value.char_(), "Numbers.char_");
    out.i64(value.size());
  }

  static Numbers readNumbers(WireReader in) {
    return new Numbers(
        in.u8(),
        in.u16(),
        in.u32(),
        in.i64(),
        in.u128(),
        in.i8(),
        in.i16(),
        in.i32(),
        in.i64(),
        in.i128(),
        in.f32(),
        in.f64(),
        in.bool(),
        in.character(),
        in.i64());
  }

  static void writeTexts(WireWriter out, Texts value) {
    out.enter();
    out.string(value.text(), "Texts.text");
    out.string(value.boxed(), "Texts.boxed");
    writeOptionOfBytes(out, value.maybeBytes());
    out.bytes(value.bytes());
    writeOptionOfString(out, value.maybe(), "Texts.maybe");
    out.leave();
  }

  static Texts readTexts(WireReader in) {
    in.enter();
    Texts value =
        new Texts(
            in.string(), in.string(), readOptionOfBytes(in), in.bytes(), readOptionOfString(in));
    in.leave();
    return value;
  }

  static void writeTimes(WireWriter out, Times value) {
    out.enter();
    out.timestamp(value.at());
    out.duration(value.lasts(), "Times.lasts");
    writeOptionOfTimestamp(out, value.ends());
    out.leave();
  }

  static Times readTimes(WireReader in) {
    in.enter();
    Times value = new Times(in.timestamp(), in.duration(), readOptionOfTimestamp(in));
    in.leave();
    return value;
  }

  static void writeLists(WireWriter out, Lists value) {
    out.enter();
    out.bytes(value.bytes());
    out.bytes(value.small());
    out.i32s(value.numbers());
    out.f64s(value.doubles());
    writeListOfI128(out, value.large(), "Lists.large");
    out.bools(value.bools());
    writeListOfString(out, value.texts(), "Lists.texts");
    writeListOfListOfU16(out, value.nested());
    out.i32s(value.fixed(), 3, "Lists.fixed");
    writeArrayOf2ArrayOf2F64(out, value.matrix(), "Lists.matrix");
    writeArrayOf2String(out, value.names(), "Lists.names");
    out.i32s(value.set());
    writeListOfPerson(out, value.people());
    writeListOfPoint(out, value.points());
    out.i64s(value.sizes());
    out.f32s(value.boxes());
    out.characters(value.chars(), "Lists.chars");
    writeListOfOptionOfU8(out, value.options(), "Lists.options");
    writeListOfTupleOfU8AndU32(out, value.tuples(), "Lists.tuples");
    out.leave();
  }

  static Lists readLists(WireReader in) {
    in.enter();
    Lists value =
        new Lists(
            in.bytes(),
            in.bytes(),
            in.i32s(),
            in.f64s(),
            readListOfI128(in),
            in.bools(),
            readListOfString(in),
            readListOfListOfU16(in),
            in.i32s(3),
            readArrayOf2ArrayOf2F64(in),
            readArrayOf2String(in),
            in.i32s(),
            readListOfPerson(in),
            readListOfPoint(in),
            in.i64s(),
            in.f32s(),
            in.characters(),
            readListOfOptionOfU8(in),
            readListOfTupleOfU8AndU32(in));
    in.leave();
    return value;
  }

  static void writePerson(WireWriter out, Person value) {
    out.enter();
    out.string(value.name(), "Person.name");
    out.u32(value.age(), "Person.age");
    writeOptionOfString(out, value.email(), "Person.email");
    out.leave();
  }

  static Person readPerson(WireReader in) {
    in.enter();
    Person value = new Person(in.string(), in.u32(), readOptionOfString(in));
    in.leave();
    return value;
  }

  static void writePoint(WireWriter out, Point value) {
    out.f64(value.x());
    out.f64(value.y());
  }

  static Point readPoint(WireReader in) {
    return new Point(in.f64(), in.f64());
  }

  static void writePairs(WireWriter out, Pairs value) {
    out.enter();
    writeMapOfStringToU32(out, value.byName(), "Pairs.byName");
    writeMapOfI64ToString(out, value.byNumber(), "Pairs.byNumber");
    writeMapOfCharToBytes(out, value.byChar(), "Pairs.byChar");
    writeMapOfColorToPerson(out, value.byColor());
    writeMapOfU16ToOptionOfF32(out, value.hashed(), "Pairs.hashed");
    writeMapOfStringToMapOfU8ToBool(out, value.nested(), "Pairs.nested");
    out.leave();
  }

  static Pairs readPairs(WireReader in) {
    in.enter();
    Pairs value =
        new Pairs(
            readMapOfStringToU32(in),
            readMapOfI64ToString(in),
            readMapOfCharToBytes(in),
            readMapOfColorToPerson(in),
            readMapOfU16ToOptionOfF32(in),
            readMapOfStringToMapOfU8ToBool(in));
    in.leave();
    return value;
  }

  static void writeColor(WireWriter out, Color value) {
    out.variant(value.ordinal());
  }

  static Color readColor(WireReader in) {
    return COLOR_CONSTANTS[in.variant(3, "Color")];
  }

  static void writeForeign(WireWriter out, Foreign value) {
    out.enter();
    out.uuid(value.id());
    writeOptionOfUuid(out, value.parent());
    writeMapOfUuidToString(out, value.names(), "Foreign.names");
    out.timestamp(value.made());
    out.duration(value.took(), "Foreign.took");
    out.timestamp(value.seen());
    writeListOfDuration(out, value.waits(), "Foreign.waits");
    writeOptionOfTimestamp(out, value.ends());
    out.duration(value.lasts(), "Foreign.lasts");
    writeEndpoint(out, value.at());
    writeMapOfStringToListOfEndpoint(out, value.others(), "Foreign.others");
    out.leave();
  }

  static Foreign readForeign(WireReader in) {
    in.enter();
    Foreign value =
        new Foreign(
            in.uuid(),
            readOptionOfUuid(in),
            readMapOfUuidToString(in),
            in.timestamp(),
            in.duration(),
            in.timestamp(),
            readListOfDuration(in),
            readOptionOfTimestamp(in),
            in.duration(),
            readEndpoint(in),
            readMapOfStringToListOfEndpoint(in));
    in.leave();
    return value;
  }

  static void writeEndpoint(WireWriter out, Endpoint value) {
    out.enter();
    out.string(value.address(), "Endpoint.address");
    out.u16(value.port(), "Endpoint.port");
    out.leave();
  }

  static Endpoint readEndpoint(WireReader in) {
    in.enter();
    Endpoint value = new Endpoint(in.string(), in.u16());
    in.leave();
    return value;
  }

  static void writePagePerson(WireWriter out, PagePerson value) {
    out.enter();
    writeListOfPerson(out, value.items());
    out.i64(value.total());
    out.leave();
  }

  static PagePerson readPagePerson(WireReader in) {
    in.enter();
    PagePerson value = new PagePerson(readListOfPerson(in), in.i64());
    in.leave();
    return value;
  }

  static void writePageString(WireWriter out, PageString value) {
    out.enter();
    writeListOfString(out, value.items(), "PageString.items");
    out.i64(value.total());
    out.leave();
  }

  static PageString readPageString(WireReader in) {
    in.enter();
    PageString value = new PageString(readListOfString(in), in.i64());
    in.leave();
    return value;
  }

  static void writeShape(WireWriter out, Shape value) {
    Objects.requireNonNull(value, "Shape");
    out.enter();
    if (value instanceof Shape.Nothing) {
      out.variant(0);
    } else if (value instanceof Shape.Circle variant) {
      out.variant(1);
      writeShapeCircle(out, variant);
    } else if (value instanceof Shape.Polygon variant) {
      out.variant(2);
      writeShapePolygon(out, variant);
    }
    out.leave();
  }

  static Shape readShape(WireReader in) {
    in.enter();
    Shape value =
        switch (in.variant(3, "Shape")) {
          case 0 -> new Shape.Nothing();
          case 1 -> readShapeCircle(in);
          default -> readShapePolygon(in);
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

  static void writeShapePolygon(WireWriter out, Shape.Polygon value) {
    writeListOfPoint(out, value.value());
  }

  static Shape.Polygon readShapePolygon(WireReader in) {
    return new Shape.Polygon(readListOfPoint(in));
  }

  static void writeTagged(WireWriter out, Tagged value) {
    Objects.requireNonNull(value, "Tagged");
    out.enter();
    if (value instanceof Tagged.Started variant) {
      out.variant(0);
      writeTaggedStarted(out, variant);
    } else if (value instanceof Tagged.Moved variant) {
      out.variant(1);
      writeTaggedMoved(out, variant);
    } else if (value instanceof Tagged.Stopped) {
      out.variant(2);
    }
    out.leave();
  }

  static Tagged readTagged(WireReader in) {
    in.enter();
    Tagged value =
        switch (in.variant(3, "Tagged")) {
          case 0 -> readTaggedStarted(in);
          case 1 -> readTaggedMoved(in);
          default -> new Tagged.Stopped();
        };
    in.leave();
    return value;
  }

  static void writeTaggedStarted(WireWriter out, Tagged.Started value) {
    out.i64(value.atSecond());
  }

  static Tagged.Started readTaggedStarted(WireReader in) {
    return new Tagged.Started(in.i64());
  }

  static void writeTaggedMoved(WireWriter out, Tagged.Moved value) {
    writePoint(out, value.toPlace());
    writeOptionOfF32(out, value.howFast());
  }

  static Tagged.Moved readTaggedMoved(WireReader in) {
    return new Tagged.Moved(readPoint(in), readOptionOfF32(in));
  }

  static void writeUntagged(WireWriter out, Untagged value) {
    Objects.requireNonNull(value, "Untagged");
    out.enter();
    if (value instanceof Untagged.Number variant) {
      out.variant(0);
      writeUntaggedNumber(out, variant);
    } else if (value instanceof Untagged.Text variant) {
      out.variant(1);
      writeUntaggedText(out, variant);
    } else if (value instanceof Untagged.Both variant) {
      out.variant(2);
      writeUntaggedBoth(out, variant);
    }
    out.leave();
  }

  static Untagged readUntagged(WireReader in) {
    in.enter();
    Untagged value =
        switch (in.variant(3, "Untagged")) {
          case 0 -> readUntaggedNumber(in);
          case 1 -> readUntaggedText(in);
          default -> readUntaggedBoth(in);
        };
    in.leave();
    return value;
  }

  static void writeUntaggedNumber(WireWriter out, Untagged.Number value) {
    out.i64(value.value());
  }

  static Untagged.Number readUntaggedNumber(WireReader in) {
    return new Untagged.Number(in.i64());
  }

  static void writeUntaggedText(WireWriter out, Untagged.Text value) {
    out.string(value.value(), "Untagged.Text.value");
  }

  static Untagged.Text readUntaggedText(WireReader in) {
    return new Untagged.Text(in.string());
  }

  static void writeUntaggedBoth(WireWriter out, Untagged.Both value) {
    out.i64(value.item0());
    out.string(value.item1(), "Untagged.Both.item1");
  }

  static Untagged.Both readUntaggedBoth(WireReader in) {
    return new Untagged.Both(in.i64(), in.string());
  }

  static void writeExpr(WireWriter out, Expr value) {
    Objects.requireNonNull(value, "Expr");
    out.enter();
    if (value instanceof Expr.Number variant) {
      out.variant(0);
      writeExprNumber(out, variant);
    } else if (value instanceof Expr.Negated variant) {
      out.variant(1);
      writeExprNegated(out, variant);
    } else if (value instanceof Expr.Sum variant) {
      out.variant(2);
      writeExprSum(out, variant);
    } else if (value instanceof Expr.Call variant) {
      out.variant(3);
      writeExprCall(out, variant);
    }
    out.leave();
  }

  static Expr readExpr(WireReader in) {
    in.enter();
    Expr value =
        switch (in.variant(4, "Expr")) {
          case 0 -> readExprNumber(in);
          case 1 -> readExprNegated(in);
          case 2 -> readExprSum(in);
          default -> readExprCall(in);
        };
    in.leave();
    return value;
  }

  static void writeExprNumber(WireWriter out, Expr.Number value) {
    out.f64(value.value());
  }

  static Expr.Number readExprNumber(WireReader in) {
    return new Expr.Number(in.f64());
  }

  static void writeExprNegated(WireWriter out, Expr.Negated value) {
    writeExpr(out, value.value());
  }

  static Expr.Negated readExprNegated(WireReader in) {
    return new Expr.Negated(readExpr(in));
  }

  static void writeExprSum(WireWriter out, Expr.Sum value) {
    writeExpr(out, value.item0());
    writeExpr(out, value.item1());
  }

  static Expr.Sum readExprSum(WireReader in) {
    return new Expr.Sum(readExpr(in), readExpr(in));
  }

  static void writeExprCall(WireWriter out, Expr.Call value) {
    out.string(value.name(), "Expr.Call.name");
    writeListOfExpr(out, value.arguments());
  }

  static Expr.Call readExprCall(WireReader in) {
    return new Expr.Call(in.string(), readListOfExpr(in));
  }

  static void writeTree(WireWriter out, Tree value) {
    out.enter();
    out.string(value.name(), "Tree.name");
    writeListOfTree(out, value.children());
    out.leave();
  }

  static Tree readTree(WireReader in) {
    in.enter();
    Tree value = new Tree(in.string(), readListOfTree(in));
    in.leave();
    return value;
  }

  static void writeSamples(WireWriter out, Samples value) {
    out.enter();
    out.string(value.name(), "Samples.name");
    writeSample(out, value.first());
    writeListOfSample(out, value.all());
    writeArrayOf2Point(out, value.pair(), "Samples.pair");
    out.leave();
  }

  static Samples readSamples(WireReader in) {
    in.enter();
    Samples value =
        new Samples(in.string(), readSample(in), readListOfSample(in), readArrayOf2Point(in));
    in.leave();
    return value;
  }

  static void writeSample(WireWriter out, Sample value) {
    out.i64(value.time());
    out.f32(value.value());
    out.u16(value.channel(), "Sample.channel");
    out.bytes(value.flags(), 2, "Sample.flags");
  }

  static Sample readSample(WireReader in) {
    return new Sample(in.i64(), in.f32(), in.u16(), in.bytes(2));
  }

  static void writeCelsius(WireWriter out, Celsius value) {
    out.f64(value.value());
  }

  static Celsius readCelsius(WireReader in) {
    return new Celsius(in.f64());
  }

  static void writeUnit(WireWriter out, Unit value) {}

  static Unit readUnit(WireReader in) {
    return new Unit();
  }

  static void writeDefaults(WireWriter out, Defaults value) {
    out.enter();
    if (out.present(value.count() != null)) {
      out.u32(value.count(), "Defaults.count");
    }
    if (out.present(value.name() != null)) {
      out.string(value.name(), "Defaults.name");
    }
    if (out.present(value.list() != null)) {
      out.bytes(value.list());
    }
    if (out.present(value.maybe() != null)) {
      writeOptionOfU64(out, value.maybe().value());
    }
    out.leave();
  }

  static Defaults readDefaults(WireReader in) {
    in.enter();
    Defaults value =
        new Defaults(
            in.bool() ? in.u32() : null,
            in.bool() ? in.string() : null,
            in.bool() ? in.bytes() : null,
            in.bool() ? Maybe.of(readOptionOfU64(in)) : null);
    in.leave();
    return value;
  }

  static void writeRenamedRecord(WireWriter out, RenamedRecord value) {
    out.enter();
    out.string(value.firstName(), "RenamedRecord.firstName");
    writeColor(out, value.type());
    out.u8(value.class_(), "RenamedRecord.class_");
    writePerson(out, value.person());
    out.leave();
  }

  static RenamedRecord readRenamedRecord(WireReader in) {
    in.enter();
    RenamedRecord value = new RenamedRecord(in.string(), readColor(in), in.u8(), readPerson(in));
    in.leave();
    return value;
  }

  static void writeMood(WireWriter out, Mood value) {
    if (value == Mood.UNKNOWN) {
      throw WireWriter.unknownVariant("Mood");
    }
    out.variant(value.ordinal());
  }

  static Mood readMood(WireReader in) {
    return MOOD_CONSTANTS[in.openVariant(2, "Mood")];
  }

  static void writeEvent(WireWriter out, Event value) {
    Objects.requireNonNull(value, "Event");
    out.enter();
    if (value instanceof Event.Came) {
      out.variant(0);
    } else if (value instanceof Event.Met variant) {
      out.variant(1);
      writeEventMet(out, variant);
    } else if (value instanceof Event.Said variant) {
      out.variant(2);
      writeEventSaid(out, variant);
    } else if (value instanceof Event.Unknown) {
      throw WireWriter.unknownVariant("Event");
    }
    out.leave();
  }

  static Event readEvent(WireReader in) {
    in.enter();
    Event value =
        switch (in.openVariant(3, "Event")) {
          case 0 -> new Event.Came();
          case 1 -> readEventMet(in);
          case 2 -> readEventSaid(in);
          default -> new Event.Unknown();
        };
    in.leave();
    return value;
  }

  static void writeEventMet(WireWriter out, Event.Met value) {
    writeListOfPerson(out, value.others());
    writeMood(out, value.mood());
  }

  static Event.Met readEventMet(WireReader in) {
    return new Event.Met(readListOfPerson(in), readMood(in));
  }

  static void writeEventSaid(WireWriter out, Event.Said value) {
    out.string(value.value(), "Event.Said.value");
  }

  static Event.Said readEventSaid(WireReader in) {
    return new Event.Said(in.string());
  }

  static void writeBounded(WireWriter out, Bounded value) {
    out.enter();
    out.u8(value.share(), "Bounded.share");
    out.bytes(value.all());
    out.leave();
  }

  static Bounded readBounded(WireReader in) {
    in.enter();
    Bounded value = new Bounded(in.u8(), in.bytes());
    in.leave();
    return value;
  }

  static void writePartParameters(WireWriter out, PartParameters value) {
    out.enter();
    out.string(value.text(), "PartParameters.text");
    out.u32(value.start(), "PartParameters.start");
    writeOptionOfU32(out, value.count(), "PartParameters.count");
    out.leave();
  }

  static PartParameters readPartParameters(WireReader in) {
    in.enter();
    PartParameters value = new PartParameters(in.string(), in.u32(), readOptionOfU32(in));
    in.leave();
    return value;
  }

  static void writeSeveralParameters(WireWriter out, SeveralParameters value) {
    out.enter();
    writePerson(out, value.person());
    writeListOfString(out, value.nickNames(), "SeveralParameters.nickNames");
    out.f64s(value.numbers());
    writeColor(out, value.type());
    out.bytes(value.class_());
    writeOptionOfAny(out, value.self(), "SeveralParameters.self");
    out.leave();
  }

  static SeveralParameters readSeveralParameters(WireReader in) {
    in.enter();
    SeveralParameters value =
        new SeveralParameters(
            readPerson(in),
            readListOfString(in),
            in.f64s(),
            readColor(in),
            in.bytes(),
            readOptionOfAny(in));
    in.leave();
    return value;
  }

  static void writeCutParameters(WireWriter out, CutParameters value) {
    out.enter();
    writeCut(out, value.how());
    out.bytes(value.data());
    out.leave();
  }

  static CutParameters readCutParameters(WireReader in) {
    in.enter();
    CutParameters value = new CutParameters(readCut(in), in.bytes());
    in.leave();
    return value;
  }

  static void writeCut(WireWriter out, Cut value) {
    out.u32(value.skip(), "Cut.skip");
    out.u32(value.times(), "Cut.times");
  }

  static Cut readCut(WireReader in) {
    return new Cut(in.u32(), in.u32());
  }

  static void writePiece(WireWriter out, Piece value) {
    out.enter();
    out.i64(value.length());
    writeOptionOfU8(out, value.first(), "Piece.first");
    out.leave();
  }

  static Piece readPiece(WireReader in) {
    in.enter();
    Piece value = new Piece(in.i64(), readOptionOfU8(in));
    in.leave();
    return value;
  }

  static void writeCutLaterParameters(WireWriter out, CutLaterParameters value) {
    out.enter();
    writeCut(out, value.how());
    out.bytes(value.data());
    out.leave();
  }

  static CutLaterParameters readCutLaterParameters(WireReader in) {
    in.enter();
    CutLaterParameters value = new CutLaterParameters(readCut(in), in.bytes());
    in.leave();
    return value;
  }

  static void writeAgedParameters(WireWriter out, AgedParameters value) {
    out.enter();
    writePerson(out, value.person());
    out.u32(value.years(), "AgedParameters.years");
    out.leave();
  }

  static AgedParameters readAgedParameters(WireReader in) {
    in.enter();
    AgedParameters value = new AgedParameters(readPerson(in), in.u32());
    in.leave();
    return value;
  }

  static void writeStepsParameters(WireWriter out, StepsParameters value) {
    out.i64(value.first());
    out.i64(value.last());
    out.u32(value.step(), "StepsParameters.step");
  }

  static StepsParameters readStepsParameters(WireReader in) {
    return new StepsParameters(in.i64(), in.i64(), in.u32());
  }

  static void writeSearchParameters(WireWriter out, SearchParameters value) {
    out.enter();
    out.string(value.name(), "SearchParameters.name");
    writeListOfPerson(out, value.people());
    out.leave();
  }

  static SearchParameters readSearchParameters(WireReader in) {
    in.enter();
    SearchParameters value = new SearchParameters(in.string(), readListOfPerson(in));
    in.leave();
    return value;
  }

  static void writeSearchError(WireWriter out, SearchError value) {
    Objects.requireNonNull(value, "SearchError");
    out.enter();
    if (value instanceof SearchError.Nobody variant) {
      out.variant(0);
      writeSearchErrorNobody(out, variant);
    } else if (value instanceof SearchError.Hidden) {
      out.variant(1);
    } else if (value instanceof SearchError.Crowd variant) {
      out.variant(2);
      writeSearchErrorCrowd(out, variant);
    }
    out.leave();
  }

  static SearchError readSearchError(WireReader in) {
    in.enter();
    SearchError value =
        switch (in.variant(3, "SearchError")) {
          case 0 -> readSearchErrorNobody(in);
          case 1 -> new SearchError.Hidden();
          default -> readSearchErrorCrowd(in);
        };
    in.leave();
    return value;
  }

  static void writeSearchErrorNobody(WireWriter out, SearchError.Nobody value) {
    out.string(value.name(), "SearchError.Nobody.name");
    writeListOfPerson(out, value.similar());
  }

  static SearchError.Nobody readSearchErrorNobody(WireReader in) {
    return new SearchError.Nobody(in.string(), readListOfPerson(in));
  }

  static void writeSearchErrorCrowd(WireWriter out, SearchError.Crowd value) {
    out.i64(value.item0());
    out.f64s(value.item1());
  }

  static SearchError.Crowd readSearchErrorCrowd(WireReader in) {
    return new SearchError.Crowd(in.i64(), in.f64s());
  }

  static void writeSearchLaterParameters(WireWriter out, SearchLaterParameters value) {
    out.enter();
    out.string(value.name(), "SearchLaterParameters.name");
    writeListOfPerson(out, value.people());
    out.leave();
  }

  static SearchLaterParameters readSearchLaterParameters(WireReader in) {
    in.enter();
    SearchLaterParameters value = new SearchLaterParameters(in.string(), readListOfPerson(in));
    in.leave();
    return value;
  }

  static void writePaintParameters(WireWriter out, PaintParameters value) {
    out.enter();
    writeColor(out, value.color());
    writeOptionOfColor(out, value.better());
    out.leave();
  }

  static PaintParameters readPaintParameters(WireReader in) {
    in.enter();
    PaintParameters value = new PaintParameters(readColor(in), readOptionOfColor(in));
    in.leave();
    return value;
  }

  static void writeRefused(WireWriter out, Refused value) {
    out.enter();
    writeColor(out, value.color());
    writeOptionOfColor(out, value.better());
    out.leave();
  }

  static Refused readRefused(WireReader in) {
    in.enter();
    Refused value = new Refused(readColor(in), readOptionOfColor(in));
    in.leave();
    return value;
  }

  static void writePowerError(WireWriter out, PowerError value) {
    out.variant(value.ordinal());
  }

  static PowerError readPowerError(WireReader in) {
    return POWER_ERROR_CONSTANTS[in.variant(1, "PowerError")];
  }

  static void writeRepeat(WireWriter out, Repeat value) {
    out.enter();
    writePerson(out, value.person());
    out.u32(value.times(), "Repeat.times");
    out.leave();
  }

  static Repeat readRepeat(WireReader in) {
    in.enter();
    Repeat value = new Repeat(readPerson(in), in.u32());
    in.leave();
    return value;
  }

  static void writeBetweenParameters(WireWriter out, BetweenParameters value) {
    out.u32(value.youngest(), "BetweenParameters.youngest");
    out.u32(value.oldest(), "BetweenParameters.oldest");
  }

  static BetweenParameters readBetweenParameters(WireReader in) {
    return new BetweenParameters(in.u32(), in.u32());
  }

  static void writeCounters(WireWriter out, Counters value) {
    out.enter();
    writeOptionOfObjectCounter(out, value.first(), "Counters.first");
    writeListOfObjectCounter(out, value.others(), "Counters.others");
    out.string(value.name(), "Counters.name");
    out.leave();
  }

  static Counters readCounters(WireReader in) {
    in.enter();
    Counters value =
        new Counters(readOptionOfObjectCounter(in), readListOfObjectCounter(in), in.string());
    in.leave();
    return value;
  }

  static void writeTransferParameters(WireWriter out, TransferParameters value) {
    out.object(value.from(), "TransferParameters.from");
    out.object(value.to(), "TransferParameters.to");
    out.i64(value.count());
  }

  static TransferParameters readTransferParameters(WireReader in) {
    return new TransferParameters(readCounter(in), readCounter(in), in.i64());
  }

  static void writeRandom(WireWriter out, Random value) {
    out.enter();
    out.string(value.method(), "Random.method");
    out.i64(value.seed());
    out.leave();
  }

  static Random readRandom(WireReader in) {
    in.enter();
    Random value = new Random(in.string(), in.i64());
    in.leave();
    return value;
  }

  static void writeAsJsonParameters(WireWriter out, AsJsonParameters value) {
    out.enter();
    out.string(value.method(), "AsJsonParameters.method");
    out.bytes(value.message());
    out.leave();
  }

  static AsJsonParameters readAsJsonParameters(WireReader in) {
    in.enter();
    AsJsonParameters value = new AsJsonParameters(in.string(), in.bytes());
    in.leave();
    return value;
  }

  static void writeAsMessageParameters(WireWriter out, AsMessageParameters value) {
    out.enter();
    out.string(value.method(), "AsMessageParameters.method");
    out.string(value.json(), "AsMessageParameters.json");
    out.leave();
  }

  static AsMessageParameters readAsMessageParameters(WireReader in) {
    in.enter();
    AsMessageParameters value = new AsMessageParameters(in.string(), in.string());
    in.leave();
    return value;
  }

  static void writeOdd(WireWriter out, Odd value) {
    out.i64(value.count());
  }

  static Odd readOdd(WireReader in) {
    return new Odd(in.i64());
  }

  static void writeCounterWithinParameters(WireWriter out, CounterWithinParameters value) {
    out.i64(value.least());
    out.i64(value.most());
  }

  static CounterWithinParameters readCounterWithinParameters(WireReader in) {
    return new CounterWithinParameters(in.i64(), in.i64());
  }

  static Counter readCounter(WireReader in) {
    return new Counter((Types) in.client(), (PluginObject) in.object());
  }

  static void writeListOfEvent(WireWriter out, List<Event> value) {
    out.count(value.size());
    for (Event item : value) {
      writeEvent(out, item);
    }
  }

  static List<Event> readListOfEvent(WireReader in) {
    Object[] items = new Object[in.count(2)];
    for (int i = 0; i < items.length; i++) {
      items[i] = readEvent(in);
    }
    return Values.listOf(items);
  }

  static void writeMapOfStringToPerson(WireWriter out, Map<String, Person> value, String field) {
    out.count(value.size());
    for (Map.Entry<String, Person> pair : value.entrySet()) {
      out.string(pair.getKey(), field);
      writePerson(out, pair.getValue());
    }
  }

  static Map<String, Person> readMapOfStringToPerson(WireReader in) {
    int count = in.count(13);
    Map<String, Person> pairs = in.map(count);
    for (int i = 0; i < count; i++) {
      String key = in.string();
      pairs.put(key, readPerson(in));
    }
    return in.filled(pairs, count, false);
  }

  static void writeOptionOfPerson(WireWriter out, Person value) {
    if (out.present(value != null)) {
      writePerson(out, value);
    }
  }

  static Person readOptionOfPerson(WireReader in) {
    return in.bool() ? readPerson(in) : null;
  }

  static void writeTupleOfU8AndStringAndOptionOfBool(
      WireWriter out, Tuple3<Integer, String, Boolean> value, String field) {
    out.u8(value.item0(), field);
    out.string(value.item1(), field);
    writeOptionOfBool(out, value.item2());
  }

  static Tuple3<Integer, String, Boolean> readTupleOfU8AndStringAndOptionOfBool(WireReader in) {
    return new Tuple3<>(in.u8(), in.string(), readOptionOfBool(in));
  }

  static void writeTupleOfPersonAndListOfStringAndListOfF64AndColorAndBytesAndOptionOfAny(
      WireWriter out,
      Tuple6<Person, List<String>, double[], Color, byte[], Object> value,
      String field) {
    writePerson(out, value.item0());
    writeListOfString(out, value.item1(), field);
    out.f64s(value.item2());
    writeColor(out, value.item3());
    out.bytes(value.item4());
    writeOptionOfAny(out, value.item5(), field);
  }

  static Tuple6<Person, List<String>, double[], Color, byte[], Object>
      readTupleOfPersonAndListOfStringAndListOfF64AndColorAndBytesAndOptionOfAny(WireReader in) {
    return new Tuple6<>(
        readPerson(in),
        readListOfString(in),
        in.f64s(),
        readColor(in),
        in.bytes(),
        readOptionOfAny(in));
  }

  static void writeTupleOfPieceAndBytes(WireWriter out, Tuple2<Piece, byte[]> value) {
    writePiece(out, value.item0());
    out.bytes(value.item1());
  }

  static Tuple2<Piece, byte[]> readTupleOfPieceAndBytes(WireReader in) {
    return new Tuple2<>(readPiece(in), in.bytes());
  }

  static void writeListOfPerson(WireWriter out, List<Person> value) {
    out.count(value.size());
    for (Person item : value) {
      writePerson(out, item);
    }
  }

  static List<Person> readListOfPerson(WireReader in) {
    Object[] items = new Object[in.count(9)];
    for (int i = 0; i < items.length; i++) {
      items[i] = readPerson(in);
    }
    return Values.listOf(items);
  }

  static void writeTupleOfI64AndI64(WireWriter out, Tuple2<Long, Long> value) {
    out.i64(value.item0());
    out.i64(value.item1());
  }

  static Tuple2<Long, Long> readTupleOfI64AndI64(WireReader in) {
    return new Tuple2<>(in.i64(), in.i64());
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

  static void writeOptionOfString(WireWriter out, String value, String field) {
    if (out.present(value != null)) {
      out.string(value, field);
    }
  }

  static String readOptionOfString(WireReader in) {
    return in.bool() ? in.string() : null;
  }

  static void writeMapOfStringToU32(WireWriter out, Map<String, Long> value, String field) {
    out.count(value.size());
    for (Map.Entry<String, Long> pair : value.entrySet()) {
      out.string(pair.getKey(), field);
      out.u32(pair.getValue(), field);
    }
  }

  static Map<String, Long> readMapOfStringToU32(WireReader in) {
    int count = in.count(8);
    Map<String, Long> pairs = in.map(count);
    for (int i = 0; i < count; i++) {
      String key = in.string();
      pairs.put(key, in.u32());
    }
    return in.filled(pairs, count, false);
  }

  static void writeOptionOfBytes(WireWriter out, byte[] value) {
    if (out.present(value != null)) {
      out.bytes(value);
    }
  }

  static byte[] readOptionOfBytes(WireReader in) {
    return in.bool() ? in.bytes() : null;
  }

  static void writeOptionOfTimestamp(WireWriter out, Instant value) {
    if (out.present(value != null)) {
      out.timestamp(value);
    }
  }

  static Instant readOptionOfTimestamp(WireReader in) {
    return in.bool() ? in.timestamp() : null;
  }

  static void writeListOfI128(WireWriter out, List<BigInteger> value, String field) {
    out.alignedCount(value.size());
    for (BigInteger item : value) {
      out.i128(item, field);
    }
  }

  static List<BigInteger> readListOfI128(WireReader in) {
    Object[] items = new Object[in.alignedCount(16)];
    for (int i = 0; i < items.length; i++) {
      items[i] = in.i128();
    }
    return Values.listOf(items);
  }

  static void writeListOfListOfU16(WireWriter out, List<short[]> value) {
    out.count(value.size());
    for (short[] item : value) {
      out.i16s(item);
    }
  }

  static List<short[]> readListOfListOfU16(WireReader in) {
    Object[] items = new Object[in.count(4)];
    for (int i = 0; i < items.length; i++) {
      items[i] = in.i16s();
    }
    return Values.listOf(items);
  }

  static void writeArrayOf2ArrayOf2F64(WireWriter out, List<double[]> value, String field) {
    out.length(value.size(), 2, field);
    for (double[] item : value) {
      out.f64s(item, 2, field);
    }
  }

  static List<double[]> readArrayOf2ArrayOf2F64(WireReader in) {
    in.need(2, 16);
    Object[] items = new Object[2];
    for (int i = 0; i < items.length; i++) {
      items[i] = in.f64s(2);
    }
    return Values.listOf(items);
  }

  static void writeArrayOf2String(WireWriter out, List<String> value, String field) {
    out.length(value.size(), 2, field);
    for (String item : value) {
      out.string(item, field);
    }
  }

  static List<String> readArrayOf2String(WireReader in) {
    in.need(2, 4);
    Object[] items = new Object[2];
    for (int i = 0; i < items.length; i++) {
      items[i] = in.string();
    }
    return Values.listOf(items);
  }

  static void writeListOfPoint(WireWriter out, List<Point> value) {
    out.alignedCount(value.size());
    for (Point item : value) {
      writePoint(out, item);
    }
  }

  static List<Point> readListOfPoint(WireReader in) {
    Object[] items = new Object[in.alignedCount(16)];
    for (int i = 0; i < items.length; i++) {
      items[i] = readPoint(in);
    }
    return Values.listOf(items);
  }

  static void writeListOfOptionOfU8(WireWriter out, List<Integer> value, String field) {
    out.count(value.size());
    for (Integer item : value) {
      writeOptionOfU8(out, item, field);
    }
  }

  static List<Integer> readListOfOptionOfU8(WireReader in) {
    Object[] items = new Object[in.count(1)];
    for (int i = 0; i < items.length; i++) {
      items[i] = readOptionOfU8(in);
    }
    return Values.listOfNullable(items);
  }

  static void writeListOfTupleOfU8AndU32(
      WireWriter out, List<Tuple2<Integer, Long>> value, String field) {
    out.count(value.size());
    for (Tuple2<Integer, Long> item : value) {
      writeTupleOfU8AndU32(out, item, field);
    }
  }

  static List<Tuple2<Integer, Long>> readListOfTupleOfU8AndU32(WireReader in) {
    Object[] items = new Object[in.count(5)];
    for (int i = 0; i < items.length; i++) {
      items[i] = readTupleOfU8AndU32(in);
    }
    return Values.listOf(items);
  }

  static void writeMapOfI64ToString(WireWriter out, Map<Long, String> value, String field) {
    out.count(value.size());
    for (Map.Entry<Long, String> pair : value.entrySet()) {
      out.i64(pair.getKey());
      out.string(pair.getValue(), field);
    }
  }

  static Map<Long, String> readMapOfI64ToString(WireReader in) {
    int count = in.count(12);
    Map<Long, String> pairs = in.map(count);
    for (int i = 0; i < count; i++) {
      long key = in.i64();
      pairs.put(key, in.string());
    }
    return in.filled(pairs, count, false);
  }

  static void writeMapOfCharToBytes(WireWriter out, Map<Integer, byte[]> value, String field) {
    out.count(value.size());
    for (Map.Entry<Integer, byte[]> pair : value.entrySet()) {
      out.character(pair.getKey(), field);
      out.bytes(pair.getValue());
    }
  }

  static Map<Integer, byte[]> readMapOfCharToBytes(WireReader in) {
    int count = in.count(8);
    Map<Integer, byte[]> pairs = in.map(count);
    for (int i = 0; i < count; i++) {
      int key = in.character();
      pairs.put(key, in.bytes());
    }
    return in.filled(pairs, count, false);
  }

  static void writeMapOfColorToPerson(WireWriter out, Map<Color, Person> value) {
    out.count(value.size());
    for (Map.Entry<Color, Person> pair : value.entrySet()) {
      writeColor(out, pair.getKey());
      writePerson(out, pair.getValue());
    }
  }

  static Map<Color, Person> readMapOfColorToPerson(WireReader in) {
    int count = in.count(11);
    Map<Color, Person> pairs = in.map(count);
    for (int i = 0; i < count; i++) {
      Color key = readColor(in);
      pairs.put(key, readPerson(in));
    }
    return in.filled(pairs, count, false);
  }

  static void writeMapOfU16ToOptionOfF32(WireWriter out, Map<Integer, Float> value, String field) {
    out.count(value.size());
    for (Map.Entry<Integer, Float> pair : value.entrySet()) {
      out.u16(pair.getKey(), field);
      writeOptionOfF32(out, pair.getValue());
    }
  }

  static Map<Integer, Float> readMapOfU16ToOptionOfF32(WireReader in) {
    int count = in.count(3);
    Map<Integer, Float> pairs = in.map(count);
    for (int i = 0; i < count; i++) {
      int key = in.u16();
      pairs.put(key, readOptionOfF32(in));
    }
    return in.filled(pairs, count, true);
  }

  static void writeMapOfStringToMapOfU8ToBool(
      WireWriter out, Map<String, Map<Integer, Boolean>> value, String field) {
    out.count(value.size());
    for (Map.Entry<String, Map<Integer, Boolean>> pair : value.entrySet()) {
      out.string(pair.getKey(), field);
      writeMapOfU8ToBool(out, pair.getValue(), field);
    }
  }

  static Map<String, Map<Integer, Boolean>> readMapOfStringToMapOfU8ToBool(WireReader in) {
    int count = in.count(8);
    Map<String, Map<Integer, Boolean>> pairs = in.map(count);
    for (int i = 0; i < count; i++) {
      String key = in.string();
      pairs.put(key, readMapOfU8ToBool(in));
    }
    return in.filled(pairs, count, false);
  }

  static void writeOptionOfUuid(WireWriter out, UUID value) {
    if (out.present(value != null)) {
      out.uuid(value);
    }
  }

  static UUID readOptionOfUuid(WireReader in) {
    return in.bool() ? in.uuid() : null;
  }

  static void writeMapOfUuidToString(WireWriter out, Map<UUID, String> value, String field) {
    out.count(value.size());
    for (Map.Entry<UUID, String> pair : value.entrySet()) {
      out.uuid(pair.getKey());
      out.string(pair.getValue(), field);
    }
  }

  static Map<UUID, String> readMapOfUuidToString(WireReader in) {
    int count = in.count(20);
    Map<UUID, String> pairs = in.map(count);
    for (int i = 0; i < count; i++) {
      UUID key = in.uuid();
      pairs.put(key, in.string());
    }
    return in.filled(pairs, count, false);
  }

  static void writeListOfDuration(WireWriter out, List<Duration> value, String field) {
    out.count(value.size());
    for (Duration item : value) {
      out.duration(item, field);
    }
  }

  static List<Duration> readListOfDuration(WireReader in) {
    Object[] items = new Object[in.count(12)];
    for (int i = 0; i < items.length; i++) {
      items[i] = in.duration();
    }
    return Values.listOf(items);
  }

  static void writeMapOfStringToListOfEndpoint(
      WireWriter out, Map<String, List<Endpoint>> value, String field) {
    out.count(value.size());
    for (Map.Entry<String, List<Endpoint>> pair : value.entrySet()) {
      out.string(pair.getKey(), field);
      writeListOfEndpoint(out, pair.getValue());
    }
  }

  static Map<String, List<Endpoint>> readMapOfStringToListOfEndpoint(WireReader in) {
    int count = in.count(8);
    Map<String, List<Endpoint>> pairs = in.map(count);
    for (int i = 0; i < count; i++) {
      String key = in.string();
      pairs.put(key, readListOfEndpoint(in));
    }
    return in.filled(pairs, count, false);
  }

  static void writeOptionOfF32(WireWriter out, Float value) {
    if (out.present(value != null)) {
      out.f32(value);
    }
  }

  static Float readOptionOfF32(WireReader in) {
    return in.bool() ? in.f32() : null;
  }

  static void writeListOfExpr(WireWriter out, List<Expr> value) {
    out.count(value.size());
    for (Expr item : value) {
      writeExpr(out, item);
    }
  }

  static List<Expr> readListOfExpr(WireReader in) {
    Object[] items = new Object[in.count(2)];
    for (int i = 0; i < items.length; i++) {
      items[i] = readExpr(in);
    }
    return Values.listOf(items);
  }

  static void writeListOfTree(WireWriter out, List<Tree> value) {
    out.count(value.size());
    for (Tree item : value) {
      writeTree(out, item);
    }
  }

  static List<Tree> readListOfTree(WireReader in) {
    Object[] items = new Object[in.count(8)];
    for (int i = 0; i < items.length; i++) {
      items[i] = readTree(in);
    }
    return Values.listOf(items);
  }

  static void writeListOfSample(WireWriter out, List<Sample> value) {
    out.alignedCount(value.size());
    for (Sample item : value) {
      writeSample(out, item);
    }
  }

  static List<Sample> readListOfSample(WireReader in) {
    Object[] items = new Object[in.alignedCount(16)];
    for (int i = 0; i < items.length; i++) {
      items[i] = readSample(in);
    }
    return Values.listOf(items);
  }

  static void writeArrayOf2Point(WireWriter out, List<Point> value, String field) {
    out.length(value.size(), 2, field);
    for (Point item : value) {
      writePoint(out, item);
    }
  }

  static List<Point> readArrayOf2Point(WireReader in) {
    in.need(2, 16);
    Object[] items = new Object[2];
    for (int i = 0; i < items.length; i++) {
      items[i] = readPoint(in);
    }
    return Values.listOf(items);
  }

  static void writeOptionOfU64(WireWriter out, Long value) {
    if (out.present(value != null)) {
      out.i64(value);
    }
  }

  static Long readOptionOfU64(WireReader in) {
    return in.bool() ? in.i64() : null;
  }

  static void writeOptionOfU32(WireWriter out, Long value, String field) {
    if (out.present(value != null)) {
      out.u32(value, field);
    }
  }

  static Long readOptionOfU32(WireReader in) {
    return in.bool() ? in.u32() : null;
  }

  static void writeOptionOfAny(WireWriter out, Object value, String field) {
    if (out.present(value != null)) {
      out.any(value, field);
    }
  }

  static Object readOptionOfAny(WireReader in) {
    return in.bool() ? in.any() : null;
  }

  static void writeOptionOfU8(WireWriter out, Integer value, String field) {
    if (out.present(value != null)) {
      out.u8(value, field);
    }
  }

  static Integer readOptionOfU8(WireReader in) {
    return in.bool() ? in.u8() : null;
  }

  static void writeOptionOfColor(WireWriter out, Color value) {
    if (out.present(value != null)) {
      writeColor(out, value);
    }
  }

  static Color readOptionOfColor(WireReader in) {
    return in.bool() ? readColor(in) : null;
  }

  static void writeOptionOfObjectCounter(WireWriter out, Counter value, String field) {
    if (out.present(value != null)) {
      out.object(value, field);
    }
  }

  static Counter readOptionOfObjectCounter(WireReader in) {
    return in.bool() ? readCounter(in) : null;
  }

  static void writeListOfObjectCounter(WireWriter out, List<Counter> value, String field) {
    out.count(value.size());
    for (Counter item : value) {
      out.object(item, field);
    }
  }

  static List<Counter> readListOfObjectCounter(WireReader in) {
    Object[] items = new Object[in.count(4)];
    for (int i = 0; i < items.length; i++) {
      items[i] = readCounter(in);
    }
    return Values.listOf(items);
  }

  static void writeOptionOfBool(WireWriter out, Boolean value) {
    if (out.present(value != null)) {
      out.bool(value);
    }
  }

  static Boolean readOptionOfBool(WireReader in) {
    return in.bool() ? in.bool() : null;
  }

  static void writeTupleOfU8AndU32(WireWriter out, Tuple2<Integer, Long> value, String field) {
    out.u8(value.item0(), field);
    out.u32(value.item1(), field);
  }

  static Tuple2<Integer, Long> readTupleOfU8AndU32(WireReader in) {
    return new Tuple2<>(in.u8(), in.u32());
  }

  static void writeMapOfU8ToBool(WireWriter out, Map<Integer, Boolean> value, String field) {
    out.count(value.size());
    for (Map.Entry<Integer, Boolean> pair : value.entrySet()) {
      out.u8(pair.getKey(), field);
      out.bool(pair.getValue());
    }
  }

  static Map<Integer, Boolean> readMapOfU8ToBool(WireReader in) {
    int count = in.count(2);
    Map<Integer, Boolean> pairs = in.map(count);
    for (int i = 0; i < count; i++) {
      int key = in.u8();
      pairs.put(key, in.bool());
    }
    return in.filled(pairs, count, false);
  }

  static void writeListOfEndpoint(WireWriter out, List<Endpoint> value) {
    out.count(value.size());
    for (Endpoint item : value) {
      writeEndpoint(out, item);
    }
  }

  static List<Endpoint> readListOfEndpoint(WireReader in) {
    Object[] items = new Object[in.count(6)];
    for (int i = 0; i < items.length; i++) {
      items[i] = readEndpoint(in);
    }
    return Values.listOf(items);
  }
}
