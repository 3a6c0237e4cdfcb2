// Package typed calls plugins with values of Go's types, and answers them: for the clients that `rustbridge gen -l go` writes.
//
// A client prepares each of its methods once, by its name, its fingerprint and what writes and reads its messages, so what is generated
// says what there is and the package does the rest. [Failure] is for users, too.
package typed
