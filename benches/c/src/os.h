/* What differs between systems. */
#ifndef OS_H
#define OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef _WIN32
#define OS_PREFIX ""
#define OS_SUFFIX ".dll"
#elif defined(__APPLE__)
#define OS_PREFIX "lib"
#define OS_SUFFIX ".dylib"
#else
#define OS_PREFIX "lib"
#define OS_SUFFIX ".so"
#endif

/* Nanoseconds since some moment, by the finest clock that never goes back. */
uint64_t os_now(void);

/* Opens a library; null if that fails. It stays open. */
void *os_open(const char *path);

/* Address of a function in a library; null if there is none. */
void (*os_symbol(void *library, const char *name))(void);

/* Runs `body` with each of `count` arguments on a thread of its own and waits for all; false if one can't be made. */
bool os_run(void (*body)(void *), void **arguments, unsigned count);

/* Lets others run. */
void os_yield(void);

/* Binds this thread, and those that it makes, to one core that isn't the first; or lets go of it again. */
void os_bind(bool to_one);

/* A gate that one thread waits at, until another opens it. */
typedef struct os_gate os_gate;

/* The gate of this program, which is shut at first. */
os_gate *os_gate_get(void);

/* Opens it, and wakes who waits. */
void os_gate_open(os_gate *gate);

/* Waits until it's open, and shuts it again. */
void os_gate_pass(os_gate *gate);

/* A path for temporary files of this process, ending in a name of our own. */
void os_temporary(char *path, size_t capacity);

#endif
