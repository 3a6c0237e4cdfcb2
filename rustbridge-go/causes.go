package rustbridge

import (
	"crypto/rand"
	"encoding/hex"
	"strconv"
	"sync"
	"time"
)

// How many errors are kept at most, and how long: a plugin may never send one back.
const (
	causeLimit = 256
	causeTime  = time.Minute
)

// causes are errors of this program that plugins were told of. A plugin gets the name by which one is found here, and sends the name back
// with its own error if that is the one that it fails with: so what the caller gets wraps it.
var causes struct {
	lock   sync.Mutex
	prefix string
	last   uint64
	byName map[string]cause
	// Their names, oldest first, also of those that were taken meanwhile.
	names []string
}

type cause struct {
	err   error
	since time.Time
}

// keepCause keeps an error and gives its name.
func keepCause(err error) string {
	now := time.Now()
	causes.lock.Lock()
	defer causes.lock.Unlock()
	if causes.byName == nil {
		// Another binding in this process has names of its own.
		var random [8]byte
		_, _ = rand.Read(random[:])
		causes.prefix = hex.EncodeToString(random[:]) + "-"
		causes.byName = map[string]cause{}
	}
	causes.last++
	name := causes.prefix + strconv.FormatUint(causes.last, 10)
	causes.byName[name] = cause{err, now}
	causes.names = append(causes.names, name)
	for {
		oldest := causes.names[0]
		if kept, ok := causes.byName[oldest]; ok && len(causes.names) <= causeLimit && now.Sub(kept.since) < causeTime {
			return name
		}
		delete(causes.byName, oldest)
		causes.names = causes.names[1:]
	}
}

// takeCause gives the error of a name, which is kept no longer; nil if there is none.
func takeCause(name string) error {
	causes.lock.Lock()
	defer causes.lock.Unlock()
	kept := causes.byName[name]
	delete(causes.byName, name)
	return kept.err
}

// PanicError is a panic of a service's function. The plugin receives it as an error. If the plugin fails with this
// error, errors.As finds the PanicError in the call's error.
type PanicError struct {
	// Value is the panic's value.
	Value any
	// Stack is the stack trace, in the format of runtime/debug.Stack.
	Stack []byte
}

// Error returns the panic's value as text.
func (e *PanicError) Error() string {
	return "panic: " + panicText(e.Value)
}

// Unwrap returns the panic's value if it's an error, otherwise nil.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
