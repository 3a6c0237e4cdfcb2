package wire

import (
	"bytes"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"
)

func TestListsOfNumbersAreOneCopyAtAnAlignedPlace(t *testing.T) {
	var w Writer
	w.Uint8(1)
	WriteBlock(&w, []uint16{1, 2, 3})
	WriteBlock(&w, []Int128{{Low: 1, High: -1}})
	WritePacked(&w, []int8{-1, 2})
	WriteBlock(&w, [][2]float64{{1, 2}})
	WritePlain(&w, [3]uint32{1, 2, 3})
	WriteBlock(&w, []float32(nil))
	if w.Bytes()[8] != 1 || w.Bytes()[24] != 1 {
		t.Fatalf("items aren't aligned: %x", w.Bytes())
	}
	var r Reader
	r.Reset(w.Bytes(), nil)
	r.Uint8()
	got := []any{
		ReadBlock[uint16](&r), ReadBlock[Int128](&r), ReadPacked[int8](&r), ReadBlock[[2]float64](&r),
		ReadPlain[[3]uint32](&r), ReadBlock[float32](&r),
	}
	wanted := []any{
		[]uint16{1, 2, 3}, []Int128{{Low: 1, High: -1}}, []int8{-1, 2}, [][2]float64{{1, 2}}, [3]uint32{1, 2, 3}, []float32{},
	}
	if r.End() != nil || !reflect.DeepEqual(got, wanted) {
		t.Fatalf("%v come back as %v, %v", wanted, got, r.Err())
	}
}

func TestMemoryBecomesNothingThatBytesAreNot(t *testing.T) {
	type pointed struct {
		Number uint64
		At     *uint64
	}
	message := bytes.Repeat([]byte{1, 0, 0, 0, 0, 0, 0, 0}, 8)
	for name, read := range map[string]func(*Reader){
		"pointers": func(r *Reader) { ReadPlain[*int](r) },
		"texts":    func(r *Reader) { ReadBlock[string](r) },
		"bools":    func(r *Reader) { ReadPacked[bool](r) },
		"slices":   func(r *Reader) { ReadPlain[[1][]byte](r) },
		"structs":  func(r *Reader) { ReadBlock[pointed](r) },
		"any":      func(r *Reader) { ReadPlain[any](r) },
	} {
		var r Reader
		r.Reset(message, nil)
		if read(&r); r.Err() == nil {
			t.Errorf("%s are made of bytes", name)
		}
	}
	var w Writer
	WriteBlock(&w, []string{"a"})
	if w.Err() == nil {
		t.Error("the memory of a text is written")
	}
	w.Reset(nil)
	WritePlain(&w, pointed{})
	if w.Err() == nil {
		t.Error("a pointer is written")
	}
}

func TestNumbersOf128BitsAreBigOnes(t *testing.T) {
	for _, text := range []string{"0", "-1", "170141183460469231731687303715884105727", "-170141183460469231731687303715884105728", "18446744073709551616"} {
		n, _ := new(big.Int).SetString(text, 10)
		v, fits := Int128FromBig(n)
		if !fits || v.String() != text {
			t.Errorf("%s becomes %v", text, v)
		}
	}
	largest := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 128), big.NewInt(1))
	if v, fits := Uint128FromBig(largest); !fits || v.Big().Cmp(largest) != 0 {
		t.Errorf("%v becomes %v", largest, v)
	}
	for _, n := range []*big.Int{big.NewInt(-1), new(big.Int).Add(largest, big.NewInt(1))} {
		if _, fits := Uint128FromBig(n); fits {
			t.Errorf("%v fits", n)
		}
	}
	if _, fits := Int128FromBig(largest); fits {
		t.Errorf("%v fits", largest)
	}
}

func TestUUIDsAreReadAsTheyArePrinted(t *testing.T) {
	const text = "00112233-4455-6677-8899-aabbccddeeff"
	v, err := ParseUUID(text)
	if err != nil || v.String() != text || v[1] != 0x11 || v[15] != 0xff {
		t.Fatalf("%v, %v", v, err)
	}
	for _, wrong := range []string{"", text[1:], text + "0", strings.ReplaceAll(text, "-", "0"), strings.ReplaceAll(text, "a", "g")} {
		if _, err := ParseUUID(wrong); err == nil {
			t.Errorf("%q is read", wrong)
		}
	}
}

func TestEveryNumberOfGoIsADynamicValue(t *testing.T) {
	var w Writer
	var r Reader
	for value, wanted := range map[any]any{
		int(-1): int64(-1), int8(-1): int64(-1), int16(1): int64(1), int32(1): int64(1), uint(1): int64(1), uint8(1): int64(1),
		uint16(1): int64(1), uint32(1): int64(1), uint64(math.MaxInt64): int64(math.MaxInt64), uint64(math.MaxUint64): uint64(math.MaxUint64),
		float32(0.5): 0.5, 0.25: 0.25, true: true, "x": "x",
	} {
		w.Reset(nil)
		w.Any(value)
		r.Reset(w.Bytes(), nil)
		if got := r.Any(); r.End() != nil || got != wanted {
			t.Errorf("%T %v comes back as %T %v", value, value, got, got)
		}
	}
}

func TestFewAllocationsForManyValues(t *testing.T) {
	people := make([]person, 1000)
	for place := range people {
		people[place] = person{Name: "somebody's name", Age: uint32(place)}
	}
	var w Writer
	writes := testing.AllocsPerRun(10, func() {
		w.Reset(nil)
		WriteList(&w, people, writePerson)
	})
	var r Reader
	reads := testing.AllocsPerRun(10, func() {
		r.Reset(w.Bytes(), nil)
		ReadList(&r, 9, readPerson)
	})
	// A list, and a piece of memory for each four thousand bytes of text.
	if writes > 0 || reads > 15 {
		t.Errorf("%v allocations to write, %v to read", writes, reads)
	}
	if r.End() != nil {
		t.Error(r.Err())
	}
}

func TestTextsStayAsTheyAreWhenTheMessageIsWrittenOver(t *testing.T) {
	var w Writer
	texts := []string{"", "a", strings.Repeat("b", 5000), "c", "größe", "d", strings.Repeat("e", 70), "f"}
	WriteList(&w, texts, (*Writer).Text)
	var r Reader
	r.Reset(w.Bytes(), nil)
	got := ReadList(&r, 4, (*Reader).Text)
	clear(w.Bytes())
	if r.End() != nil || !reflect.DeepEqual(got, texts) {
		t.Fatalf("%q, %v", got, r.Err())
	}
}

// FuzzAny reads whatever bytes as a dynamic value. What is read is written into bytes that hold the same, and nothing crashes.
func FuzzAny(f *testing.F) {
	for _, vector := range vectors(f) {
		if vector.Method == "any" {
			f.Add(decoded(f, vector))
		}
	}
	f.Add([]byte{isList, 2, 0, 0, 0, isMap, 1, 0, 0, 0, 1, 0, 0, 0, 'a', isTrue, isNull})
	f.Add([]byte{isMap, 0xff, 0xff, 0xff, 0xff})
	clientSchema := clientSchema(f)
	f.Fuzz(func(t *testing.T, message []byte) {
		var r Reader
		var w Writer
		r.Reset(message, nil)
		value := r.Any()
		if failed := r.End(); failed != nil {
			clientSchema.Locate(failed, Side{Name: "any", Which: "response"}, "response", message)
			return
		}
		w.Any(value)
		if w.Err() != nil || len(w.Bytes()) != len(message) {
			t.Fatalf("%v is written as %x, not %x: %v", value, w.Bytes(), message, w.Err())
		}
		r.Reset(w.Bytes(), nil)
		again := r.Any()
		var second Writer
		second.Any(again)
		// Maps have no order; what has none in it is the same bytes.
		if !bytes.Contains(message, []byte{isMap}) && !bytes.Equal(w.Bytes(), message) {
			t.Fatalf("%x became %x", message, w.Bytes())
		}
		if r.End() != nil || len(second.Bytes()) != len(message) {
			t.Fatalf("%v was %v: %v", again, value, r.Err())
		}
	})
}

// FuzzTypes reads whatever bytes as each of the types of these tests.
func FuzzTypes(f *testing.F) {
	for _, vector := range vectors(f) {
		f.Add(decoded(f, vector))
	}
	clientSchema := clientSchema(f)
	f.Fuzz(func(t *testing.T, message []byte) {
		for name, codec := range codecs {
			var r Reader
			var w Writer
			r.Reset(message, nil)
			codec(&r, &w)
			if failed := r.End(); failed != nil {
				clientSchema.Locate(failed, Side{Name: name, Which: "response"}, "response", message)
			} else if w.Err() != nil || len(w.Bytes()) != len(message) {
				t.Fatalf("%s: %x is written as %x: %v", name, message, w.Bytes(), w.Err())
			}
		}
	})
}
