package wire

import (
	"fmt"
	"math"
)

// What a dynamic value is, on the wire.
const (
	isNull = iota
	isFalse
	isTrue
	isInteger
	isLarge
	isNumber
	isText
	isBytes
	isList
	isMap
)

// Any reads a dynamic value: nil, a bool, an int64, a uint64 above the range of int64, a float64, a string, a []byte, a
// []any or a map[string]any.
func (r *Reader) Any() any {
	at := r.at
	switch kind := r.Uint8(); kind {
	case isNull:
		return nil
	case isFalse:
		return false
	case isTrue:
		return true
	case isInteger:
		return r.Int64()
	case isLarge:
		v := r.Uint64()
		if v <= math.MaxInt64 && r.err == nil {
			r.Fail(at+1, fmt.Sprintf("%d fits an i64, but is encoded as a u64", v))
		}
		return v
	case isNumber:
		return r.Float64()
	case isText:
		return r.Text()
	case isBytes:
		return r.ByteSlice()
	case isList:
		if !r.Enter() {
			return nil
		}
		v := ReadList(r, 1, (*Reader).Any)
		r.Leave()
		return v
	case isMap:
		if !r.Enter() {
			return nil
		}
		v := ReadMap(r, 5, (*Reader).Text, (*Reader).Any)
		r.Leave()
		return v
	default:
		r.Fail(at, fmt.Sprintf("unknown kind of dynamic value: %d", kind))
		return nil
	}
}

// Any writes a dynamic value: nil, a bool, any integer or float, a string, a []byte, a []any or a map[string]any.
func (w *Writer) Any(v any) {
	switch v := v.(type) {
	case nil:
		w.Uint8(isNull)
	case bool:
		if v {
			w.Uint8(isTrue)
		} else {
			w.Uint8(isFalse)
		}
	case int:
		w.integer(int64(v))
	case int8:
		w.integer(int64(v))
	case int16:
		w.integer(int64(v))
	case int32:
		w.integer(int64(v))
	case int64:
		w.integer(v)
	case uint:
		w.large(uint64(v))
	case uint8:
		w.integer(int64(v))
	case uint16:
		w.integer(int64(v))
	case uint32:
		w.integer(int64(v))
	case uint64:
		w.large(v)
	case float32:
		w.number(float64(v))
	case float64:
		w.number(v)
	case string:
		w.Uint8(isText)
		w.Text(v)
	case []byte:
		w.Uint8(isBytes)
		w.ByteSlice(v)
	case []any:
		if w.Enter() {
			w.Uint8(isList)
			WriteList(w, v, (*Writer).Any)
			w.Leave()
		}
	case map[string]any:
		if w.Enter() {
			w.Uint8(isMap)
			WriteMap(w, v, (*Writer).Text, (*Writer).Any)
			w.Leave()
		}
	default:
		w.Fail(fmt.Sprintf("nil, a bool, a number, a string, a []byte, a []any or a map[string]any is expected, not a %T", v))
	}
}

func (w *Writer) integer(v int64) {
	w.Uint8(isInteger)
	w.Int64(v)
}

func (w *Writer) large(v uint64) {
	if v <= math.MaxInt64 {
		w.integer(int64(v))
		return
	}
	w.Uint8(isLarge)
	w.Uint64(v)
}

func (w *Writer) number(v float64) {
	w.Uint8(isNumber)
	w.Float64(v)
}
