package rustbridge

import (
	"context"
	"flag"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// running is a call that runs on its goroutine's thread, with a context that can be done meanwhile.
//
// Nearly all are over in microseconds, and to tell a context of each of them would take longer than the call. So a call only says that it
// runs, and a goroutine that looks now and then tells the contexts of those that it sees twice.
type running struct {
	isTaken atomic.Bool
	// Where the core writes the call's number before the plugin begins.
	op uint64

	lock sync.Mutex
	// Nil when nothing runs.
	ctx    context.Context
	isSeen bool
	// What the context is told by, from when that begins.
	telling *telling
	_       [40]byte
}

// telling is a goroutine that tells a context of a call.
type telling struct {
	done chan struct{}
	// Takes back what the context was told.
	stop func() bool
	// What the context has panicked with.
	panicked any
}

// What runs, and how it's looked at. The goroutine that looks is begun by a call and ends when nothing has run for a while.
var calls struct {
	running [places]running
	// Whether a goroutine looks.
	isLooking atomic.Bool
}

const (
	// How long a call may run before its context is told of it, or twice as long.
	lookEvery = time.Millisecond
	// The goroutine that looks ends when it has seen nothing run so often.
	looksInVain = 100
)

// cancellable says that a call begins; nil if all the places near are taken, or if nobody else may touch the context.
func cancellable(ctx context.Context) *running {
	if isTest() && inBubble() {
		return nil
	}
	first := placeOf()
	for probe := range uint32(4) {
		found := &calls.running[(first+probe)%places]
		if !found.isTaken.Load() && found.isTaken.CompareAndSwap(false, true) {
			atomic.StoreUint64(&found.op, 0)
			found.lock.Lock()
			found.ctx = ctx
			found.isSeen = false
			found.lock.Unlock()
			if !calls.isLooking.Load() && calls.isLooking.CompareAndSwap(false, true) {
				go look()
			}
			return found
		}
	}
	return nil
}

// over says that the call has returned. The context isn't used any more afterwards; what it has panicked with is the caller's.
func (r *running) over() {
	r.lock.Lock()
	begun := r.telling
	r.ctx, r.telling = nil, nil
	r.lock.Unlock()
	if begun != nil {
		<-begun.done
		if begun.stop != nil {
			begun.stop()
		}
	}
	r.isTaken.Store(false)
	if begun != nil && begun.panicked != nil {
		panic(begun.panicked)
	}
}

// look tells the contexts of the calls that run for longer, until none has run for a while.
func look() {
	inVain := 0
	for {
		time.Sleep(lookEvery)
		if !lookOnce() {
			inVain++
		} else {
			inVain = 0
		}
		if inVain < looksInVain {
			continue
		}
		calls.isLooking.Store(false)
		// A call that began before may not have seen that.
		if !lookOnce() || !calls.isLooking.CompareAndSwap(false, true) {
			return
		}
		inVain = 0
	}
}

// lookOnce looks at what runs; false if there's nothing that its context hasn't been told of.
func lookOnce() bool {
	isAny := false
	for index := range calls.running {
		call := &calls.running[index]
		if !call.isTaken.Load() {
			continue
		}
		call.lock.Lock()
		if call.ctx != nil && call.telling == nil {
			isAny = true
			if op := atomic.LoadUint64(&call.op); call.isSeen && op != 0 {
				call.telling = &telling{done: make(chan struct{})}
				// Elsewhere, since a context may be anybody's and take its time.
				go call.telling.tell(call.ctx, op)
			}
			call.isSeen = true
		}
		call.lock.Unlock()
	}
	return isAny
}

// tell has the context end the call. A number that's stale by then finds nothing.
func (t *telling) tell(ctx context.Context, op uint64) {
	defer close(t.done)
	defer func() { t.panicked = recover() }()
	t.stop = context.AfterFunc(ctx, func() { native.Cancel(op) })
}

// canceller cancels a call that runs, by the number that the core writes before the plugin begins. It's for those that have no place among
// the calls that are looked at.
type canceller struct {
	op     uint64
	isOver atomic.Bool
}

func (c *canceller) cancel() {
	for pause := 20 * time.Microsecond; !c.isOver.Load(); pause = min(2*pause, 10*time.Millisecond) {
		if op := atomic.LoadUint64(&c.op); op != 0 {
			native.Cancel(op)
			return
		}
		time.Sleep(pause)
	}
}

// isTest tells whether this program is one of `go test`.
var isTest = sync.OnceValue(func() bool { return flag.Lookup("test.v") != nil })

// inBubble tells whether this goroutine is in a bubble of testing/synctest, whose contexts no goroutine outside may touch. Its clock begins
// with the year 2000.
func inBubble() bool { return time.Now().Year() < 2020 }
