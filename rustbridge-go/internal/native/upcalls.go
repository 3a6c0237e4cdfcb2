package native

/*
#include "shim.h"
*/
import "C"

import (
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// Record is one of a plugin's log. Its texts are copies.
type Record struct {
	Level    uint32
	IsSpan   bool
	Line     uint32
	Time     time.Time
	Duration time.Duration
	Target   string
	Message  string
	Fields   string
	Spans    string
	File     string
	Thread   string
	Instance string
	TraceID  [16]byte
	SpanID   [8]byte
}

// Sinks are numbered: the library knows a number, never an address, and one that is gone does nothing.
var (
	sinks    sync.Map
	lastSink atomic.Uint64
)

// NewSink gives a number to a function that takes records, one at a time. The library isn't asked to say when it needs it no more: it would
// say so from inside whatever function ends an instance, and those mayn't call back. So who closes the instance forgets it.
func NewSink(take func(*Record)) uintptr {
	number := uintptr(lastSink.Add(1))
	sinks.Store(number, take)
	return number
}

// ForgetSink forgets one. A record that comes all the same goes nowhere.
func ForgetSink(number uintptr) { sinks.Delete(number) }

// Sinks tells how many there are, for tests.
func Sinks() int {
	count := 0
	sinks.Range(func(any, any) bool { count++; return true })
	return count
}

//export rbgLog
func rbgLog(sink C.uintptr_t, record *C.rb_log_record) {
	found, ok := sinks.Load(uintptr(sink))
	if !ok || record == nil {
		return
	}
	taken := Record{
		Level:    uint32(record.level),
		IsSpan:   record.kind == C.RB_RECORD_SPAN,
		Line:     uint32(record.line),
		Time:     time.Unix(0, int64(record.time_unix_ns)),
		Duration: time.Duration(record.duration_ns),
		Target:   copied(record.target),
		Message:  copied(record.message),
		Fields:   copied(record.fields),
		Spans:    copied(record.spans),
		File:     copied(record.file),
		Thread:   copied(record.thread),
		Instance: copied(record.instance),
		TraceID:  *(*[16]byte)(unsafe.Pointer(&record.trace_id)),
		SpanID:   *(*[8]byte)(unsafe.Pointer(&record.span_id)),
	}
	found.(func(*Record))(&taken)
}

func copied(text C.rb_text) string {
	return string(unsafe.Slice((*byte)(unsafe.Pointer(text.data)), int(text.len)))
}
