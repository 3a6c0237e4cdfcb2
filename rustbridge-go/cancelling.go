package rustbridge

import (
	"context"
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
	ctx context.Context
	// Which call this is of those that had the place.
	use    uint64
	isSeen bool
	// Takes back what the context was told.
	stop func() bool
	_    [40]byte
}

// What runs, and how it's looked at.
var calls struct {
	running [places]running
	// Whether nobody looks, since nothing has run for a while.
	isAsleep atomic.Bool
	begin    sync.Once
	wake     chan struct{}
}

const (
	// How long a call may run before its context is told of it, or twice as long.
	lookEvery = time.Millisecond
	// So often nothing ran when whoever looks goes to sleep.
	looksInVain = 100
)

// cancellable says that a call begins; nil if all the places near are taken.
func cancellable(ctx context.Context) *running {
	first := placeOf()
	for probe := range uint32(4) {
		found := &calls.running[(first+probe)%places]
		if !found.isTaken.Load() && found.isTaken.CompareAndSwap(false, true) {
			atomic.StoreUint64(&found.op, 0)
			found.lock.Lock()
			found.ctx = ctx
			found.use++
			found.isSeen = false
			found.lock.Unlock()
			calls.begin.Do(func() {
				calls.wake = make(chan struct{}, 1)
				go look()
			})
			if calls.isAsleep.Load() && calls.isAsleep.CompareAndSwap(true, false) {
				calls.wake <- struct{}{}
			}
			return found
		}
	}
	return nil
}

// over says that the call has returned.
func (r *running) over() {
	r.lock.Lock()
	stop := r.stop
	r.ctx, r.stop = nil, nil
	r.lock.Unlock()
	if stop != nil {
		stop()
	}
	r.isTaken.Store(false)
}

// look tells the contexts of the calls that run for longer, for good.
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
		inVain = 0
		calls.isAsleep.Store(true)
		// A call that began before may not have seen that.
		if lookOnce() && calls.isAsleep.CompareAndSwap(true, false) {
			continue
		}
		<-calls.wake
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
		if call.ctx != nil && call.stop == nil {
			isAny = true
			if op := atomic.LoadUint64(&call.op); call.isSeen && op != 0 {
				// Elsewhere, since a context may be anybody's and take its time.
				call.stop = func() bool { return false }
				go call.tell(call.ctx, call.use, op)
			}
			call.isSeen = true
		}
		call.lock.Unlock()
	}
	return isAny
}

// tell has the context end the call. A number that's stale by then finds nothing.
func (r *running) tell(ctx context.Context, use, op uint64) {
	stop := context.AfterFunc(ctx, func() { native.Cancel(op) })
	r.lock.Lock()
	isOver := r.ctx == nil || r.use != use
	if !isOver {
		r.stop = stop
	}
	r.lock.Unlock()
	if isOver {
		stop()
	}
}
