// Package native is the one place that calls librustbridge: its functions, by pointers that were looked up when it was loaded, with
// plain numbers and bytes on Go's side.
//
// Nothing that these functions call calls back into Go on the same thread, but for the ends of instances and logs (Load, Close,
// LogFlush), so all others are told to cgo as nocallback. None keeps a pointer to Go's memory: noescape.
package native

/*
#cgo CFLAGS: -O2 -std=gnu11
#cgo linux LDFLAGS: -ldl
#cgo noescape rbg_call_into
#cgo nocallback rbg_call_into
#cgo noescape rbg_call_with
#cgo nocallback rbg_call_with
#cgo noescape rbg_submit
#cgo nocallback rbg_submit
#cgo noescape rbg_call_result
#cgo nocallback rbg_call_result
#cgo nocallback rbg_call_result_release
#cgo noescape rbg_release
#cgo nocallback rbg_release
#cgo noescape rbg_queue_poll
#cgo nocallback rbg_queue_poll
#cgo nocallback rbg_op_cancel
#cgo nocallback rbg_op_detach
#cgo nocallback rbg_op_demand
#cgo noescape rbg_op_write
#cgo nocallback rbg_op_write
#cgo noescape rbg_op_end
#cgo nocallback rbg_op_end
#cgo noescape rbg_service_reply
#cgo nocallback rbg_service_reply
#cgo nocallback rbg_object_release
#include <stdlib.h>
#include "shim.h"
*/
import "C"

import (
	"errors"
	"unsafe"
)

// Forever is a timeout that never ends.
const Forever = ^uint64(0)

// Numbers of the ABI.
const (
	OK          = C.RB_OK
	Pending     = C.RB_PENDING
	EntryLeaf   = C.RB_ENTRY_LEAF
	EntryShared = C.RB_ENTRY_SHARED

	MethodLeaf      = C.RB_METHOD_LEAF
	MethodAsync     = C.RB_METHOD_ASYNC
	MethodStreamOut = C.RB_METHOD_STREAM_OUT
	MethodStreamIn  = C.RB_METHOD_STREAM_IN
	MethodObjects   = C.RB_METHOD_OBJECTS
	MethodReceiver  = C.RB_METHOD_RECEIVER

	LoadPoison    = C.RB_LOAD_POISON
	LoadBacktrace = C.RB_LOAD_BACKTRACE
	LoadOwnCopy   = C.RB_LOAD_OWN_COPY

	HeaderTimeout = C.RB_CONTEXT_TIMEOUT
	HeaderTrace   = C.RB_CONTEXT_TRACE
	HeaderHeaders = C.RB_CONTEXT_HEADERS
	MetadataLimit = C.RB_METADATA_LIMIT

	SubmitOffload = C.RB_SUBMIT_OFFLOAD

	EventDone          = C.RB_EVENT_DONE
	EventHeaders       = C.RB_EVENT_HEADERS
	EventItems         = C.RB_EVENT_ITEMS
	EventDemand        = C.RB_EVENT_DEMAND
	EventService       = C.RB_EVENT_SERVICE
	EventServiceCancel = C.RB_EVENT_SERVICE_CANCEL

	BatchEnds = C.RB_BATCH_ENDS

	// EncodingBytes stands for raw, or else pod, when a method is prepared.
	EncodingBytes = uint32(C.RB_ENCODING_BYTES)
)

// Open loads the library at a path. It's called once.
func Open(path string) error {
	text := C.CString(path)
	defer C.free(unsafe.Pointer(text))
	problem := C.rbg_open(text)
	if problem == nil {
		return nil
	}
	defer C.free(unsafe.Pointer(problem))
	return errors.New(C.GoString(problem))
}

// Version of the library.
func Version() string {
	return C.GoString(C.rbg_version())
}

// Result is what comes back from a call that isn't just bytes in its storage.
type Result struct {
	c C.rbg_result
}

// Status is how it has ended.
func (r *Result) Status() int32 { return int32(r.c.status) }

// Op is the number of what is pending.
func (r *Result) Op() uint64 { return uint64(r.c.op) }

// InStorage tells whether the bytes are the first Len of the storage.
func (r *Result) InStorage() bool { return r.c.in_storage != 0 }

// Len is the number of bytes of the response.
func (r *Result) Len() int { return int(r.c.response[2]) }

// Memory hands over the response: who takes it releases it.
func (r *Result) Memory() Memory {
	memory := Memory{r.c.response}
	r.c.response = [5]C.uintptr_t{}
	return memory
}

// Trailers takes the metadata that came back.
func (r *Result) Trailers() []byte { return (&Memory{r.c.trailers}).Take(nil) }

// Headers takes the metadata that came before the answer.
func (r *Result) Headers() []byte { return (&Memory{r.c.headers}).Take(nil) }

// Objects takes the numbers of the objects that came back.
func (r *Result) Objects() []uint64 { return objects(Memory{r.c.objects}) }

// Memory is bytes that the library or a plugin owns. The zero value has none.
type Memory struct {
	kept [5]C.uintptr_t
}

// View gives the bytes where they are: valid until Release.
func (m *Memory) View() []byte {
	if m.kept[2] == 0 {
		return nil
	}
	// The address is C's, stored as a number so that it may lie in memory that the collector looks at.
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&m.kept[0])), int(m.kept[2]))
}

// Len is the number of bytes.
func (m *Memory) Len() int { return int(m.kept[2]) }

// Release frees them. Once.
func (m *Memory) Release() {
	if m.kept[3] != 0 {
		C.rbg_release(&m.kept[0])
	}
	m.kept = [5]C.uintptr_t{}
}

// Take appends the bytes to a slice and releases them.
func (m *Memory) Take(to []byte) []byte {
	if m.kept[2] != 0 {
		to = append(to, m.View()...)
	}
	m.Release()
	return to
}

func objects(memory Memory) []uint64 {
	view := memory.View()
	var numbers []uint64
	if len(view) >= 8 {
		numbers = make([]uint64, len(view)/8)
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&numbers[0])), len(numbers)*8), view)
	}
	memory.Release()
	return numbers
}

func bytesOf(data []byte) *C.uint8_t {
	return (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(data)))
}

func textOf(text string) *C.char {
	return (*C.char)(unsafe.Pointer(unsafe.StringData(text)))
}

// CallInto calls with the storage as an argument: the length of the response in it, or a negative number for Outcome.
func CallInto(instance uint64, entry uint32, request unsafe.Pointer, size int, storage unsafe.Pointer, capacity int) int64 {
	return int64(C.rbg_call_into(C.uint64_t(instance), C.uint32_t(entry), (*C.uint8_t)(request), C.size_t(size),
		(*C.uint8_t)(storage), C.size_t(capacity)))
}

// Outcome is what a negative result of CallInto stands for: a status, and bytes in the storage or elsewhere. Once.
func Outcome(number int64, take func(status int32, inStorage bool, size int, elsewhere []byte)) {
	var result C.rbg_result
	C.rbg_call_result(C.int64_t(number), &result)
	memory := Memory{result.response}
	if result.in_storage != 0 {
		take(int32(result.status), true, int(result.response[2]), nil)
	} else {
		take(int32(result.status), false, memory.Len(), memory.View())
	}
	C.rbg_call_result_release(result.op)
}

// CallData is the data of a call in addition to its request. The zero value is empty.
type CallData struct {
	TimeoutNS   uint64
	Flags       uint32
	TraceFlags  uint32
	TraceID     [16]byte
	SpanID      [8]byte
	DemandItems uint64
	DemandBytes uint64
	TraceState  string
	Metadata    []byte
	Objects     []uint64
	// Number is the host's own number for the call, 0 for none.
	Number uint64
}

func (c *CallData) block() C.rbg_carried {
	block := C.rbg_carried{
		timeout_ns:   C.uint64_t(c.TimeoutNS),
		flags:        C.uint32_t(c.Flags),
		trace_flags:  C.uint32_t(c.TraceFlags),
		demand_items: C.uint64_t(c.DemandItems),
		demand_bytes: C.uint64_t(c.DemandBytes),
		number:       C.uint64_t(c.Number),
	}
	*(*[16]byte)(unsafe.Pointer(&block.trace_id)) = c.TraceID
	*(*[8]byte)(unsafe.Pointer(&block.span_id)) = c.SpanID
	return block
}

// CallWith calls with what a call carries. The place for its number may be read by other goroutines, atomically; it may be nil.
func CallWith(instance uint64, entry uint32, carried *CallData, op *uint64, request []byte, storage unsafe.Pointer,
	capacity int, result *Result) {
	block := carried.block()
	C.rbg_call_with(C.uint64_t(instance), C.uint32_t(entry), &block, textOf(carried.TraceState),
		C.size_t(len(carried.TraceState)), bytesOf(carried.Metadata), C.size_t(len(carried.Metadata)),
		(*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(carried.Objects))), C.size_t(len(carried.Objects)),
		(*C.uint64_t)(unsafe.Pointer(op)), bytesOf(request), C.size_t(len(request)), (*C.uint8_t)(storage), C.size_t(capacity),
		&result.c)
}

// Submit begins a call; gives its status, Pending if events tell of its end.
func Submit(queue, userData, instance uint64, entry, flags uint32, carried *CallData, request []byte, storage unsafe.Pointer,
	capacity int, result *Result) int32 {
	block := carried.block()
	return int32(C.rbg_submit(C.uint64_t(queue), C.uint64_t(userData), C.uint64_t(instance), C.uint32_t(entry), C.uint32_t(flags),
		&block, textOf(carried.TraceState), C.size_t(len(carried.TraceState)), bytesOf(carried.Metadata),
		C.size_t(len(carried.Metadata)), (*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(carried.Objects))),
		C.size_t(len(carried.Objects)), bytesOf(request), C.size_t(len(request)), (*C.uint8_t)(storage), C.size_t(capacity),
		&result.c))
}

// Cancel asks an operation to end early.
func Cancel(op uint64) int32 { return int32(C.rbg_op_cancel(C.uint64_t(op))) }

// Detach gives an operation up.
func Detach(op uint64) int32 { return int32(C.rbg_op_detach(C.uint64_t(op))) }

// Demand takes so much more of a stream.
func Demand(op, items, bytes uint64) int32 {
	return int32(C.rbg_op_demand(C.uint64_t(op), C.uint64_t(items), C.uint64_t(bytes)))
}

// Write sends items.
func Write(op uint64, data []byte, count int, flags uint32) int32 {
	return int32(C.rbg_op_write(C.uint64_t(op), bytesOf(data), C.size_t(len(data)), C.uint32_t(count), C.uint32_t(flags)))
}

// End ends what is sent.
func End(op uint64, status int32, payload []byte) int32 {
	return int32(C.rbg_op_end(C.uint64_t(op), C.int32_t(status), bytesOf(payload), C.size_t(len(payload))))
}

// Reply answers a service's call.
func Reply(number uint64, status int32, payload []byte) int32 {
	return int32(C.rbg_service_reply(C.uint64_t(number), C.int32_t(status), bytesOf(payload), C.size_t(len(payload))))
}

// ReleaseObject releases an object.
func ReleaseObject(object uint64) int32 { return int32(C.rbg_object_release(C.uint64_t(object))) }

// MemoryOf takes bytes of Go's for memory that has to be released by nobody. They are copied to C's, which never happens on a hot path.
func MemoryOf(data []byte) Memory {
	var memory Memory
	if len(data) > 0 {
		C.rbg_own((*C.uint8_t)(unsafe.Pointer(&data[0])), C.size_t(len(data)), &memory.kept[0])
	}
	return memory
}
