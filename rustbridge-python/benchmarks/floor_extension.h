/* What the files of the floor's extension share. */
#ifndef FLOOR_EXTENSION_H
#define FLOOR_EXTENSION_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

/* As every function of benches/floor is declared. */
typedef int32_t (*floor_function)(void *handle, uint32_t id, const uint8_t *request, size_t len, uint8_t *response,
                                  size_t capacity, size_t *response_len);

/* Those of typed values, bound with the others. */
extern floor_function greet, next_reading, discount, around, twice;

/* The functions of Python's over them. */
extern PyMethodDef typed_functions[];

#endif
