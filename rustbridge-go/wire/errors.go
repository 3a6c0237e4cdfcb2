package wire

import "fmt"

// MaxBytes is the most bytes that a message has.
const MaxBytes = 1<<31 - 9

// MaxDepth is how many values of varying size may lie in each other.
const MaxDepth = 128

// UnknownVariant is the number of a variant that a client doesn't know, of an open enum. It's only read.
const UnknownVariant = 65535

// Kind says what went wrong.
type Kind uint8

const (
	// Malformed is of bytes that were read and aren't of their type.
	Malformed Kind = iota
	// Unfit is of a value that has no form on the wire, such as text that isn't UTF-8.
	Unfit
	// TooLarge is of a message that would have more than MaxBytes.
	TooLarge
	// TooDeep is of a value that was to be written and has more than MaxDepth others in each other: it may have itself inside.
	TooDeep
)

// Error is why a message can't be written or read.
type Error struct {
	// Kind is what kind of failure it is.
	Kind Kind
	// At is the byte at which it was found, counted from 0.
	At int
	// What was found there, and what was expected.
	What string
	// Path is the field, such as "request.items[1].email"; empty if it wasn't looked for.
	Path string
	// Of several values that begin there, the outermost whose type has a name is meant, and otherwise the innermost.
	isRecord bool
}

// Error says where, and what.
func (e *Error) Error() string {
	switch {
	case e.Kind == Malformed && e.Path != "":
		return fmt.Sprintf("byte %d: %s (%s)", e.At, e.What, e.Path)
	case e.Kind == Malformed:
		return fmt.Sprintf("byte %d: %s", e.At, e.What)
	case e.Path != "":
		return e.Path + ": " + e.What
	}
	return e.What
}
