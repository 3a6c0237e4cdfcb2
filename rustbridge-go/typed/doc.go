// Package typed is the runtime support for the clients that `rustbridge gen -l go` writes: it calls plugins and serves
// their calls with values of Go types.
//
// A client prepares each of its methods once, with its name, its fingerprint, and the functions that encode and decode
// its messages. Users also need [Failure].
package typed
