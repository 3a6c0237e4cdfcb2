// Package wire writes and reads messages in rustbridge's wire form, which docs/wire.md specifies: for the typed clients that
// `rustbridge gen -l go` writes.
//
// A [Writer] and a [Reader] keep their first failure, so that what is generated needn't ask after each value: once something has failed, what
// is written goes nowhere, and what is read is zero. A failure knows the byte at which it was found; which field lies there is worked out
// from the client's description when somebody asks ([Contract.Path]), so messages that are as they should be pay nothing for it.
//
// Nothing here knows plugins or calls them.
package wire
