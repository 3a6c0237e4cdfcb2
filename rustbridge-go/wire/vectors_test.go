// Tests of the wire form over the bytes that its page says, read and written by types that are put together by hand here. All others are
// read and written by the client of types-plugin, in its own tests.
package wire

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

type vector struct {
	Name, Method, Wire string
	JSON               *string
	Refused, Path      string
}

func vectors(t testing.TB) []vector {
	text, err := os.ReadFile("../../conformance/wire/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors []vector }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Vectors) < 50 {
		t.Fatalf("%d vectors are few", len(file.Vectors))
	}
	return file.Vectors
}

func decoded(t testing.TB, vector vector) []byte {
	message, err := hex.DecodeString(vector.Wire)
	if err != nil {
		t.Fatal(err)
	}
	return message
}

// clientSchema is the description of types-plugin, in which the paths of failures are looked up.
func clientSchema(t testing.TB) *ClientSchema {
	text, err := os.ReadFile("../../plugins/types-plugin/types.rbdesc")
	if err != nil {
		t.Fatal(err)
	}
	// It has an entry for each encoding, and clients carry that of the wire form alone.
	var description map[string]any
	if err := json.Unmarshal(text, &description); err != nil {
		t.Fatal(err)
	}
	for _, one := range description["methods"].([]any) {
		method := one.(map[string]any)
		method["entries"] = slices.DeleteFunc(method["entries"].([]any), func(entry any) bool {
			return entry.(map[string]any)["encoding"] != "wire"
		})
	}
	carried, err := json.Marshal(description)
	if err != nil {
		t.Fatal(err)
	}
	return NewClientSchema(string(carried))
}

type person struct {
	Name  string
	Age   uint32
	Email *string
}

func readPerson(r *Reader) (v person) {
	if !r.Enter() {
		return v
	}
	v.Name = r.Text()
	v.Age = r.Uint32()
	v.Email = ReadOption(r, (*Reader).Text)
	r.Leave()
	return v
}

func writePerson(w *Writer, v person) {
	if !w.Enter() {
		return
	}
	w.Text(v.Name)
	w.Uint32(v.Age)
	WriteOption(w, v.Email, (*Writer).Text)
	w.Leave()
}

type tree struct {
	Name     string
	Children []tree
}

func readTree(r *Reader) (v tree) {
	if !r.Enter() {
		return v
	}
	v.Name = r.Text()
	v.Children = ReadList(r, 8, readTree)
	r.Leave()
	return v
}

func writeTree(w *Writer, v tree) {
	if !w.Enter() {
		return
	}
	w.Text(v.Name)
	WriteList(w, v.Children, writeTree)
	w.Leave()
}

// codec reads a message and writes what it has read into another.
type codec func(*Reader, *Writer)

func codecOf[T any](read func(*Reader) T, write func(*Writer, T)) codec {
	return func(r *Reader, w *Writer) {
		v := read(r)
		if r.Err() == nil {
			write(w, v)
		}
	}
}

var codecs = map[string]codec{
	"any":       codecOf((*Reader).Any, (*Writer).Any),
	"doubles":   codecOf(ReadBlock[float64], WriteBlock[float64]),
	"timestamp": codecOf((*Reader).Time, (*Writer).Time),
	"duration":  codecOf((*Reader).Duration, (*Writer).Duration),
	"person":    codecOf(readPerson, writePerson),
	"tree":      codecOf(readTree, writeTree),
	"color": codecOf(
		func(r *Reader) int { return r.Variant(3) },
		func(w *Writer, v int) { w.Variant(uint16(v), 3) }),
	"maybe": codecOf(
		func(r *Reader) *person { return ReadOption(r, readPerson) },
		func(w *Writer, v *person) { WriteOption(w, v, writePerson) }),
	"map": codecOf(
		func(r *Reader) map[string]person { return ReadMap(r, 13, (*Reader).Text, readPerson) },
		func(w *Writer, v map[string]person) { WriteMap(w, v, (*Writer).Text, writePerson) }),
	"tuple": codecOf(
		func(r *Reader) Tuple3[uint8, string, *bool] {
			return Tuple3[uint8, string, *bool]{r.Uint8(), r.Text(), ReadOption(r, (*Reader).Bool)}
		},
		func(w *Writer, v Tuple3[uint8, string, *bool]) {
			w.Uint8(v.Item1)
			w.Text(v.Item2)
			WriteOption(w, v.Item3, (*Writer).Bool)
		}),
	"people": codecOf(
		func(r *Reader) Tuple2[[]person, uint64] {
			return Tuple2[[]person, uint64]{ReadList(r, 9, readPerson), r.Uint64()}
		},
		func(w *Writer, v Tuple2[[]person, uint64]) {
			WriteList(w, v.Item1, writePerson)
			w.Uint64(v.Item2)
		}),
}

func TestVectorsAreReadAndWritten(t *testing.T) {
	clientSchema := clientSchema(t)
	walked := 0
	for _, vector := range vectors(t) {
		codec := codecs[vector.Method]
		if codec == nil {
			continue
		}
		walked++
		t.Run(vector.Name, func(t *testing.T) {
			message := decoded(t, vector)
			var r Reader
			var w Writer
			r.Reset(message, nil)
			codec(&r, &w)
			failed := r.End()
			if vector.Refused == "" {
				if failed != nil || w.Err() != nil {
					t.Fatalf("it's refused: %v, %v", failed, w.Err())
				}
				if !bytes.Equal(w.Bytes(), message) {
					t.Fatalf("it's written as\n%x, not\n%x", w.Bytes(), message)
				}
				return
			}
			if failed == nil {
				t.Fatal("it isn't refused")
			}
			clientSchema.Locate(failed, Side{Name: vector.Method, Which: "response"}, "response", message)
			if path := strings.TrimPrefix(strings.TrimPrefix(failed.Path, "response"), "."); vector.Path != "" && path != vector.Path {
				t.Fatalf("%v is said to be at %q, not %q", failed, path, vector.Path)
			}
		})
	}
	if walked < 25 {
		t.Fatalf("%d vectors are few", walked)
	}
}

func TestWhatHasNoFormIsRefusedWithItsPath(t *testing.T) {
	clientSchema := clientSchema(t)
	wrong := "\xff"
	cyclic := tree{Children: make([]tree, 1)}
	cyclic.Children[0] = cyclic
	for place := range 200 {
		cyclic = tree{Name: strings.Repeat("x", place%3), Children: []tree{cyclic}}
	}
	for _, one := range []struct {
		method, path, what string
		kind               Kind
		write              func(*Writer)
	}{
		{"person", "request.name", "isn't UTF-8", Unfit, func(w *Writer) { writePerson(w, person{Name: wrong}) }},
		{"person", "request.email", "isn't UTF-8", Unfit, func(w *Writer) { writePerson(w, person{Email: &wrong}) }},
		{"map", "request[a].name", "isn't UTF-8", Unfit, func(w *Writer) {
			WriteMap(w, map[string]person{"a": {Name: wrong}}, (*Writer).Text, writePerson)
		}},
		{"people", "request.items[1].name", "isn't UTF-8", Unfit, func(w *Writer) {
			WriteList(w, []person{{}, {Name: wrong}}, writePerson)
		}},
		{"any", "request[a][1]", "is expected, not a chan int", Unfit, func(w *Writer) {
			w.Any(map[string]any{"a": []any{1, make(chan int)}})
		}},
		{"duration", "request", "zero or more is expected", Unfit, func(w *Writer) { w.Duration(-1) }},
		{"color", "request", "there's no variant 3", Unfit, func(w *Writer) { w.Variant(3, 3) }},
		{"color", "request", "an unknown variant can't be sent", Unfit, func(w *Writer) { w.Variant(UnknownVariant, 3) }},
		{"tree", "", "nested deeper than 128 levels", TooDeep, func(w *Writer) { writeTree(w, cyclic) }},
	} {
		var w Writer
		one.write(&w)
		// What comes after the first failure changes nothing about it.
		w.Text("\xff")
		w.Uint64(1)
		failed := w.Err()
		if failed == nil {
			t.Fatalf("%s: %s: it isn't refused", one.method, one.what)
		}
		clientSchema.Locate(failed, Side{Name: one.method, Which: "request"}, "request", w.Bytes())
		if failed.Kind != one.kind || one.path != "" && failed.Path != one.path || !strings.Contains(failed.Error(), one.what) {
			t.Errorf("%s: kind %d, %v", one.method, failed.Kind, failed)
		}
	}
}

func TestTimesAtTheirEnds(t *testing.T) {
	var w Writer
	var r Reader
	zoned := time.Date(2026, 1, 2, 3, 4, 5, 678, time.FixedZone("east", 7200))
	for _, at := range []time.Time{{}, time.Unix(0, -1), zoned, time.Unix(lastSecond, 999_999_999), time.Unix(-1<<62, 1)} {
		w.Reset(nil)
		w.Time(at)
		r.Reset(w.Bytes(), nil)
		if got := r.Time(); r.End() != nil || !got.Equal(at) || got.Location() != time.UTC {
			t.Errorf("%v comes back as %v, %v", at, got, r.Err())
		}
	}
	w.Reset(nil)
	w.Int64(lastSecond + 1)
	w.Uint32(0)
	r.Reset(w.Bytes(), nil)
	if r.Time(); r.End() == nil {
		t.Error("a time that time.Time doesn't hold is read")
	}
	for _, span := range []time.Duration{0, 1, 1<<63 - 1} {
		w.Reset(nil)
		w.Duration(span)
		r.Reset(w.Bytes(), nil)
		if got := r.Duration(); r.End() != nil || got != span {
			t.Errorf("%v comes back as %v, %v", span, got, r.Err())
		}
	}
	w.Reset(nil)
	w.Uint64(9_223_372_036)
	w.Uint32(854_775_808)
	r.Reset(w.Bytes(), nil)
	if r.Duration(); r.End() == nil {
		t.Error("a duration that time.Duration doesn't hold is read")
	}
}
