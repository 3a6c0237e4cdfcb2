// Package wire encodes and decodes messages in rustbridge's wire format, which docs/wire.md specifies. The typed
// clients that `rustbridge gen -l go` writes use it.
//
// A [Writer] and a [Reader] keep their first failure, so generated code needn't check each value. After a failure,
// written values are discarded, and read values are zero. A failure has the offset of the byte at which it was found.
// [ClientSchema.Locate] finds the field at that offset, in the client schema, so that valid messages cost nothing extra.
//
// This package has no knowledge of plugins.
package wire
