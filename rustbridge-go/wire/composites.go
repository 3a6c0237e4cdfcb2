package wire

import (
	"fmt"
	"unsafe"
)

// ReadPlain reads a value whose memory layout is the wire format: a number, an array of such values, or a struct of
// such values without gaps. Any bytes are a valid value.
func ReadPlain[T any](r *Reader) (v T) {
	if !isPlain[T]() {
		r.Fail(r.at, notPlain[T]())
		return v
	}
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&v)), unsafe.Sizeof(v)), r.take(int(unsafe.Sizeof(v))))
	return v
}

// WritePlain writes a value whose memory layout is the wire format.
func WritePlain[T any](w *Writer, v T) {
	if !isPlain[T]() {
		w.Fail(notPlain[T]())
		return
	}
	w.copied(unsafe.Pointer(&v), int(unsafe.Sizeof(v)))
}

// ReadPacked reads a list, without alignment, in one copy. The memory layout of its items is the wire format.
func ReadPacked[T any](r *Reader) []T {
	var item T
	return plain[T](r, r.Count(int(unsafe.Sizeof(item))))
}

// WritePacked writes a list, without alignment, in one copy. The memory layout of its items is the wire format.
func WritePacked[T any](w *Writer, v []T) {
	w.Count(len(v))
	writeItems(w, v)
}

// ReadBlock reads an aligned list in one copy. The memory layout of its items is the wire format.
func ReadBlock[T any](r *Reader) []T {
	var item T
	count := r.Count(int(unsafe.Sizeof(item)))
	r.Align()
	return plain[T](r, count)
}

// WriteBlock writes an aligned list in one copy. The memory layout of its items is the wire format.
func WriteBlock[T any](w *Writer, v []T) {
	w.Count(len(v))
	w.Align()
	writeItems(w, v)
}

func writeItems[T any](w *Writer, v []T) {
	if !isPlain[T]() {
		w.Fail(notPlain[T]())
		return
	}
	var item T
	w.copied(unsafe.Pointer(unsafe.SliceData(v)), len(v)*int(unsafe.Sizeof(item)))
}

func plain[T any](r *Reader, count int) []T {
	if !isPlain[T]() {
		r.Fail(r.at, notPlain[T]())
		return nil
	}
	var item T
	data := r.take(count * int(unsafe.Sizeof(item)))
	if len(data) == 0 {
		return []T{}
	}
	v := make([]T, count)
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(data)), data)
	return v
}

// ReadList reads a list. It never returns nil. Each item has at least `least` bytes.
func ReadList[T any](r *Reader, least int, read func(*Reader) T) []T {
	v := make([]T, r.Count(least))
	ReadItems(r, v, least, read)
	return v
}

// WriteList writes a list. Nil is an empty list.
func WriteList[T any](w *Writer, v []T, write func(*Writer, T)) {
	w.Count(len(v))
	WriteItems(w, v, write)
}

// ReadAligned reads an aligned list whose items differ in memory from the wire format.
func ReadAligned[T any](r *Reader, least int, read func(*Reader) T) []T {
	count := r.Count(least)
	r.Align()
	v := make([]T, count)
	ReadItems(r, v, least, read)
	return v
}

// WriteAligned writes an aligned list whose items differ in memory from the wire format.
func WriteAligned[T any](w *Writer, v []T, write func(*Writer, T)) {
	w.Count(len(v))
	w.Align()
	WriteItems(w, v, write)
}

// ReadItems reads the items of an array, which has no count.
func ReadItems[T any](r *Reader, v []T, least int, read func(*Reader) T) {
	if len(v)*least > len(r.data)-r.at {
		r.short(len(v) * least)
	}
	for place := range v {
		if r.err != nil {
			return
		}
		v[place] = read(r)
	}
}

// WriteItems writes the items of an array, which has no count.
func WriteItems[T any](w *Writer, v []T, write func(*Writer, T)) {
	for place := range v {
		if w.err != nil {
			return
		}
		write(w, v[place])
	}
}

// ReadOption reads an optional value. It returns nil if the value is absent.
func ReadOption[T any](r *Reader, read func(*Reader) T) *T {
	if !r.Present() {
		return nil
	}
	v := read(r)
	return &v
}

// WriteOption writes an optional value. Nil means that it's absent.
func WriteOption[T any](w *Writer, v *T, write func(*Writer, T)) {
	if w.Present(v != nil) {
		write(w, *v)
	}
}

// Or returns the pointer, or, if it's nil, a pointer to the value.
func Or[T any](v *T, value T) *T {
	if v == nil {
		return &value
	}
	return v
}

// ReadNilable reads an optional value of a type that has nil. It returns nil if the value is absent.
func ReadNilable[T any](r *Reader, read func(*Reader) T) (v T) {
	if r.Present() {
		v = read(r)
	}
	return v
}

// ReadMap reads a map. It never returns nil. Each pair has at least `least` bytes.
func ReadMap[K comparable, V any](r *Reader, least int, key func(*Reader) K, value func(*Reader) V) map[K]V {
	count := r.Count(least)
	v := make(map[K]V, count)
	for range count {
		at := r.at
		name := key(r)
		if _, twice := v[name]; twice && r.err == nil {
			r.Fail(at, fmt.Sprintf("duplicate key: %v", name))
		}
		item := value(r)
		if r.err != nil {
			break
		}
		v[name] = item
	}
	return v
}

// WriteMap writes a map. Nil is an empty map.
func WriteMap[K comparable, V any](w *Writer, v map[K]V, key func(*Writer, K), value func(*Writer, V)) {
	w.Count(len(v))
	for name, item := range v {
		if w.err != nil {
			return
		}
		key(w, name)
		value(w, item)
	}
}
