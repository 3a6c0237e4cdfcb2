// Tests of the client that `rustbridge gen -l go` writes of types-plugin, which has every type there is. The plugin says what values there
// are, and gives them back.
package types

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"iter"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
	"github.com/rustbridge/rustbridge/rustbridge-go/typed"
	"github.com/rustbridge/rustbridge/rustbridge-go/wire"
)

// root is where the repository is.
func root() string {
	_, here, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(here), "..", "..", "..", "..")
}

// folder is where plugins and librustbridge are built.
func folder() string {
	if given := os.Getenv("RUSTBRIDGE_PLUGIN_DIR"); given != "" {
		return given
	}
	return filepath.Join(root(), "target", "release")
}

func TestMain(m *testing.M) {
	if os.Getenv("RUSTBRIDGE_LIBRARY") == "" {
		os.Setenv("RUSTBRIDGE_LIBRARY", folder())
	}
	os.Exit(m.Run())
}

func load(t testing.TB, services Services) *Types {
	return loadNamed(t, "types_plugin", services)
}

func loadNamed(t testing.TB, name string, services Services) *Types {
	t.Helper()
	quiet := rustbridge.Options{LogLevel: rustbridge.LevelOff}
	c, err := Load(filepath.Join(folder(), name), &quiet, services)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// limited is a context that ends a test which hangs.
func limited(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// echo does with a message what its type's functions do: read, write, call.
type echo func(t *testing.T, c *Types, message []byte) (failed *wire.Error, written []byte, isSame bool)

func echoOf[T any](
	of func(*Types) *typed.Method[T, T], write func(*wire.Writer, T), read func(*wire.Reader) T,
) echo {
	return func(t *testing.T, c *Types, message []byte) (*wire.Error, []byte, bool) {
		var r wire.Reader
		r.Reset(message, nil)
		value := read(&r)
		if failed := r.End(); failed != nil && strings.Contains(failed.What, "outside the range of a time.Duration") {
			// There are languages whose own type holds more: here it's a shorter one.
			seconds := binary.LittleEndian.Uint64(message[failed.At:])
			binary.LittleEndian.PutUint64(message[failed.At:], seconds%1_000_000_000)
			return echoOf(of, write, read)(t, c, message)
		} else if failed != nil {
			return failed, nil, false
		}
		var w wire.Writer
		write(&w, value)
		if failed := w.Err(); failed != nil {
			t.Fatal(failed)
		}
		answer, err := of(c).Call(limited(t), value)
		if err != nil {
			t.Fatal(err)
		}
		return nil, w.Bytes(), same(reflect.ValueOf(value), reflect.ValueOf(answer))
	}
}

var echoes = map[string]echo{
	"any":       echoOf(func(c *Types) *typed.Method[any, any] { return c.any_ }, (*wire.Writer).Any, (*wire.Reader).Any),
	"bounded":   echoOf(func(c *Types) *typed.Method[Bounded, Bounded] { return c.bounded }, writeBounded, readBounded),
	"celsius":   echoOf(func(c *Types) *typed.Method[Celsius, Celsius] { return c.celsius }, writeCelsius, readCelsius),
	"color":     echoOf(func(c *Types) *typed.Method[Color, Color] { return c.color }, writeColor, readColor),
	"defaults":  echoOf(func(c *Types) *typed.Method[Defaults, Defaults] { return c.defaults }, writeDefaults, readDefaults),
	"doubles":   echoOf(func(c *Types) *typed.Method[[]float64, []float64] { return c.doubles }, wire.WriteBlock[float64], wire.ReadBlock[float64]),
	"duration":  echoOf(func(c *Types) *typed.Method[time.Duration, time.Duration] { return c.duration }, (*wire.Writer).Duration, (*wire.Reader).Duration),
	"events":    echoOf(func(c *Types) *typed.Method[[]Event, []Event] { return c.events }, writeListOfEvent, readListOfEvent),
	"every":     echoOf(func(c *Types) *typed.Method[Every, Every] { return c.every }, writeEvery, readEvery),
	"expr":      echoOf(func(c *Types) *typed.Method[Expr, Expr] { return c.expr }, writeExpr, readExpr),
	"foreign":   echoOf(func(c *Types) *typed.Method[Foreign, Foreign] { return c.foreign }, writeForeign, readForeign),
	"lists":     echoOf(func(c *Types) *typed.Method[Lists, Lists] { return c.lists }, writeLists, readLists),
	"map":       echoOf(func(c *Types) *typed.Method[map[string]Person, map[string]Person] { return c.map_ }, writeMapOfTextToPerson, readMapOfTextToPerson),
	"maybe":     echoOf(func(c *Types) *typed.Method[*Person, *Person] { return c.maybe }, writeOptionOfPerson, readOptionOfPerson),
	"mood":      echoOf(func(c *Types) *typed.Method[Mood, Mood] { return c.mood }, writeMood, readMood),
	"numbers":   echoOf(func(c *Types) *typed.Method[Numbers, Numbers] { return c.numbers }, writeNumbers, readNumbers),
	"pairs":     echoOf(func(c *Types) *typed.Method[Pairs, Pairs] { return c.pairs }, writePairs, readPairs),
	"people":    echoOf(func(c *Types) *typed.Method[PagePerson, PagePerson] { return c.people }, writePagePerson, readPagePerson),
	"person":    echoOf(func(c *Types) *typed.Method[Person, Person] { return c.person }, writePerson, readPerson),
	"point":     echoOf(func(c *Types) *typed.Method[Point, Point] { return c.point }, wire.WritePlain[Point], wire.ReadPlain[Point]),
	"renamed":   echoOf(func(c *Types) *typed.Method[RenamedRecord, RenamedRecord] { return c.renamed }, writeRenamedRecord, readRenamedRecord),
	"samples":   echoOf(func(c *Types) *typed.Method[Samples, Samples] { return c.samples }, writeSamples, readSamples),
	"shape":     echoOf(func(c *Types) *typed.Method[Shape, Shape] { return c.shape }, writeShape, readShape),
	"tagged":    echoOf(func(c *Types) *typed.Method[Tagged, Tagged] { return c.tagged }, writeTagged, readTagged),
	"texts":     echoOf(func(c *Types) *typed.Method[Texts, Texts] { return c.texts }, writeTexts, readTexts),
	"times":     echoOf(func(c *Types) *typed.Method[Times, Times] { return c.times }, writeTimes, readTimes),
	"timestamp": echoOf(func(c *Types) *typed.Method[time.Time, time.Time] { return c.timestamp }, (*wire.Writer).Time, (*wire.Reader).Time),
	"tree":      echoOf(func(c *Types) *typed.Method[Tree, Tree] { return c.tree }, writeTree, readTree),
	"tuple": echoOf(func(c *Types) *typed.Method[wire.Tuple3[uint8, string, *bool], wire.Tuple3[uint8, string, *bool]] {
		return c.tuple
	},
		writeTupleOfUint8AndTextAndOptionOfBool, readTupleOfUint8AndTextAndOptionOfBool),
	"unit":     echoOf(func(c *Types) *typed.Method[Unit, Unit] { return c.unit }, writeUnit, readUnit),
	"untagged": echoOf(func(c *Types) *typed.Method[Untagged, Untagged] { return c.untagged }, writeUntagged, readUntagged),
}

// same compares as reflect.DeepEqual does, by which NaN is another NaN.
func same(one, other reflect.Value) bool {
	if !one.IsValid() || !other.IsValid() {
		return one.IsValid() == other.IsValid()
	}
	if one.Type() != other.Type() {
		return false
	}
	if at, is := one.Interface().(time.Time); is {
		return at.Equal(other.Interface().(time.Time))
	}
	switch one.Kind() {
	case reflect.Float32, reflect.Float64:
		return one.Float() == other.Float() || math.IsNaN(one.Float()) && math.IsNaN(other.Float())
	case reflect.Pointer, reflect.Interface:
		return same(one.Elem(), other.Elem())
	case reflect.Slice, reflect.Array:
		if one.Len() != other.Len() || one.Kind() == reflect.Slice && one.IsNil() != other.IsNil() {
			return false
		}
		for place := range one.Len() {
			if !same(one.Index(place), other.Index(place)) {
				return false
			}
		}
		return true
	case reflect.Map:
		if one.Len() != other.Len() {
			return false
		}
		for _, key := range one.MapKeys() {
			if !same(one.MapIndex(key), other.MapIndex(key)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for place := range one.NumField() {
			if !same(one.Field(place), other.Field(place)) {
				return false
			}
		}
		return true
	}
	return one.Equal(other)
}

func TestEachMethodThatGivesBackWhatItGetsIsWalked(t *testing.T) {
	names, err := load(t, Services{}).Echoes(limited(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if echoes[name] == nil {
			t.Errorf("%s isn't walked", name)
		}
	}
	if len(names) != len(echoes) {
		t.Errorf("%d are walked, and there are %d", len(echoes), len(names))
	}
}

func TestRandomValuesComeBackAsTheyWere(t *testing.T) {
	c := load(t, Services{})
	for name, echo := range echoes {
		for seed := range uint64(50) {
			message, err := c.Random(limited(t), Random{name, seed})
			if err != nil {
				t.Fatal(err)
			}
			failed, written, isSame := echo(t, c, message)
			if failed != nil || len(written) != len(message) || !isSame {
				t.Errorf("%s, seed %d: %x\nis written as %x: %v, comes back the same: %v", name, seed, message, written, failed, isSame)
			}
		}
	}
}

func TestRandomValuesComeBackFromTheNextVersion(t *testing.T) {
	c, next := load(t, Services{}), loadNamed(t, "types_plugin_next", Services{})
	for name, echo := range echoes {
		// What the next version makes of open enums is known to it alone.
		if name == "mood" || name == "events" {
			continue
		}
		for seed := range uint64(5) {
			message, err := c.Random(limited(t), Random{name, seed})
			if err != nil {
				t.Fatal(err)
			}
			if failed, _, isSame := echo(t, next, message); failed != nil || !isSame {
				t.Errorf("%s, seed %d: %v, comes back the same: %v", name, seed, failed, isSame)
			}
		}
	}
}

func TestWhatAnOlderPluginLacksFailsWhenItIsUsed(t *testing.T) {
	older := loadNamed(t, "types_plugin_older", Services{})
	email := "ada@example.org"
	ada, emmy := Person{Name: "Ada", Age: 36, Email: &email}, Person{Name: "Emmy", Age: 53}
	people := func(people ...Person) iter.Seq2[Person, error] {
		return func(yield func(Person, error) bool) {
			for _, person := range people {
				if !yield(person, nil) {
					return
				}
			}
		}
	}
	if page, err := older.Collect(limited(t), 1, people(emmy, emmy)); err != nil || page.Total != 3 {
		t.Fatal(page, err)
	}
	_, lacking := older.Person(limited(t), ada)
	// An item that can't be sent ends the call, which would wait for more otherwise.
	_, refused := older.Collect(limited(t), 1, people(emmy, ada))
	for _, err := range []error{lacking, refused} {
		var failed *rustbridge.Error
		if !errors.As(err, &failed) || failed.Code != rustbridge.Unimplemented || failed.Type != "rustbridge.NotInPlugin" || !strings.Contains(failed.Message, "email") {
			t.Error(err)
		}
	}
	if _, err := older.Celsius(limited(t), 1); !errors.Is(err, rustbridge.Unimplemented) {
		t.Error(err)
	}
}

func TestOpenEnumsHaveAVariantForThoseThatAreNotKnown(t *testing.T) {
	next := loadNamed(t, "types_plugin_next", Services{})
	if mood, err := next.Mood(limited(t), MoodGlad); err != nil || mood != MoodUnknown {
		t.Fatal(mood, err)
	}
	ada := Person{Name: "Ada", Age: 36}
	events, err := next.Events(limited(t), []Event{EventCame{}, EventMet{[]Person{ada}, MoodGlad}, EventSaid{"hi"}})
	if err != nil || !slices.Contains(events, Event(EventUnknown{})) {
		t.Fatal(events, err)
	}
	for _, unknown := range [][]Event{{EventUnknown{}}, {nil}, {&EventSaid{"hi"}}} {
		_, err = next.Events(limited(t), unknown)
		var failed *rustbridge.Error
		if !errors.As(err, &failed) || failed.Code != rustbridge.InvalidArgument || !strings.Contains(failed.Message, "events: request[0]: ") {
			t.Error(err)
		}
	}
}

func TestAClientOfOtherTypesIsRefused(t *testing.T) {
	plugin, err := rustbridge.Load(filepath.Join(folder(), "types_plugin_broken"), &rustbridge.Options{LogLevel: rustbridge.LevelOff})
	if err != nil {
		t.Fatal(err)
	}
	defer plugin.Close()
	c, err := Of(plugin)
	if c != nil || !errors.Is(err, rustbridge.FailedPrecondition) {
		t.Fatal(c, err)
	}
	if c, err = Of(nil); c != nil || !errors.Is(err, rustbridge.InvalidArgument) {
		t.Fatal(c, err)
	}
}

func TestVectorsAreReadAndWritten(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root(), "conformance", "wire", "vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			Name, Method, Wire, Refused, Path string
			Filled                            any
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	c := load(t, Services{})
	for _, vector := range file.Vectors {
		t.Run(vector.Name, func(t *testing.T) {
			message, err := hex.DecodeString(vector.Wire)
			if err != nil {
				t.Fatal(err)
			}
			echo := echoes[vector.Method]
			if echo == nil {
				t.Fatalf("%s isn't walked", vector.Method)
			}
			failed, written, isSame := echo(t, c, message)
			if vector.Refused != "" {
				if failed == nil {
					t.Fatal("it isn't refused")
				}
				clientSchema.Locate(failed, wire.Side{Name: vector.Method, Which: "response"}, "response", message)
				if path := strings.TrimPrefix(strings.TrimPrefix(failed.Path, "response"), "."); vector.Path != "" && path != vector.Path {
					t.Fatalf("%v is said to be at %q, not %q", failed, path, vector.Path)
				}
				return
			}
			if failed != nil || !bytes.Equal(written, message) && vector.Method != "pairs" || len(written) != len(message) {
				t.Fatalf("it's written as\n%x, not\n%x: %v", written, message, failed)
			}
			if isSame == (vector.Filled != nil) {
				t.Fatalf("it comes back the same: %v", isSame)
			}
		})
	}
}

func TestAMessageThatIsCutOrTooLongIsRefused(t *testing.T) {
	c := load(t, Services{})
	for name, echo := range echoes {
		message, err := c.Random(limited(t), Random{name, 3})
		if err != nil {
			t.Fatal(err)
		}
		for length := range len(message) {
			failed, _, _ := echo(t, c, message[:length])
			if failed == nil {
				t.Fatalf("%s: %d bytes of %x aren't refused", name, length, message)
			}
			clientSchema.Locate(failed, wire.Side{Name: name, Which: "response"}, "response", message[:length])
		}
		if failed, _, _ := echo(t, c, append(message, 0)); failed == nil || !strings.Contains(failed.What, "1 bytes are left after the value") {
			t.Fatalf("%s: %v", name, failed)
		}
	}
}
