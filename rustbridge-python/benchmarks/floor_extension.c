/* The floor under the Python backends: what a careful person would write by hand for these very calls, with nothing
 * else. As a C extension: from the host's values to the host's values. For ctypes: a function that takes one block of
 * arguments. The work itself is done by the functions of benches/floor, bound by address. */
#include "floor_extension.h"

#include <string.h>

/* Every function that Python binds, by the name that it has in benches/floor without its prefix. */
static floor_function empty, pod8, nested, small, big, add16, echo_json, small_json, join, raw_echo, raw_fail, division,
    answer, sum, numbers, blob, later, never, abort_task, count, ticks, adder_new, adder_add, adder_drop;

static const struct {
  const char *name;
  floor_function *function;
} bindings[] = {
    {"empty", &empty},           {"pod8", &pod8},         {"nested", &nested},     {"small", &small},
    {"big", &big},               {"add16", &add16},       {"echo_json", &echo_json}, {"small_json", &small_json},
    {"join", &join},             {"raw_echo", &raw_echo}, {"raw_fail", &raw_fail}, {"div", &division},
    {"answer", &answer},         {"sum", &sum},           {"numbers", &numbers},   {"blob", &blob},
    {"later", &later},           {"never", &never},       {"abort", &abort_task},  {"count", &count},
    {"ticks", &ticks},           {"adder_new", &adder_new}, {"adder_add", &adder_add}, {"adder_drop", &adder_drop},
    {"greet", &greet},           {"next_reading", &next_reading}, {"discount", &discount}, {"around", &around},
    {"twice", &twice},
};

static PyObject *bind(PyObject *module, PyObject *arguments) {
  const char *name;
  unsigned long long address;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "sK", &name, &address)) return NULL;
  for (size_t i = 0; i < sizeof bindings / sizeof *bindings; i++) {
    if (strcmp(bindings[i].name, name) == 0) {
      *bindings[i].function = (floor_function)(uintptr_t)address;
      Py_RETURN_NONE;
    }
  }
  return PyErr_Format(PyExc_LookupError, "no floor is called %s", name);
}

static PyObject *refused(void) {
  PyErr_SetString(PyExc_ValueError, "the floor refused");
  return NULL;
}

static int check_bytes(PyObject *request) {
  if (PyBytes_CheckExact(request)) return 1;
  PyErr_SetString(PyExc_TypeError, "bytes expected");
  return 0;
}

/* The caller has seen to it that `request` is bytes. */
static int32_t call(floor_function function, PyObject *request, void *response, size_t capacity, size_t *len) {
  return function(NULL, 0, (const uint8_t *)PyBytes_AS_STRING(request), (size_t)PyBytes_GET_SIZE(request),
                  (uint8_t *)response, capacity, len);
}

/* Structs: bytes to new bytes of a size known before. */
static PyObject *call_pod(floor_function function, PyObject *request, size_t size) {
  size_t len = 0;
  PyObject *response;
  if (!check_bytes(request)) return NULL;
  response = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
  if (response == NULL) return NULL;
  if (call(function, request, PyBytes_AS_STRING(response), size, &len) != 0 || len != size) {
    Py_DECREF(response);
    return refused();
  }
  return response;
}

static PyObject *call_pod8(PyObject *module, PyObject *request) { (void)module; return call_pod(pod8, request, 8); }
static PyObject *call_nested(PyObject *module, PyObject *request) { (void)module; return call_pod(nested, request, 32); }
static PyObject *call_small(PyObject *module, PyObject *request) { (void)module; return call_pod(small, request, 80); }
static PyObject *call_big(PyObject *module, PyObject *request) { (void)module; return call_pod(big, request, 272); }
static PyObject *call_add16(PyObject *module, PyObject *request) { (void)module; return call_pod(add16, request, 8); }

static PyObject *call_answer_bytes(PyObject *module, PyObject *request) { (void)module; return call_pod(answer, request, 4); }

static PyObject *call_empty(PyObject *module, PyObject *request) {
  size_t len = 0;
  (void)module;
  if (!check_bytes(request)) return NULL;
  if (call(empty, request, NULL, 0, &len) != 0 || len != 0) return refused();
  return PyBytes_FromStringAndSize(NULL, 0);
}

/* Bytes into the caller's buffer; gives the response's length. */
static PyObject *call_into(floor_function function, PyObject *const *arguments, Py_ssize_t count) {
  Py_buffer room;
  size_t len = 0;
  int32_t status;
  if (count != 2 || !check_bytes(arguments[0])) return PyErr_Occurred() ? NULL : refused();
  if (PyObject_GetBuffer(arguments[1], &room, PyBUF_WRITABLE) != 0) return NULL;
  status = call(function, arguments[0], room.buf, (size_t)room.len, &len);
  PyBuffer_Release(&room);
  return status == 0 ? PyLong_FromSize_t(len) : refused();
}

static PyObject *call_pod8_into(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
  (void)module;
  return call_into(pod8, arguments, count);
}

static PyObject *call_raw_echo_into(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
  (void)module;
  return call_into(raw_echo, arguments, count);
}

/* JSON: text to text, or UTF-8 to UTF-8 where a codec of Python's has written it and will read it. */
static PyObject *call_json(floor_function function, const char *request, Py_ssize_t size, int text) {
  /* Room for large messages, kept because new pages cost more than the call. Calls keep the GIL, so one at a time uses it. */
  static uint8_t *kept;
  static size_t kept_size;
  uint8_t stack[4096], *room = stack;
  size_t capacity = sizeof stack, len = 0;
  PyObject *response = NULL;
  if ((size_t)size + 64 > capacity) {
    capacity = (size_t)size + 64;
    if (capacity > kept_size) {
      uint8_t *grown = PyMem_Realloc(kept, capacity);
      if (grown == NULL) return PyErr_NoMemory();
      kept = grown;
      kept_size = capacity;
    }
    room = kept;
  }
  if (function(NULL, 0, (const uint8_t *)request, (size_t)size, room, capacity, &len) != 0)
    refused();
  else if (text)
    response = PyUnicode_DecodeUTF8((const char *)room, (Py_ssize_t)len, NULL);
  else
    response = PyBytes_FromStringAndSize((const char *)room, (Py_ssize_t)len);
  return response;
}

static PyObject *call_text(floor_function function, PyObject *text) {
  Py_ssize_t size;
  const char *request = PyUnicode_AsUTF8AndSize(text, &size);
  return request == NULL ? NULL : call_json(function, request, size, 1);
}

static PyObject *call_utf8(floor_function function, PyObject *utf8) {
  if (!check_bytes(utf8)) return NULL;
  return call_json(function, PyBytes_AS_STRING(utf8), PyBytes_GET_SIZE(utf8), 0);
}

static PyObject *call_echo_json(PyObject *module, PyObject *text) { (void)module; return call_text(echo_json, text); }
static PyObject *call_small_json(PyObject *module, PyObject *text) { (void)module; return call_text(small_json, text); }
static PyObject *call_echo_utf8(PyObject *module, PyObject *utf8) { (void)module; return call_utf8(echo_json, utf8); }
static PyObject *call_small_utf8(PyObject *module, PyObject *utf8) { (void)module; return call_utf8(small_json, utf8); }
static PyObject *call_join_utf8(PyObject *module, PyObject *utf8) { (void)module; return call_utf8(join, utf8); }

static PyObject *call_raw_echo(PyObject *module, PyObject *request) {
  (void)module;
  if (!check_bytes(request)) return NULL;
  return call_pod(raw_echo, request, (size_t)PyBytes_GET_SIZE(request));
}

/* The failure's message as a Python exception. */
static PyObject *call_raw_fail(PyObject *module, PyObject *request) {
  uint8_t room[4096];
  size_t len = 0;
  PyObject *message;
  (void)module;
  if (!check_bytes(request)) return NULL;
  if (call(raw_fail, request, room, sizeof room, &len) == 0) Py_RETURN_NONE;
  message = PyUnicode_DecodeUTF8((const char *)room, (Py_ssize_t)len, NULL);
  if (message != NULL) {
    PyErr_SetObject(PyExc_ValueError, message);
    Py_DECREF(message);
  }
  return NULL;
}

/* Numbers: from Python's to Python's. */
static PyObject *call_div(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
  int64_t request[2];
  double quotient;
  size_t len = 0;
  (void)module;
  if (count != 2) return refused();
  request[0] = PyLong_AsLongLong(arguments[0]);
  request[1] = PyLong_AsLongLong(arguments[1]);
  if (PyErr_Occurred()) return NULL;
  if (division(NULL, 0, (const uint8_t *)request, sizeof request, (uint8_t *)&quotient, sizeof quotient, &len) != 0)
    return refused();
  return PyFloat_FromDouble(quotient);
}

static PyObject *call_answer(PyObject *module, PyObject *value) {
  int32_t request = (int32_t)PyLong_AsLong(value), response;
  size_t len = 0;
  (void)module;
  if (PyErr_Occurred()) return NULL;
  if (answer(NULL, 0, (const uint8_t *)&request, sizeof request, (uint8_t *)&response, sizeof response, &len) != 0)
    return refused();
  return PyLong_FromLong(response);
}

static PyObject *call_sum(PyObject *module, PyObject *array) {
  Py_buffer view;
  int64_t total;
  size_t len = 0;
  int32_t status;
  (void)module;
  if (PyObject_GetBuffer(array, &view, PyBUF_SIMPLE) != 0) return NULL;
  status = sum(NULL, 0, (const uint8_t *)view.buf, (size_t)view.len, (uint8_t *)&total, sizeof total, &len);
  PyBuffer_Release(&view);
  return status == 0 ? PyLong_FromLongLong(total) : refused();
}

/* New bytes of as many units as asked for. */
static PyObject *call_counted(floor_function function, PyObject *count, size_t unit) {
  uint32_t request = (uint32_t)PyLong_AsUnsignedLong(count);
  size_t size = request * unit, len = 0;
  PyObject *response;
  if (PyErr_Occurred()) return NULL;
  response = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
  if (response == NULL) return NULL;
  if (function(NULL, 0, (const uint8_t *)&request, sizeof request, (uint8_t *)PyBytes_AS_STRING(response), size,
               &len) != 0 ||
      len != size) {
    Py_DECREF(response);
    return refused();
  }
  return response;
}

static PyObject *call_numbers(PyObject *module, PyObject *count) { (void)module; return call_counted(numbers, count, 8); }
static PyObject *call_blob(PyObject *module, PyObject *size) { (void)module; return call_counted(blob, size, 1); }

/* Calls that end later: whoever completes takes the GIL and tells the loop, once a call. */
struct waiting {
  struct {
    void (*done)(void *data, int32_t status, int32_t value);
    void *data;
  } callback; /* As in benches/floor. */
  PyObject *soon, *set;
};

static void told(void *data, int32_t status, int32_t value) {
  struct waiting *self = (struct waiting *)data;
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *result = NULL;
  PyObject *given = status == 0 ? PyBytes_FromStringAndSize((const char *)&value, sizeof value) : Py_NewRef(Py_None);
  if (given != NULL) result = PyObject_CallFunctionObjArgs(self->soon, self->set, given, NULL);
  if (result == NULL) PyErr_WriteUnraisable(self->soon);
  Py_XDECREF(result);
  Py_XDECREF(given);
  Py_DECREF(self->soon);
  Py_DECREF(self->set);
  PyMem_Free(self);
  PyGILState_Release(state);
}

/* What is told by `soon(set, answer)`: a loop's `call_soon_threadsafe` and a future's `set_result`. */
static struct waiting *waiting_for(PyObject *soon, PyObject *set) {
  struct waiting *self = PyMem_Malloc(sizeof *self);
  if (self == NULL) return (struct waiting *)PyErr_NoMemory();
  self->callback.done = told;
  self->callback.data = self;
  self->soon = Py_NewRef(soon);
  self->set = Py_NewRef(set);
  return self;
}

static PyObject *begun(struct waiting *self, int32_t status) {
  if (status == 0) Py_RETURN_NONE;
  Py_DECREF(self->soon);
  Py_DECREF(self->set);
  PyMem_Free(self);
  return refused();
}

static PyObject *call_later(PyObject *module, PyObject *const *arguments, Py_ssize_t given) {
  struct waiting *self;
  (void)module;
  if (given != 3 || !check_bytes(arguments[2])) return PyErr_Occurred() ? NULL : refused();
  self = waiting_for(arguments[0], arguments[1]);
  if (self == NULL) return NULL;
  return begun(self, later((void *)&self->callback, 0, (const uint8_t *)PyBytes_AS_STRING(arguments[2]),
                           (size_t)PyBytes_GET_SIZE(arguments[2]), NULL, 0, NULL));
}

/* Gives what `abort` takes. */
static PyObject *call_never(PyObject *module, PyObject *const *arguments, Py_ssize_t given) {
  struct waiting *self;
  void *task = NULL;
  PyObject *done;
  (void)module;
  if (given != 2) return refused();
  self = waiting_for(arguments[0], arguments[1]);
  if (self == NULL) return NULL;
  done = begun(self, never((void *)&self->callback, 0, NULL, 0, (uint8_t *)&task, sizeof task, NULL));
  if (done == NULL) return NULL;
  Py_DECREF(done);
  return PyLong_FromVoidPtr(task);
}

/* The task's end may be told right here, by this thread. */
static PyObject *call_abort(PyObject *module, PyObject *task) {
  void *address = PyLong_AsVoidPtr(task);
  int32_t status;
  (void)module;
  if (PyErr_Occurred()) return NULL;
  status = abort_task(address, 0, NULL, 0, NULL, 0, NULL);
  return status == 0 ? Py_NewRef(Py_None) : refused();
}

/* Streams: a batch of numbers, or one object as JSON, from one number to before the other. */
static PyObject *call_range(floor_function function, PyObject *const *arguments, Py_ssize_t given, size_t most) {
  static uint8_t room[8192];
  uint64_t request[2];
  size_t len = 0;
  if (given != 2) return refused();
  request[0] = PyLong_AsUnsignedLongLong(arguments[0]);
  request[1] = PyLong_AsUnsignedLongLong(arguments[1]);
  if (PyErr_Occurred()) return NULL;
  if (function(NULL, 0, (const uint8_t *)request, sizeof request, room, most, &len) != 0) return refused();
  return PyBytes_FromStringAndSize((const char *)room, (Py_ssize_t)len);
}

static PyObject *call_count(PyObject *module, PyObject *const *arguments, Py_ssize_t given) {
  (void)module;
  return call_range(count, arguments, given, 8192);
}

static PyObject *call_ticks(PyObject *module, PyObject *const *arguments, Py_ssize_t given) {
  (void)module;
  return call_range(ticks, arguments, given, 128);
}

/* Objects: addresses that Python keeps, and nobody checks. */
static PyObject *call_adder_new(PyObject *module, PyObject *nothing) {
  void *object = NULL;
  (void)module;
  (void)nothing;
  if (adder_new(NULL, 0, NULL, 0, (uint8_t *)&object, sizeof object, NULL) != 0) return refused();
  return PyLong_FromVoidPtr(object);
}

static PyObject *call_adder_add(PyObject *module, PyObject *const *arguments, Py_ssize_t given) {
  void *object;
  int32_t response;
  size_t len = 0;
  (void)module;
  if (given != 2 || !check_bytes(arguments[1])) return PyErr_Occurred() ? NULL : refused();
  object = PyLong_AsVoidPtr(arguments[0]);
  if (PyErr_Occurred()) return NULL;
  if (adder_add(object, 0, (const uint8_t *)PyBytes_AS_STRING(arguments[1]), (size_t)PyBytes_GET_SIZE(arguments[1]),
                (uint8_t *)&response, sizeof response, &len) != 0)
    return refused();
  return PyBytes_FromStringAndSize((const char *)&response, sizeof response);
}

static PyObject *call_adder_drop(PyObject *module, PyObject *object) {
  void *address = PyLong_AsVoidPtr(object);
  (void)module;
  if (PyErr_Occurred()) return NULL;
  return adder_drop(address, 0, NULL, 0, NULL, 0, NULL) == 0 ? Py_NewRef(Py_None) : refused();
}

/* A function of Python's at a bare address, for a plugin's thread that has no GIL. */
static PyObject *asked;

static int32_t ask_python(int32_t value) {
  PyGILState_STATE state = PyGILState_Ensure();
  int32_t given = -1;
  PyObject *argument = PyLong_FromLong(value);
  PyObject *result = argument == NULL ? NULL : PyObject_CallOneArg(asked, argument);
  if (result != NULL) given = (int32_t)PyLong_AsLong(result);
  if (PyErr_Occurred()) PyErr_WriteUnraisable(asked);
  Py_XDECREF(argument);
  Py_XDECREF(result);
  PyGILState_Release(state);
  return given;
}

/* Gives the address by which the function is called from now on. */
static PyObject *call_upcall(PyObject *module, PyObject *function) {
  (void)module;
  Py_XSETREF(asked, Py_NewRef(function));
  return PyLong_FromUnsignedLongLong((unsigned long long)(uintptr_t)&ask_python);
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

#define FAST(function) (PyCFunction)(void (*)(void)) function

static PyMethodDef functions[] = {
    {"bind", bind, METH_VARARGS, NULL},
    {"empty", call_empty, METH_O, NULL},
    {"pod8", call_pod8, METH_O, NULL},
    {"pod8_into", FAST(call_pod8_into), METH_FASTCALL, NULL},
    {"nested", call_nested, METH_O, NULL},
    {"small", call_small, METH_O, NULL},
    {"big", call_big, METH_O, NULL},
    {"add16", call_add16, METH_O, NULL},
    {"echo_json", call_echo_json, METH_O, NULL},
    {"echo_utf8", call_echo_utf8, METH_O, NULL},
    {"small_json", call_small_json, METH_O, NULL},
    {"small_utf8", call_small_utf8, METH_O, NULL},
    {"join_utf8", call_join_utf8, METH_O, NULL},
    {"raw_echo", call_raw_echo, METH_O, NULL},
    {"raw_echo_into", FAST(call_raw_echo_into), METH_FASTCALL, NULL},
    {"raw_fail", call_raw_fail, METH_O, NULL},
    {"div", FAST(call_div), METH_FASTCALL, NULL},
    {"answer", call_answer, METH_O, NULL},
    {"answer_bytes", call_answer_bytes, METH_O, NULL},
    {"sum", call_sum, METH_O, NULL},
    {"numbers", call_numbers, METH_O, NULL},
    {"blob", call_blob, METH_O, NULL},
    {"later", FAST(call_later), METH_FASTCALL, NULL},
    {"never", FAST(call_never), METH_FASTCALL, NULL},
    {"abort", call_abort, METH_O, NULL},
    {"count", FAST(call_count), METH_FASTCALL, NULL},
    {"ticks", FAST(call_ticks), METH_FASTCALL, NULL},
    {"adder_new", call_adder_new, METH_NOARGS, NULL},
    {"adder_add", FAST(call_adder_add), METH_FASTCALL, NULL},
    {"adder_drop", call_adder_drop, METH_O, NULL},
    {"upcall", call_upcall, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "floor_extension", NULL, -1, functions,
                                        NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_floor_extension(void) {
  PyObject *module = PyModule_Create(&definition);
  if (module != NULL && PyModule_AddFunctions(module, typed_functions) != 0) Py_CLEAR(module);
  return module;
}
