package wire

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"
	"unicode/utf8"
	"unsafe"
)

// leastRoom is what a writer's memory has at least once it has any, so that a value of any fixed size has room in it.
const leastRoom = 64

// Writer writes one message. The zero value is ready to use.
type Writer struct {
	// All of it may be written to; what has been written is before at.
	buf   []byte
	at    int
	depth int
	err   *Error
	// The value that Reset attached.
	attachment any
}

// Reset starts another message in the same memory. Functions that write values get the attachment by
// [Writer.Attachment].
func (w *Writer) Reset(attachment any) {
	w.at, w.depth, w.err, w.attachment = 0, 0, nil, attachment
}

// Attachment returns the value that was passed to Reset.
func (w *Writer) Attachment() any { return w.attachment }

// Bytes returns the message. It's the writer's own memory, valid until the next Reset.
func (w *Writer) Bytes() []byte { return w.buf[:w.at] }

// Room returns the size of the writer's memory in bytes.
func (w *Writer) Room() int { return len(w.buf) }

// Err returns the first failure, or nil.
func (w *Writer) Err() *Error { return w.err }

// Fail records that the next value can't be written, and why.
func (w *Writer) Fail(what string) { w.fail(Unfit, what) }

// FailRecord is Fail for a value whose type has a name: the value itself is invalid, not its first part.
func (w *Writer) FailRecord(what string) {
	if w.err == nil {
		w.fail(Unfit, what)
		w.err.isRecord = true
	}
}

func (w *Writer) fail(kind Kind, what string) {
	if w.err == nil {
		w.err = &Error{Kind: kind, At: w.at, What: what}
	}
}

// grow makes room for count bytes more, and says whether there is some: a value of a fixed size always has it. What is written after a
// failure is read by nobody, and may be written over.
//
//go:noinline
func (w *Writer) grow(count int) bool {
	if count > MaxBytes-w.at {
		w.failLarge()
		w.at = 0
		return count <= len(w.buf)
	}
	larger := make([]byte, min(max(w.at+count, 2*len(w.buf), leastRoom), MaxBytes))
	copy(larger, w.buf[:w.at])
	w.buf = larger
	return true
}

func (w *Writer) failLarge() {
	w.fail(TooLarge, fmt.Sprintf("the message exceeds the limit of %d bytes", MaxBytes))
}

// room makes room for count bytes, and says whether there's some.
func (w *Writer) room(count int) bool {
	return count <= len(w.buf)-w.at || w.grow(count)
}

// Unit writes nothing.
func (w *Writer) Unit(struct{}) {}

// Bool writes a bool.
func (w *Writer) Bool(v bool) {
	if v {
		w.Uint8(1)
	} else {
		w.Uint8(0)
	}
}

// Uint8 writes a u8.
func (w *Writer) Uint8(v uint8) {
	if w.at == len(w.buf) {
		w.grow(1)
	}
	w.buf[w.at] = v
	w.at++
}

// Uint16 writes a u16.
func (w *Writer) Uint16(v uint16) {
	if len(w.buf)-w.at < 2 {
		w.grow(2)
	}
	binary.LittleEndian.PutUint16(w.buf[w.at:], v)
	w.at += 2
}

// Uint32 writes a u32.
func (w *Writer) Uint32(v uint32) {
	if len(w.buf)-w.at < 4 {
		w.grow(4)
	}
	binary.LittleEndian.PutUint32(w.buf[w.at:], v)
	w.at += 4
}

// Uint64 writes a u64.
func (w *Writer) Uint64(v uint64) {
	if len(w.buf)-w.at < 8 {
		w.grow(8)
	}
	binary.LittleEndian.PutUint64(w.buf[w.at:], v)
	w.at += 8
}

// Uint128 writes a u128.
func (w *Writer) Uint128(v Uint128) {
	w.Uint64(v.Low)
	w.Uint64(v.High)
}

// Int8 writes an i8.
func (w *Writer) Int8(v int8) { w.Uint8(uint8(v)) }

// Int16 writes an i16.
func (w *Writer) Int16(v int16) { w.Uint16(uint16(v)) }

// Int32 writes an i32.
func (w *Writer) Int32(v int32) { w.Uint32(uint32(v)) }

// Int64 writes an i64.
func (w *Writer) Int64(v int64) { w.Uint64(uint64(v)) }

// Int128 writes an i128.
func (w *Writer) Int128(v Int128) {
	w.Uint64(v.Low)
	w.Uint64(uint64(v.High))
}

// Float32 writes an f32.
func (w *Writer) Float32(v float32) { w.Uint32(math.Float32bits(v)) }

// Float64 writes an f64.
func (w *Writer) Float64(v float64) { w.Uint64(math.Float64bits(v)) }

// Char writes a char. Surrogates and values above U+10FFFF aren't characters.
func (w *Writer) Char(v rune) {
	if !utf8.ValidRune(v) {
		w.Fail(fmt.Sprintf("%#x isn't a character", v))
	}
	w.Uint32(uint32(v))
}

// Text writes text, which must be UTF-8.
func (w *Writer) Text(v string) {
	if !utf8.ValidString(v) {
		w.Fail("text isn't UTF-8")
		return
	}
	if w.room(4 + len(v)) {
		binary.LittleEndian.PutUint32(w.buf[w.at:], uint32(len(v)))
		w.at += 4 + copy(w.buf[w.at+4:], v)
	}
}

// ByteSlice writes bytes. Nil means no bytes.
func (w *Writer) ByteSlice(v []byte) {
	if w.room(4 + len(v)) {
		binary.LittleEndian.PutUint32(w.buf[w.at:], uint32(len(v)))
		w.at += 4 + copy(w.buf[w.at+4:], v)
	}
}

// Raw writes the bytes of a raw message, without their length. Nil means no bytes.
func (w *Writer) Raw(v []byte) {
	if w.room(len(v)) {
		w.at += copy(w.buf[w.at:], v)
	}
}

// RawText writes the text of a raw message, which must be UTF-8.
func (w *Writer) RawText(v string) {
	if !utf8.ValidString(v) {
		w.Fail("text isn't UTF-8")
		return
	}
	if w.room(len(v)) {
		w.at += copy(w.buf[w.at:], v)
	}
}

// Time writes a timestamp, without the time's zone and monotonic clock.
func (w *Writer) Time(v time.Time) {
	w.Int64(v.Unix())
	w.Uint32(uint32(v.Nanosecond()))
}

// Duration writes a duration, which isn't negative.
func (w *Writer) Duration(v time.Duration) {
	if v < 0 {
		w.Fail(fmt.Sprintf("a duration of zero or more is expected, not %v", v))
	}
	w.Uint64(uint64(v / time.Second))
	w.Uint32(uint32(v % time.Second))
}

// Decimal writes a decimal number. The empty text is written as 0.
func (w *Writer) Decimal(v Decimal) {
	if v == "" {
		v = "0"
	}
	if !v.valid() {
		w.Fail(fmt.Sprintf("%.40q isn't a decimal number such as \"-12.50\"", string(v)))
		return
	}
	w.Text(string(v))
}

// UUID writes a UUID.
func (w *Writer) UUID(v UUID) {
	if w.room(len(v)) {
		w.at += copy(w.buf[w.at:], v[:])
	}
}

// Variant writes the number of an enum's variant. It must be below count.
func (w *Writer) Variant(v uint16, count int) {
	if int(v) >= count {
		w.failVariant(v)
	}
	w.Uint16(v)
}

//go:noinline
func (w *Writer) failVariant(v uint16) {
	if v == UnknownVariant {
		w.FailRecord("an unknown variant can't be sent")
	} else {
		w.FailRecord(fmt.Sprintf("there's no variant %d", v))
	}
}

// Present writes whether an optional value is present, and returns it.
func (w *Writer) Present(v bool) bool {
	w.Bool(v)
	return v
}

// Count writes the number of items or pairs.
func (w *Writer) Count(v int) {
	if v > MaxBytes {
		w.failLarge()
	}
	w.Uint32(uint32(v))
}

// Align writes zeros up to the next multiple of 8.
func (w *Writer) Align() {
	count := -w.at & 7
	if w.room(count) {
		clear(w.buf[w.at : w.at+count])
		w.at += count
	}
}

// Enter enters a value that may contain others of its kind. It reports whether to write the value.
func (w *Writer) Enter() bool {
	w.depth++
	if w.depth > MaxDepth {
		w.fail(TooDeep, fmt.Sprintf("the value is nested deeper than %d levels, the limit of a message: reduce its nesting, and check that it doesn't contain itself", MaxDepth))
	}
	return w.err == nil
}

// Leave leaves such a value.
func (w *Writer) Leave() { w.depth-- }

// copied writes memory as it is.
func (w *Writer) copied(from unsafe.Pointer, size int) {
	if size > 0 && w.room(size) {
		w.at += copy(w.buf[w.at:], unsafe.Slice((*byte)(from), size))
	}
}

// FailVariant records that a value isn't a variant of the enum.
func (w *Writer) FailVariant(v any) {
	if v == nil {
		w.FailRecord("nil isn't allowed here")
	} else {
		w.FailRecord(fmt.Sprintf("a %T isn't a variant of the enum", v))
	}
}
