package native

/*
#include "shim.h"
*/
import "C"

import (
	"strings"
	"unsafe"
)

// LoadSpec specifies how a plugin is loaded.
type LoadSpec struct {
	Path         string
	Image        []byte
	Config       []byte
	HasConfig    bool
	Name         string
	ClientSchema string
	// Load bits.
	Flags    uint32
	LogLevel uint32
	Threads  uint32
	// Number of the sink, 0 for none. See Sinks.
	Sink uintptr
	// Services, the queue that they go to, and the number of the first one.
	Services     []Service
	Queue        uint64
	FirstService uint64
}

// Service is one that is registered.
type Service struct {
	Name     string
	Encoding uint32
}

// Load loads a plugin; the number of its instance.
func Load(loading *LoadSpec, result *Result) (uint64, int32) {
	options := C.rbg_load_options{
		flags:         C.uint32_t(loading.Flags),
		log_level:     C.uint32_t(loading.LogLevel),
		threads:       C.uint32_t(loading.Threads),
		sink:          C.uintptr_t(loading.Sink),
		queue:         C.uint64_t(loading.Queue),
		first_service: C.uint64_t(loading.FirstService),
	}
	var names strings.Builder
	var sizes, encodings []uint32
	for _, service := range loading.Services {
		names.WriteString(service.Name)
		sizes = append(sizes, uint32(len(service.Name)))
		encodings = append(encodings, service.Encoding)
	}
	hasConfig := C.int(0)
	if loading.HasConfig {
		hasConfig = 1
	}
	var instance C.uint64_t
	status := C.rbg_load(&options, textOf(loading.Path), C.size_t(len(loading.Path)), bytesOf(loading.Image),
		C.size_t(len(loading.Image)), bytesOf(loading.Config), C.size_t(len(loading.Config)), hasConfig, textOf(loading.Name),
		C.size_t(len(loading.Name)), textOf(loading.ClientSchema), C.size_t(len(loading.ClientSchema)), textOf(names.String()),
		(*C.uint32_t)(unsafe.Pointer(unsafe.SliceData(sizes))), (*C.uint32_t)(unsafe.Pointer(unsafe.SliceData(encodings))),
		C.size_t(len(sizes)), &instance, &result.c)
	return uint64(instance), int32(status)
}

// Method is a method prepared for one encoding.
type Method struct {
	Entry, Flags, Encoding, LeafLimit, Storage uint32
	RequestSize, ResponseSize, BufferLimit     uint64
}

func (m *Method) from(c *C.rbg_method) {
	*m = Method{
		Entry: uint32(c.entry), Flags: uint32(c.flags), Encoding: uint32(c.encoding), LeafLimit: uint32(c.leaf_limit),
		Storage: uint32(c.storage), RequestSize: uint64(c.request_size), ResponseSize: uint64(c.response_size),
		BufferLimit: uint64(c.buffer_limit),
	}
}

// Prepare finds a method by name.
func Prepare(instance uint64, name string, encoding uint32, method *Method, result *Result) int32 {
	var c C.rbg_method
	status := C.rbg_prepare(C.uint64_t(instance), textOf(name), C.size_t(len(name)), C.uint32_t(encoding), &c, &result.c)
	method.from(&c)
	return int32(status)
}

// PrepareID finds a method by its number.
func PrepareID(instance uint64, id, encoding uint32, method *Method, result *Result) int32 {
	var c C.rbg_method
	status := C.rbg_prepare_id(C.uint64_t(instance), C.uint32_t(id), C.uint32_t(encoding), &c, &result.c)
	method.from(&c)
	return int32(status)
}

// PrepareTyped finds a method for a typed client.
func PrepareTyped(instance uint64, name, fingerprint, clientSchema string, method *Method, result *Result) int32 {
	var c C.rbg_method
	status := C.rbg_prepare_typed(C.uint64_t(instance), textOf(name), C.size_t(len(name)), textOf(fingerprint),
		C.size_t(len(fingerprint)), textOf(clientSchema), C.size_t(len(clientSchema)), &c, &result.c)
	method.from(&c)
	return int32(status)
}

// Name gives the name that an instance goes by, as the result's response.
func Name(instance uint64, result *Result) int32 {
	return int32(C.rbg_name(C.uint64_t(instance), &result.c))
}

// Describe gives a plugin's description, as the result's response.
func Describe(instance uint64, result *Result) int32 {
	return int32(C.rbg_describe(C.uint64_t(instance), &result.c))
}

// Inspect tells what is loaded.
func Inspect(result *Result) int32 { return int32(C.rbg_inspect(&result.c)) }

// State gives an instance's state, one of the ABI's codes.
func State(instance uint64, result *Result) (uint32, int32) {
	var state C.uint32_t
	status := C.rbg_state(C.uint64_t(instance), &state, &result.c)
	return uint32(state), int32(status)
}

// Close closes an instance. With cancels, what is pending is asked to end early after a time of its own.
func Close(instance, timeoutMS uint64, cancels bool, cancelAfterMS uint64, result *Result) int32 {
	flag := C.int(0)
	if cancels {
		flag = 1
	}
	return int32(C.rbg_close(C.uint64_t(instance), C.uint64_t(timeoutMS), flag, C.uint64_t(cancelAfterMS), &result.c))
}

// SetLogLevel sets how much is logged.
func SetLogLevel(instance uint64, level uint32, result *Result) int32 {
	return int32(C.rbg_log_set_level(C.uint64_t(instance), C.uint32_t(level), &result.c))
}

// FlushLog waits until what was logged has been delivered.
func FlushLog(instance, timeoutMS uint64, result *Result) int32 {
	return int32(C.rbg_log_flush(C.uint64_t(instance), C.uint64_t(timeoutMS), &result.c))
}

// EntryOf gives the instance and the entry of a prepared method, for the testee, which goes beneath the package. The package sets it.
var EntryOf func(method any) (uint64, uint32)

// Invoke makes a call that the application doesn't know of, without interceptors. The package sets it.
var Invoke func(method, invocation any) error

// ReleaseService returns a service that releases an object of the host. The request is the object's number. The package sets it.
var ReleaseService func(release func(number uint64)) any
