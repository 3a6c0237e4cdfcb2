// A plugin in Go: converts text to capitals, adds numbers, and greets as configured. A panic ends one call.
//
// C refers to Go's values by a cgo.Handle, and C's own data is in C's memory: no pointer into Go's heap outlives a call.
package main

// #cgo CFLAGS: -I${SRCDIR}/../../../include -fvisibility=hidden
// #include "table.h"
import "C"

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/cgo"
	"sync/atomic"
	"time"
	"unsafe"
)

// docs/describe.md specifies the format. No entry is a leaf, because Go's garbage collector may pause a call.
const description = `{"abi":"1.0","name":"shout-go","version":"1.0.0",
"config":{"type":"object","properties":{"greeting":{"type":"string"}}},
"methods":[
  {"name":"shout","doc":"Answers a text in capitals.","entries":[{"index":0,"encoding":"raw"}]},
  {"name":"add","doc":"Adds two integers.","entries":[{"index":1,"encoding":"pod",
    "request":{"layout":{"type":"Add","size":16,"align":8,"fields":[
      {"name":"a","type":"i64","offset":0,"size":8},{"name":"b","type":"i64","offset":8,"size":8}]}},
    "response":{"layout":{"type":"Sum","size":8,"align":8,"fields":[
      {"name":"sum","type":"i64","offset":0,"size":8}]}}}]},
  {"name":"crash","doc":"Panics.","entries":[{"index":2,"encoding":"raw"}]},
  {"name":"greet","doc":"Greets someone.","entries":[{"index":3,"encoding":"json",
    "request":{"schema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}},
    "response":{"schema":{"type":"object","properties":{"greeting":{"type":"string"}}}}}]}]}`

// failure is an error for the caller.
type failure struct {
	status  C.rb_status
	Code    string `json:"code"`
	Message string `json:"message"`
	Type    string `json:"type"`
}

func (f *failure) Error() string { return f.Message }

func invalid(kind string, message string) error {
	return &failure{C.RB_INVALID_ARGUMENT, "INVALID_ARGUMENT", message, kind}
}

// shouter is an instance. Calls may run on any threads, several at the same time.
type shouter struct {
	host     *C.rb_host
	greeting string
	shouted  atomic.Uint64
}

func (s *shouter) shout(request []byte) ([]byte, error) {
	if len(request) == 0 {
		return nil, invalid("shout.Empty", "there is nothing to shout")
	}
	count := s.shouted.Add(1)
	s.log(C.RB_LOG_INFO, "shouted", map[string]any{"count": count})
	return bytes.ToUpper(request), nil
}

func add(request []byte) ([]byte, error) {
	if len(request) != 16 {
		return nil, invalid("shout.Size", "a struct of 16 bytes was expected")
	}
	// The request may be unaligned, so it's copied instead of cast.
	var numbers struct{ a, b int64 }
	copy((*[16]byte)(unsafe.Pointer(&numbers))[:], request)
	sum := numbers.a + numbers.b
	if numbers.b != 0 && (sum > numbers.a) != (numbers.b > 0) {
		return nil, &failure{C.RB_OUT_OF_RANGE, "OUT_OF_RANGE", "the sum has no 64 bits", "shout.Overflow"}
	}
	return (*[8]byte)(unsafe.Pointer(&sum))[:], nil
}

func (s *shouter) greet(request []byte) ([]byte, error) {
	var who struct {
		Name *string `json:"name"`
	}
	if err := json.Unmarshal(request, &who); err != nil {
		return nil, invalid("shout.Json", err.Error())
	}
	if who.Name == nil {
		return nil, invalid("shout.Json", "`name` is missing")
	}
	return json.Marshal(map[string]string{"greeting": s.greeting + ", " + *who.Name + "!"})
}

func (s *shouter) log(level C.rb_level, message string, fields map[string]any) {
	if C.shout_wants(s.host, level) == 0 {
		return
	}
	const target = "shout"
	text, err := json.Marshal(fields)
	if err != nil {
		text = nil
	}
	all := append([]byte(target+message), text...)
	C.shout_log(s.host, level, C.uint64_t(time.Now().UnixNano()), (*C.char)(unsafe.Pointer(&all[0])),
		C.size_t(len(target)), C.size_t(len(message)), C.size_t(len(text)))
}

// answer returns bytes in the caller's buffer, or in memory that table.c allocates.
func answer(response *C.rb_response, status C.rb_status, data []byte) C.rb_status {
	if response == nil {
		return status
	}
	if room := C.shout_room(response, C.size_t(len(data))); room != nil {
		copy(unsafe.Slice((*byte)(room), len(data)), data)
	} else if len(data) > 0 && status == C.RB_OK {
		return C.RB_RESOURCE_EXHAUSTED
	}
	return status
}

// guarded runs code that may fail or panic. A panic that isn't recovered on its own goroutine ends the process, so guarded can't
// catch a panic of another goroutine that the plugin starts.
func guarded(response *C.rb_response, body func() ([]byte, error)) (status C.rb_status) {
	ended := false
	defer func() {
		// In a module for Go before 1.21, recover returns nil after panic(nil).
		if cause := recover(); cause != nil || !ended {
			status = fail(response, &failure{C.RB_INTERNAL | C.RB_PANICKED, "INTERNAL", fmt.Sprint(cause), "shout.Panic"})
		}
	}()
	data, err := body()
	ended = true
	if err != nil {
		return fail(response, err)
	}
	return answer(response, C.RB_OK, data)
}

func fail(response *C.rb_response, err error) C.rb_status {
	var known *failure
	if !errors.As(err, &known) {
		known = &failure{C.RB_UNKNOWN, "UNKNOWN", err.Error(), "shout.Error"}
	}
	data, err := json.Marshal(known)
	if err != nil {
		data = nil
	}
	return answer(response, known.status, data)
}

func borrowed(data *C.uint8_t, length C.size_t) []byte {
	return unsafe.Slice((*byte)(data), length)
}

//export shoutDescribe
func shoutDescribe(response *C.rb_response) C.rb_status {
	return answer(response, C.RB_OK, []byte(description))
}

//export shoutCreate
func shoutCreate(host *C.rb_host, config *C.uint8_t, length C.size_t, instance *C.uintptr_t, response *C.rb_response) C.rb_status {
	return guarded(response, func() ([]byte, error) {
		settings := struct {
			Greeting string `json:"greeting"`
		}{"Hello"}
		if length > 0 {
			if err := json.Unmarshal(borrowed(config, length), &settings); err != nil {
				return nil, invalid("shout.Config", err.Error())
			}
		}
		*instance = C.uintptr_t(cgo.NewHandle(&shouter{host: host, greeting: settings.Greeting}))
		return nil, nil
	})
}

//export shoutCall
func shoutCall(instance C.uintptr_t, entry C.uint32_t, request *C.uint8_t, length C.size_t, response *C.rb_response) C.rb_status {
	return guarded(response, func() ([]byte, error) {
		s := cgo.Handle(instance).Value().(*shouter)
		data := borrowed(request, length)
		switch entry {
		case 0:
			return s.shout(data)
		case 1:
			return add(data)
		case 2:
			if string(data) == "odd" {
				panic(nil)
			}
			panic("panicked on purpose")
		case 3:
			return s.greet(data)
		default:
			return nil, &failure{C.RB_NOT_FOUND, "NOT_FOUND", "there is no such entry", "shout.Entry"}
		}
	})
}

//export shoutDestroy
func shoutDestroy(instance C.uintptr_t, response *C.rb_response) C.rb_status {
	return guarded(response, func() ([]byte, error) {
		cgo.Handle(instance).Delete()
		return nil, nil
	})
}

func main() {}
