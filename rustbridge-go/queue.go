package rustbridge

import (
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// queue is one of the core's, with those who wait for its events.
type queue struct {
	number uint64
	// The descriptor that the runtime's poller watches; nil where a thread waits instead.
	watched *os.File
	// Set before the queue is closed with the last plugin.
	isClosed atomic.Bool
	lock     sync.Mutex
	slots    atomic.Pointer[[]*slot]
	free     []*slot
	// Those whose numbers the core never kept.
	unused spares[slot]
}

// slot is a place for one operation's events. Its number goes to the core, with a generation, so an event that comes too late finds
// nobody; slots are used again and never freed.
type slot struct {
	index uint32
	wake  chan struct{}

	lock       sync.Mutex
	generation uint32
	isOver     bool
	listener   listener
	end        end
}

// listener is told of a stream's events, on the drainer's goroutine, and takes or drops what comes with them.
type listener interface {
	told(event *native.Event)
}

func (s *slot) userData() uint64 {
	return uint64(s.generation)<<32 | uint64(s.index)
}

// take gives a free slot; it's the caller's alone until its number is given to the core.
func (q *queue) take(listener listener) *slot {
	if taken := q.unused.take(); taken != nil {
		if listener != nil {
			taken.lock.Lock()
			taken.listener = listener
			taken.lock.Unlock()
		}
		return taken
	}
	q.lock.Lock()
	defer q.lock.Unlock()
	if count := len(q.free); count > 0 {
		taken := q.free[count-1]
		q.free = q.free[:count-1]
		taken.lock.Lock()
		taken.listener = listener
		taken.lock.Unlock()
		return taken
	}
	var slots []*slot
	if known := q.slots.Load(); known != nil {
		slots = *known
	}
	made := &slot{index: uint32(len(slots)), wake: make(chan struct{}, 1), listener: listener}
	// Who reads the old ones sees no change: what's appended is behind their end.
	slots = append(slots, made)
	q.slots.Store(&slots)
	return made
}

// give takes a slot back. Its number is stale from here on.
func (q *queue) give(slot *slot) {
	slot.lock.Lock()
	slot.generation++
	slot.isOver = false
	slot.listener = nil
	slot.end = end{}
	slot.lock.Unlock()
	q.lock.Lock()
	q.free = append(q.free, slot)
	q.lock.Unlock()
}

// giveUnused takes a slot without a listener back whose number no event will say, since what was begun with it has ended at once.
func (q *queue) giveUnused(slot *slot) {
	if !q.unused.give(slot) {
		q.give(slot)
	}
}

// abandon has the end of the operation of that number find nobody; false if it has come already. By then the slot may be another's.
func (s *slot) abandon(userData uint64) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.isOver || s.userData() != userData {
		return false
	}
	s.generation++
	return true
}

// tell gives an event to who waits for it.
func (q *queue) tell(event *native.Event) {
	number := event.UserData()
	slots := q.slots.Load()
	if slots == nil || int(uint32(number)) >= len(*slots) {
		event.Drop()
		return
	}
	slot := (*slots)[uint32(number)]
	slot.lock.Lock()
	if slot.generation != uint32(number>>32) || slot.isOver {
		slot.lock.Unlock()
		event.Drop()
		return
	}
	if listener := slot.listener; listener != nil {
		// From here on the slot can't be abandoned: it's given back below.
		isDone := event.Kind() == native.EventDone
		slot.isOver = isDone
		slot.lock.Unlock()
		listener.told(event)
		if isDone {
			q.give(slot)
		}
		return
	}
	if event.Kind() == native.EventHeaders {
		slot.end.headers = event.Take()
		slot.lock.Unlock()
		return
	}
	if event.Kind() != native.EventDone {
		slot.lock.Unlock()
		event.Drop()
		return
	}
	slot.end = end{headers: slot.end.headers, status: event.Status(), trailers: event.TakeTrailers(), objects: event.TakeObjects(), payload: event.Take()}
	slot.isOver = true
	slot.lock.Unlock()
	slot.wake <- struct{}{}
}

// waiting returns the number of operations whose completion has not been delivered yet.
func (q *queue) waiting() int {
	q.lock.Lock()
	defer q.lock.Unlock()
	slots := q.slots.Load()
	if slots == nil {
		return 0
	}
	return len(*slots) - len(q.free) - q.unused.count()
}

// drain tells of all that comes, until the queue is closed.
func (q *queue) drain() {
	drainer := native.NewDrainer(q.number)
	defer drainer.Free()
	if q.watched != nil {
		raw, err := q.watched.SyscallConn()
		for err == nil {
			err = raw.Read(func(uintptr) bool { return q.fetch(drainer, 0) })
		}
	}
	// Where the runtime can't watch it, a thread waits.
	for q.fetch(drainer, native.Forever) {
	}
}

// fetch tells of what is there; false if there was nothing.
func (q *queue) fetch(drainer *native.Drainer, timeoutMS uint64) bool {
	count, status := drainer.Next(timeoutMS)
	for index := range count {
		q.tell(drainer.Event(index))
	}
	return status == native.OK && count > 0
}

// close waits until all completions are delivered, then closes the queue. No new operations start: all plugins are closed.
func (q *queue) close() {
	for pause := 100 * time.Microsecond; q.waiting() > 0; pause = min(2*pause, 10*time.Millisecond) {
		time.Sleep(pause)
	}
	q.isClosed.Store(true)
	if q.watched != nil {
		_ = q.watched.Close()
	}
	native.CloseQueue(q.number)
}
