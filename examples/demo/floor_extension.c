/*
 * The bare call for Python's extension: a hand-written C extension for these three functions, with nothing between the
 * interpreter and the work.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

typedef int32_t floor_function(void *handle, uint32_t id, const uint8_t *request, size_t len, uint8_t *response,
                               size_t capacity, size_t *response_len);
floor_function floor_add16, floor_small, floor_echo_json;

static PyObject *refused(int32_t status) {
  return PyErr_Format(PyExc_RuntimeError, "the floor answered %d", (int)status);
}

/* Calls `function` with bytes, and returns bytes. */
static PyObject *bytes_call(floor_function *function, PyObject *request) {
  char *data;
  Py_ssize_t len;
  if (PyBytes_AsStringAndSize(request, &data, &len) < 0) return NULL;
  uint8_t response[128];
  size_t response_len = 0;
  int32_t status = function(NULL, 0, (const uint8_t *)data, (size_t)len, response, sizeof response, &response_len);
  if (status != 0) return refused(status);
  return PyBytes_FromStringAndSize((const char *)response, (Py_ssize_t)response_len);
}

static PyObject *add16(PyObject *module, PyObject *request) {
  (void)module;
  return bytes_call(floor_add16, request);
}

static PyObject *small(PyObject *module, PyObject *request) {
  (void)module;
  return bytes_call(floor_small, request);
}

static PyObject *echo_json(PyObject *module, PyObject *request) {
  (void)module;
  Py_ssize_t len;
  const char *data = PyUnicode_AsUTF8AndSize(request, &len);
  if (data == NULL) return NULL;
  uint8_t response[4096];
  size_t response_len = 0;
  int32_t status = floor_echo_json(NULL, 0, (const uint8_t *)data, (size_t)len, response, sizeof response, &response_len);
  if (status != 0) return refused(status);
  return PyUnicode_DecodeUTF8((const char *)response, (Py_ssize_t)response_len, NULL);
}

static PyMethodDef functions[] = {
    {"add16", add16, METH_O, "math.add: 16 bytes to 8"},
    {"small", small, METH_O, "bench.small: 76 bytes to 80"},
    {"echo_json", echo_json, METH_O, "echo: JSON text to JSON text"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "floor_extension", "Bare calls.", -1, functions, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit_floor_extension(void) { return PyModule_Create(&definition); }
