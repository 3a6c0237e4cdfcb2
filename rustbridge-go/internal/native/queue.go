package native

/*
#include <stdlib.h>
#include "shim.h"
*/
import "C"

import (
	"time"
	"unsafe"
)

// The arena that payloads are copied to; larger ones are handed over.
const arenaSize = 64 << 10

// NewQueue makes a queue; its number.
func NewQueue(result *Result) (uint64, int32) {
	var queue C.uint64_t
	status := C.rbg_queue_new(&queue, &result.c)
	return uint64(queue), int32(status)
}

// Descriptor is what says that something has come to a queue. It stays the queue's.
func Descriptor(queue uint64) (uintptr, int32) {
	var descriptor C.intptr_t
	status := C.rbg_queue_fd(C.uint64_t(queue), &descriptor)
	return uintptr(descriptor), int32(status)
}

// CloseQueue closes a queue.
func CloseQueue(queue uint64) int32 { return int32(C.rbg_queue_close(C.uint64_t(queue))) }

// Drainer fetches the events of a queue, for one goroutine.
type Drainer struct {
	queue  uint64
	raw    unsafe.Pointer
	arena  unsafe.Pointer
	events [C.RBG_EVENTS]C.rbg_event
}

// NewDrainer makes one.
func NewDrainer(queue uint64) *Drainer {
	return &Drainer{
		queue: queue,
		raw:   C.calloc(C.RBG_EVENTS, C.sizeof_rb_event),
		arena: C.malloc(arenaSize),
	}
}

// Free releases what it fetches with. It isn't used any more.
func (d *Drainer) Free() {
	C.free(d.raw)
	C.free(d.arena)
	d.raw, d.arena = nil, nil
}

// Next fetches events, up to a time; how many, and the status. Each event's memory is valid until the next call, and has to be taken
// or released before.
func (d *Drainer) Next(timeoutMS uint64) (int, int32) {
	var count C.size_t
	status := C.rbg_queue_poll(C.uint64_t(d.queue), d.raw, &d.events[0], (*C.uint8_t)(d.arena), arenaSize, C.uint64_t(timeoutMS),
		&count)
	return int(count), int32(status)
}

// Event gives one of those that were fetched.
func (d *Drainer) Event(index int) *Event {
	return (*Event)(unsafe.Pointer(&d.events[index]))
}

// Event is what is told of an operation, or of a service call.
type Event struct {
	c C.rbg_event
}

// Kind is one of the Event codes.
func (e *Event) Kind() uint32 { return uint32(e.c.kind) }

// Status is how it has ended.
func (e *Event) Status() int32 { return int32(e.c.status) }

// Op is the operation, or the service call's number.
func (e *Event) Op() uint64 { return uint64(e.c.op) }

// UserData is what the submission said, or the service's number.
func (e *Event) UserData() uint64 { return uint64(e.c.user_data) }

// Count is how many items there are.
func (e *Event) Count() int { return int(e.c.count) }

// Flags are Batch bits of the items.
func (e *Event) Flags() uint32 { return uint32(e.c.flags) }

// MaySend is how many items, and how many bytes, may be sent.
func (e *Event) MaySend() (uint64, uint64) { return uint64(e.c.items), uint64(e.c.bytes) }

// Take copies the answer, the error's payload, the items or the request, and releases it.
func (e *Event) Take() []byte {
	memory := Memory{e.c.response}
	e.c.response = [5]C.uintptr_t{}
	return memory.Take(nil)
}

// TakeTrailers likewise, of the trailers.
func (e *Event) TakeTrailers() []byte {
	memory := Memory{e.c.trailers}
	e.c.trailers = [5]C.uintptr_t{}
	return memory.Take(nil)
}

// TakeObjects likewise, of the objects' numbers.
func (e *Event) TakeObjects() []uint64 {
	memory := Memory{e.c.objects}
	e.c.objects = [5]C.uintptr_t{}
	return objects(memory)
}

// Drop releases all that came with an event nobody wants.
func (e *Event) Drop() {
	e.Take()
	e.TakeTrailers()
	for _, object := range e.TakeObjects() {
		// A destructor may wait, and whoever drains mustn't.
		go ReleaseObject(object)
	}
}

// CallData copies the data that accompanies a service call, and reports whether there is any. Call it before Take, which
// frees the memory.
func (e *Event) CallData(to *CallData) bool {
	if e.c.has_header == 0 {
		return false
	}
	block := &e.c.carried
	*to = CallData{
		TimeoutNS:  uint64(block.timeout_ns),
		Flags:      uint32(block.flags),
		TraceFlags: uint32(block.trace_flags),
		TraceID:    *(*[16]byte)(unsafe.Pointer(&block.trace_id)),
		SpanID:     *(*[8]byte)(unsafe.Pointer(&block.span_id)),
		Number:     uint64(block.number),
	}
	state := Memory{[5]C.uintptr_t{e.c.state, 0, e.c.state_len, 0, 0}}
	to.TraceState = string(state.View())
	metadata := Memory{[5]C.uintptr_t{e.c.metadata, 0, e.c.metadata_len, 0, 0}}
	to.Metadata = append([]byte(nil), metadata.View()...)
	return true
}

// Timeout is how much time a call has, if it says so.
func (c *CallData) Timeout() (time.Duration, bool) {
	if c.Flags&HeaderTimeout == 0 {
		return 0, false
	}
	return time.Duration(min(c.TimeoutNS, 1<<63-1)), true
}

// Instance is the one that calls a service.
func (e *Event) Instance() uint64 { return uint64(e.c.instance) }
