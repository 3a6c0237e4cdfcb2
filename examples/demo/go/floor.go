// The bare calls: a hand-written cgo binding of benches/floor.
package main

/*
#cgo linux LDFLAGS: -ldl
#cgo noescape floor_call
#cgo nocallback floor_call
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

typedef int32_t (*function)(uint8_t *handle, uint32_t id, const uint8_t *request, size_t len, uint8_t *response, size_t capacity,
                            size_t *response_len);

static uintptr_t floor_find(const char *path, const char *name) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  return library == NULL ? 0 : (uintptr_t)dlsym(library, name);
}

static inline int32_t floor_call(uintptr_t address, const uint8_t *request, size_t len, uint8_t *response, size_t capacity,
                                 size_t *response_len) {
  return ((function)address)(NULL, 0, request, len, response, capacity, response_len);
}
*/
import "C"

import "unsafe"

type bare struct {
	address C.uintptr_t
}

func find(path, name string) bare {
	file, symbol := C.CString(path), C.CString(name)
	defer C.free(unsafe.Pointer(file))
	defer C.free(unsafe.Pointer(symbol))
	found := bare{C.floor_find(file, symbol)}
	if found.address == 0 {
		panic(path + " has no " + name)
	}
	return found
}

func (b bare) call(request unsafe.Pointer, size uintptr, response unsafe.Pointer, capacity uintptr) int {
	var length C.size_t
	status := C.floor_call(b.address, (*C.uint8_t)(request), C.size_t(size), (*C.uint8_t)(response), C.size_t(capacity), &length)
	if status != 0 {
		panic("the bare call failed")
	}
	return int(length)
}

func (b bare) text(request string) string {
	var storage [512]byte
	length := b.call(unsafe.Pointer(unsafe.StringData(request)), uintptr(len(request)), unsafe.Pointer(&storage), 512)
	return string(storage[:length])
}
