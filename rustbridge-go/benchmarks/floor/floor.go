// Package floor calls benches/floor by hand, as somebody would who writes one cgo binding for one function: what ours is compared with.
package floor

/*
#cgo linux LDFLAGS: -ldl
#cgo noescape floor_call
#cgo nocallback floor_call
#cgo noescape floor_call_on
#cgo nocallback floor_call_on
#cgo noescape floor_begin
#cgo nocallback floor_begin
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

typedef int32_t (*function)(uint8_t *handle, uint32_t id, const uint8_t *request, size_t len, uint8_t *response, size_t capacity,
                            size_t *response_len);

static void *floor_library;

static int floor_open(const char *path) {
  floor_library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  return floor_library != NULL;
}

static uintptr_t floor_find(const char *name) {
  return (uintptr_t)dlsym(floor_library, name);
}

static inline int32_t floor_call(uintptr_t address, uint32_t id, const uint8_t *request, size_t len, uint8_t *response,
                                 size_t capacity, size_t *response_len) {
  return ((function)address)(NULL, id, request, len, response, capacity, response_len);
}

static inline int32_t floor_call_on(uintptr_t address, uintptr_t handle, const uint8_t *request, size_t len, uint8_t *response,
                                    size_t capacity, size_t *response_len) {
  return ((function)address)((uint8_t *)handle, 0, request, len, response, capacity, response_len);
}

extern void floorDone(void *data, int32_t status, int32_t value);

// The end is told to Go, on a thread of the library's.
static inline int32_t floor_begin(uintptr_t address, int32_t value, uintptr_t waiter) {
  struct {
    void (*done)(void *data, int32_t status, int32_t value);
    void *data;
  } callback = {floorDone, (void *)waiter};
  return ((function)address)((uint8_t *)&callback, 0, (const uint8_t *)&value, sizeof value, NULL, 0, NULL);
}
*/
import "C"

import (
	"fmt"
	"runtime/cgo"
	"unsafe"
)

// Open loads the library of benches/floor.
func Open(path string) error {
	text := C.CString(path)
	defer C.free(unsafe.Pointer(text))
	if C.floor_open(text) == 0 {
		return fmt.Errorf("%s can't be opened: run `cargo build --release -p floor`", path)
	}
	return nil
}

// Function is one of the library's.
type Function struct {
	address C.uintptr_t
}

// Find looks a function up.
func Find(name string) (Function, error) {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	address := C.floor_find(text)
	if address == 0 {
		return Function{}, fmt.Errorf("the floor has no function %s", name)
	}
	return Function{address}, nil
}

// Empty calls with nothing.
func (f Function) Empty() int32 {
	return int32(C.floor_call(f.address, 0, nil, 0, nil, 0, nil))
}

// Call calls with memory.
func (f Function) Call(request unsafe.Pointer, size int, response unsafe.Pointer, capacity int) (int, int32) {
	var length C.size_t
	status := C.floor_call(f.address, 0, (*C.uint8_t)(request), C.size_t(size), (*C.uint8_t)(response), C.size_t(capacity), &length)
	return int(length), int32(status)
}

// Text calls with a text, and gives one.
func (f Function) Text(request string) (string, int32) {
	var storage [512]byte
	length, status := f.Call(unsafe.Pointer(unsafe.StringData(request)), len(request), unsafe.Pointer(&storage), len(storage))
	return string(storage[:length]), status
}

// CallOn calls with an object's address, and memory.
func (f Function) CallOn(object uintptr, request unsafe.Pointer, size int, response unsafe.Pointer, capacity int) (int, int32) {
	var length C.size_t
	status := C.floor_call_on(f.address, C.uintptr_t(object), (*C.uint8_t)(request), C.size_t(size), (*C.uint8_t)(response),
		C.size_t(capacity), &length)
	return int(length), int32(status)
}

// Later begins a task, and waits for what a callback tells of it.
func (f Function) Later(value int32) int32 {
	answer := make(chan int32, 1)
	waiter := cgo.NewHandle(answer)
	C.floor_begin(f.address, C.int32_t(value), C.uintptr_t(waiter))
	return <-answer
}

//export floorDone
func floorDone(data unsafe.Pointer, _, value C.int32_t) {
	waiter := cgo.Handle(data)
	waiter.Value().(chan int32) <- int32(value)
	waiter.Delete()
}
