package wire

import "fmt"

// MaxBytes is the largest size of a message in bytes.
const MaxBytes = 1<<31 - 9

// MaxDepth is how deep values of varying size may be nested.
const MaxDepth = 128

// UnknownVariant is the number of a variant of an open enum that a client doesn't know. It's only read.
const UnknownVariant = 65535

// Kind is the kind of a failure.
type Kind uint8

const (
	// Malformed means that bytes that were read don't match their type.
	Malformed Kind = iota
	// Unfit means that a value can't be encoded, such as text that isn't UTF-8.
	Unfit
	// TooLarge means that a message would have more than MaxBytes.
	TooLarge
	// TooDeep means that a value to write is nested deeper than MaxDepth. It may contain itself.
	TooDeep
)

// Error is an error of encoding or decoding a message.
type Error struct {
	// Kind is the kind of the failure.
	Kind Kind
	// At is the offset of the byte at which it was found, from 0.
	At int
	// What describes what was found and what was expected.
	What string
	// Path is the field, such as "request.items[1].email"; empty if it wasn't located.
	Path string
	// Of several values that begin there, the outermost whose type has a name is meant, and otherwise the innermost.
	isRecord bool
}

// Error returns the place and the description.
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
