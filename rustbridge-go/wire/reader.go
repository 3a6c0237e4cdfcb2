package wire

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"
	"unicode/utf8"
	"unsafe"
)

// Texts are copied out of a message into pieces of memory that several share: an allocation for many short ones, and at most so much
// memory that goes on to live with one of them.
const (
	leastPiece = 64
	mostPiece  = 4096
)

// Reader reads one message. It must not be copied after its first use, because its texts share memory.
type Reader struct {
	_     noCopy
	data  []byte
	at    int
	depth int
	err   *Error
	// The value that Reset attached.
	attachment any
	// Unused memory for texts, and the size of the next piece.
	piece []byte
	next  int
}

// Reset starts to read a message. Functions that read values get the attachment by [Reader.Attachment]. The values that
// are read don't refer to the message's memory.
func (r *Reader) Reset(data []byte, attachment any) {
	*r = Reader{data: data, attachment: attachment}
}

// Attachment returns the value that was passed to Reset.
func (r *Reader) Attachment() any { return r.attachment }

// Err returns the first failure, or nil.
func (r *Reader) Err() *Error { return r.err }

// At returns how many bytes have been read.
func (r *Reader) At() int { return r.at }

// End fails if bytes are left after the message. It returns the first failure, or nil.
func (r *Reader) End() *Error {
	if r.at != len(r.data) {
		r.Fail(r.at, fmt.Sprintf("%d bytes are left after the value", len(r.data)-r.at))
	}
	return r.err
}

// Fail records that the message doesn't match its type, with a description of the problem and its offset in bytes. From
// then on, all values that are read are zero.
//
//go:noinline
func (r *Reader) Fail(at int, what string) {
	if r.err == nil {
		r.err = &Error{At: at, What: what}
	}
	r.at = len(r.data)
}

//go:noinline
func (r *Reader) short(count int) {
	r.Fail(r.at, fmt.Sprintf("expected %d bytes, but only %d are left", count, len(r.data)-r.at))
}

// Unit reads nothing.
func (r *Reader) Unit() struct{} { return struct{}{} }

// Bool reads a bool.
func (r *Reader) Bool() bool {
	v := r.Uint8()
	if v > 1 {
		r.failBool(v)
	}
	return v == 1
}

//go:noinline
func (r *Reader) failBool(v uint8) {
	r.Fail(r.at-1, fmt.Sprintf("expected 0 or 1, found %d", v))
}

// Uint8 reads a u8.
func (r *Reader) Uint8() uint8 {
	if r.at >= len(r.data) {
		r.short(1)
		return 0
	}
	v := r.data[r.at]
	r.at++
	return v
}

// Uint16 reads a u16.
func (r *Reader) Uint16() uint16 {
	if len(r.data)-r.at < 2 {
		r.short(2)
		return 0
	}
	v := binary.LittleEndian.Uint16(r.data[r.at:])
	r.at += 2
	return v
}

// Uint32 reads a u32.
func (r *Reader) Uint32() uint32 {
	if len(r.data)-r.at < 4 {
		r.short(4)
		return 0
	}
	v := binary.LittleEndian.Uint32(r.data[r.at:])
	r.at += 4
	return v
}

// Uint64 reads a u64.
func (r *Reader) Uint64() uint64 {
	if len(r.data)-r.at < 8 {
		r.short(8)
		return 0
	}
	v := binary.LittleEndian.Uint64(r.data[r.at:])
	r.at += 8
	return v
}

// Uint128 reads a u128.
func (r *Reader) Uint128() Uint128 {
	data := r.take(16)
	if data == nil {
		return Uint128{}
	}
	return Uint128{Low: binary.LittleEndian.Uint64(data), High: binary.LittleEndian.Uint64(data[8:])}
}

// Int8 reads an i8.
func (r *Reader) Int8() int8 { return int8(r.Uint8()) }

// Int16 reads an i16.
func (r *Reader) Int16() int16 { return int16(r.Uint16()) }

// Int32 reads an i32.
func (r *Reader) Int32() int32 { return int32(r.Uint32()) }

// Int64 reads an i64.
func (r *Reader) Int64() int64 { return int64(r.Uint64()) }

// Int128 reads an i128.
func (r *Reader) Int128() Int128 {
	v := r.Uint128()
	return Int128{Low: v.Low, High: int64(v.High)}
}

// Float32 reads an f32.
func (r *Reader) Float32() float32 { return math.Float32frombits(r.Uint32()) }

// Float64 reads an f64.
func (r *Reader) Float64() float64 { return math.Float64frombits(r.Uint64()) }

// Char reads a char.
func (r *Reader) Char() rune {
	v := r.Uint32()
	if v > utf8.MaxRune || !utf8.ValidRune(rune(v)) {
		r.failChar(v)
		return 0
	}
	return rune(v)
}

//go:noinline
func (r *Reader) failChar(v uint32) {
	r.Fail(r.at-4, fmt.Sprintf("%#x isn't a character", v))
}

// Text reads text.
func (r *Reader) Text() string {
	count := r.Count(1)
	if count == 0 {
		return ""
	}
	data := r.data[r.at : r.at+count]
	if !utf8.Valid(data) {
		r.failText(data)
		return ""
	}
	r.at += count
	if count <= len(r.piece) {
		text := unsafe.String(&r.piece[0], copy(r.piece, data))
		r.piece = r.piece[count:]
		return text
	}
	return r.text(data)
}

// noCopy has `go vet` tell of copies.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// text copies a text that has no room in the present piece.
func (r *Reader) text(data []byte) string {
	// What is left bounds what texts can still come.
	size := min(r.next, len(data)+len(r.data)-r.at)
	r.next = min(max(2*r.next, leastPiece), mostPiece)
	if 4*len(data) > size {
		return string(data)
	}
	r.piece = make([]byte, size)
	text := unsafe.String(&r.piece[0], copy(r.piece, data))
	r.piece = r.piece[len(data):]
	return text
}

//go:noinline
func (r *Reader) failText(data []byte) {
	at := 0
	for {
		letter, size := utf8.DecodeRune(data[at:])
		if letter == utf8.RuneError && size < 2 {
			break
		}
		at += size
	}
	r.Fail(r.at+at, "text isn't UTF-8")
}

// ByteSlice reads bytes into a new slice. It never returns nil.
func (r *Reader) ByteSlice() []byte {
	count := r.Count(1)
	if count == 0 {
		return []byte{}
	}
	v := append([]byte(nil), r.data[r.at:r.at+count]...)
	r.at += count
	return v
}

// Rest reads the bytes of a raw message, up to its end, into a new slice. It never returns nil.
func (r *Reader) Rest() []byte {
	v := append([]byte{}, r.data[r.at:]...)
	r.at = len(r.data)
	return v
}

// RestText reads the text of a raw message, up to its end.
func (r *Reader) RestText() string {
	data := r.data[r.at:]
	if !utf8.Valid(data) {
		r.failText(data)
		return ""
	}
	r.at = len(r.data)
	return string(data)
}

// lastSecond is the last of the Unix clock's that fits: time.Time counts from year 1.
const lastSecond = math.MaxInt64 - 62135596800

// Time reads a timestamp, in UTC.
func (r *Reader) Time() time.Time {
	at := r.at
	seconds := r.Int64()
	nanoseconds := r.nanoseconds()
	if seconds > lastSecond {
		r.Fail(at, fmt.Sprintf("%d seconds are outside the range of a time.Time", seconds))
	}
	if r.err != nil {
		return time.Time{}
	}
	return time.Unix(seconds, int64(nanoseconds)).UTC()
}

// Duration reads a duration.
func (r *Reader) Duration() time.Duration {
	at := r.at
	seconds := r.Uint64()
	nanoseconds := r.nanoseconds()
	const most = uint64(math.MaxInt64 / time.Second)
	if seconds > most || seconds == most && nanoseconds > uint32(math.MaxInt64%time.Second) {
		r.Fail(at, fmt.Sprintf("%d seconds are outside the range of a time.Duration", seconds))
		return 0
	}
	return time.Duration(seconds)*time.Second + time.Duration(nanoseconds)
}

func (r *Reader) nanoseconds() uint32 {
	v := r.Uint32()
	if v >= uint32(time.Second) {
		r.Fail(r.at-4, fmt.Sprintf("expected less than 1000000000 nanoseconds, found %d", v))
		return 0
	}
	return v
}

// Decimal reads a decimal number.
func (r *Reader) Decimal() Decimal {
	at := r.at
	v := Decimal(r.Text())
	if r.err == nil && !v.valid() {
		r.Fail(at, fmt.Sprintf("%.40q isn't a decimal number", string(v)))
		return ""
	}
	return v
}

// UUID reads a UUID.
func (r *Reader) UUID() (v UUID) {
	copy(v[:], r.take(len(v)))
	return v
}

// Variant reads the number of an enum's variant. It must be below count; otherwise Variant returns -1.
func (r *Reader) Variant(count int) int {
	v := int(r.Uint16())
	if v >= count || r.err != nil {
		return r.failVariant(v)
	}
	return v
}

// OpenVariant reads the number of an open enum's variant. It returns UnknownVariant if the client doesn't know the
// variant.
func (r *Reader) OpenVariant(count int) int {
	v := int(r.Uint16())
	if v >= count && v != UnknownVariant || r.err != nil {
		return r.failVariant(v)
	}
	return v
}

//go:noinline
func (r *Reader) failVariant(v int) int {
	r.Fail(r.at-2, fmt.Sprintf("there's no variant %d", v))
	return -1
}

// Present reads whether an optional value is present.
func (r *Reader) Present() bool { return r.Bool() }

// Count reads the number of items or pairs. Each has at least `least` bytes, so the result never exceeds the bytes that
// are left.
func (r *Reader) Count(least int) int {
	v := r.Uint32()
	left := len(r.data) - r.at
	if uint64(v)*uint64(least) > uint64(left) {
		r.failCount(v)
		return 0
	}
	return int(v)
}

//go:noinline
func (r *Reader) failCount(v uint32) {
	r.Fail(r.at-4, fmt.Sprintf("expected %d items, but only %d bytes are left", v, len(r.data)-r.at))
}

// Align reads zeros up to the next multiple of 8.
func (r *Reader) Align() {
	at := r.at
	for place, zero := range r.take(-at & 7) {
		if zero != 0 {
			r.Fail(at+place, "padding isn't zero")
			return
		}
	}
}

// Enter enters a value that may contain others of its kind. It reports whether the value can be read.
func (r *Reader) Enter() bool {
	r.depth++
	if r.depth > MaxDepth {
		r.Fail(r.at, fmt.Sprintf("the value is nested deeper than %d levels, the limit of a message", MaxDepth))
	}
	return r.err == nil
}

// Leave leaves such a value.
func (r *Reader) Leave() { r.depth-- }

// take reads so many bytes, which go on to be the message's; nil if there are fewer.
func (r *Reader) take(count int) []byte {
	if count > len(r.data)-r.at {
		r.short(count)
		return nil
	}
	at := r.at
	r.at += count
	return r.data[at:r.at]
}
