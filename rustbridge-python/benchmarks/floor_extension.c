/* The floor under the Python backends: what a careful person would write by hand for these very calls, with nothing
 * else. As a C extension: bytes to bytes, text to text. For ctypes: a function that takes one block of arguments.
 * The work itself is done by the functions of benches/floor, bound by address. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

typedef int32_t (*floor_function)(void *handle, uint32_t id, const uint8_t *request, size_t len, uint8_t *response,
                                  size_t capacity, size_t *response_len);

static floor_function pod8, small, big, echo;

static PyObject *bind(PyObject *module, PyObject *arguments) {
  unsigned long long addresses[4];
  (void)module;
  if (!PyArg_ParseTuple(arguments, "KKKK", &addresses[0], &addresses[1], &addresses[2], &addresses[3])) return NULL;
  pod8 = (floor_function)(uintptr_t)addresses[0];
  small = (floor_function)(uintptr_t)addresses[1];
  big = (floor_function)(uintptr_t)addresses[2];
  echo = (floor_function)(uintptr_t)addresses[3];
  Py_RETURN_NONE;
}

static PyObject *call_pod(floor_function function, PyObject *request, size_t size) {
  size_t len = 0;
  PyObject *response;
  if (!PyBytes_CheckExact(request)) {
    PyErr_SetString(PyExc_TypeError, "bytes expected");
    return NULL;
  }
  response = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
  if (response == NULL) return NULL;
  if (function(NULL, 0, (const uint8_t *)PyBytes_AS_STRING(request), (size_t)PyBytes_GET_SIZE(request),
               (uint8_t *)PyBytes_AS_STRING(response), size, &len) != 0 || len != size) {
    Py_DECREF(response);
    PyErr_SetString(PyExc_ValueError, "the floor refused");
    return NULL;
  }
  return response;
}

static PyObject *call_pod8(PyObject *module, PyObject *request) { (void)module; return call_pod(pod8, request, 8); }
static PyObject *call_small(PyObject *module, PyObject *request) { (void)module; return call_pod(small, request, 80); }
static PyObject *call_big(PyObject *module, PyObject *request) { (void)module; return call_pod(big, request, 272); }

static PyObject *call_echo(PyObject *module, PyObject *text) {
  uint8_t stack[4096], *room = stack;
  size_t capacity = sizeof stack, len = 0;
  Py_ssize_t size;
  const char *request = PyUnicode_AsUTF8AndSize(text, &size);
  PyObject *answer = NULL;
  (void)module;
  if (request == NULL) return NULL;
  if ((size_t)size + 64 > capacity) {
    capacity = (size_t)size + 64;
    room = PyMem_Malloc(capacity);
    if (room == NULL) return PyErr_NoMemory();
  }
  if (echo(NULL, 0, (const uint8_t *)request, (size_t)size, room, capacity, &len) == 0)
    answer = PyUnicode_DecodeUTF8((const char *)room, (Py_ssize_t)len, NULL);
  else
    PyErr_SetString(PyExc_ValueError, "the floor refused");
  if (room != stack) PyMem_Free(room);
  return answer;
}

struct floor_block {
  uint64_t function;
  const uint8_t *request;
  uint64_t len;
  uint8_t *response;
  uint64_t capacity;
  uint64_t response_len;
};

#ifdef _WIN32
__declspec(dllexport)
#else
__attribute__((visibility("default")))
#endif
int32_t floor_call_block(struct floor_block *block) {
  size_t len = 0;
  int32_t status = ((floor_function)(uintptr_t)block->function)(NULL, 0, block->request, (size_t)block->len,
                                                                block->response, (size_t)block->capacity, &len);
  block->response_len = len;
  return status;
}

static PyMethodDef functions[] = {
    {"bind", bind, METH_VARARGS, NULL},      {"pod8", call_pod8, METH_O, NULL}, {"small", call_small, METH_O, NULL},
    {"big", call_big, METH_O, NULL},         {"echo", call_echo, METH_O, NULL}, {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "floor_extension", NULL, -1, functions,
                                        NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_floor_extension(void) { return PyModule_Create(&definition); }
