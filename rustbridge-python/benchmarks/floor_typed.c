/* Calls with typed values by hand: from objects of the client's classes to such objects, which are laid out for these very
 * calls. Objects are read and made by where their slots are, without their `__init__`, as the extension's own codec does. */
#include "floor_extension.h"

#include <string.h>
#include <structmember.h>

floor_function greet, next_reading, discount, around, twice;

/* A class, and where its slots are. */
struct record {
  PyTypeObject *type;
  Py_ssize_t slots[6];
};

static struct record person, greeting, reading, item, circle, rectangle, label;

static const struct {
  const char *name;
  struct record *record;
  const char *slots[7];
} classes[] = {
    {"Person", &person, {"name"}},
    {"Greeting", &greeting, {"text"}},
    {"Reading", &reading, {"instrument", "at", "low", "high", "weight", "count"}},
    {"Item", &item, {"number", "name", "price"}},
    {"ShapeCircle", &circle, {"radius"}},
    {"ShapeRectangle", &rectangle, {"width", "height"}},
    {"ShapeLabel", &label, {"text"}},
};

/* Looks up what the functions below are about, in the client's module. */
static PyObject *bind_classes(PyObject *module, PyObject *clients) {
  (void)module;
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
    struct record *record = classes[i].record;
    record->type = (PyTypeObject *)PyObject_GetAttrString(clients, classes[i].name);
    if (record->type == NULL) return NULL;
    for (size_t slot = 0; classes[i].slots[slot] != NULL; slot++) {
      PyObject *found = PyObject_GetAttrString((PyObject *)record->type, classes[i].slots[slot]);
      if (found == NULL) return NULL;
      if (!Py_IS_TYPE(found, &PyMemberDescr_Type)) return PyErr_Format(PyExc_TypeError, "%R is no slot", found);
      record->slots[slot] = ((PyMemberDescrObject *)found)->d_member->offset;
      Py_DECREF(found);
    }
  }
  Py_RETURN_NONE;
}

static PyObject **slot(PyObject *object, const struct record *record, int which) {
  return (PyObject **)((char *)object + record->slots[which]);
}

/* A slot's object; NULL and an exception if it's another class's, or nothing was put there. */
static PyObject *get(PyObject *object, const struct record *record, int which) {
  PyObject *found = Py_IS_TYPE(object, record->type) ? *slot(object, record, which) : NULL;
  if (found == NULL) PyErr_Format(PyExc_TypeError, "%R isn't what was expected", object);
  return found;
}

static PyObject *new_object(const struct record *record) { return record->type->tp_alloc(record->type, 0); }

/* Takes the reference to what is put there; false if there's none. */
static int set(PyObject *object, const struct record *record, int which, PyObject *value) {
  *slot(object, record, which) = value;
  return value != NULL;
}

static PyObject *refused(void) {
  if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "the floor refused");
  return NULL;
}

/* Memory that is kept for requests and responses. Calls keep the GIL, so one at a time uses it. */
struct kept {
  uint8_t *bytes;
  size_t size;
};

static struct kept sent, came;

static int reserve(struct kept *kept, size_t size) {
  uint8_t *grown;
  if (size <= kept->size) return 1;
  grown = PyMem_Realloc(kept->bytes, 2 * size);
  if (grown == NULL) return PyErr_NoMemory() != NULL;
  kept->bytes = grown;
  kept->size = 2 * size;
  return 1;
}

/* Calls with the first bytes of `sent`, and gives how many of `came` are the response's; 0 and an exception if it fails. */
static size_t call(floor_function function, size_t len) {
  size_t answered = 0;
  if (function(NULL, 0, sent.bytes, len, came.bytes, came.size, &answered) == 0 && answered != 0) return answered;
  refused();
  return 0;
}

static int put_double(size_t at, PyObject *value) {
  double number = PyFloat_AsDouble(value);
  if (number == -1.0 && PyErr_Occurred()) return 0;
  memcpy(sent.bytes + at, &number, sizeof number);
  return 1;
}

static int put_unsigned(size_t at, PyObject *value, size_t width) {
  unsigned long number = PyLong_AsUnsignedLong(value);
  if (number == (unsigned long)-1 && PyErr_Occurred()) return 0;
  if (number >> (8 * width - 1) >> 1 != 0) {
    PyErr_SetString(PyExc_OverflowError, "the number is too large");
    return 0;
  }
  memcpy(sent.bytes + at, &number, width);
  return 1;
}

static PyObject *double_at(const uint8_t *from) {
  double number;
  memcpy(&number, from, sizeof number);
  return PyFloat_FromDouble(number);
}

static PyObject *unsigned_at(const uint8_t *from) {
  uint32_t number;
  memcpy(&number, from, sizeof number);
  return PyLong_FromUnsignedLong(number);
}

/* Writes a text where there's room for it, and gives how many bytes it takes; 0 and an exception if it has no UTF-8. */
static size_t put_text(size_t at, PyObject *value) {
  Py_ssize_t len;
  const char *text = PyUnicode_AsUTF8AndSize(value, &len);
  uint32_t count = (uint32_t)len;
  if (text == NULL || !reserve(&sent, at + (size_t)len + 64)) return 0;
  memcpy(sent.bytes + at, &count, sizeof count);
  memcpy(sent.bytes + at + 4, text, (size_t)len);
  return 4 + (size_t)len;
}

/* Reads a text of which at most `left` bytes are there, and tells how many bytes it takes. */
static PyObject *text_at(const uint8_t *from, size_t left, size_t *taken) {
  uint32_t count;
  if (left < 4) return refused();
  memcpy(&count, from, sizeof count);
  if (left - 4 < count) return refused();
  *taken = 4 + (size_t)count;
  return PyUnicode_DecodeUTF8((const char *)from + 4, count, NULL);
}

static PyObject *call_greet(PyObject *module, PyObject *request) {
  PyObject *name = get(request, &person, 0), *made;
  size_t len, taken = 0;
  (void)module;
  if (name == NULL) return NULL;
  len = put_text(0, name);
  if (len == 0 || !reserve(&came, len + 16)) return NULL;
  len = call(greet, len);
  if (len == 0) return NULL;
  made = new_object(&greeting);
  if (made == NULL) return NULL;
  if (set(made, &greeting, 0, text_at(came.bytes, len, &taken)) && taken == len) return made;
  Py_DECREF(made);
  return refused();
}

static PyObject *call_next_reading(PyObject *module, PyObject *request) {
  PyObject *parts[6], *made;
  long long at;
  double weight;
  float narrow;
  uint16_t count;
  (void)module;
  if (!reserve(&sent, 64) || !reserve(&came, 64)) return NULL;
  for (int i = 0; i < 6; i++) {
    parts[i] = get(request, &reading, i);
    if (parts[i] == NULL) return NULL;
  }
  at = PyLong_AsLongLong(parts[1]);
  weight = PyFloat_AsDouble(parts[4]);
  if (PyErr_Occurred()) return NULL;
  narrow = (float)weight;
  memcpy(sent.bytes + 4, &at, sizeof at);
  memcpy(sent.bytes + 28, &narrow, sizeof narrow);
  if (!put_unsigned(0, parts[0], 4) || !put_double(12, parts[2]) || !put_double(20, parts[3]) ||
      !put_unsigned(32, parts[5], 2))
    return NULL;
  if (call(next_reading, 34) != 34) return refused();
  memcpy(&at, came.bytes + 4, sizeof at);
  memcpy(&narrow, came.bytes + 28, sizeof narrow);
  memcpy(&count, came.bytes + 32, sizeof count);
  made = new_object(&reading);
  if (made == NULL) return NULL;
  if (set(made, &reading, 0, unsigned_at(came.bytes)) && set(made, &reading, 1, PyLong_FromLongLong(at)) &&
      set(made, &reading, 2, double_at(came.bytes + 12)) && set(made, &reading, 3, double_at(came.bytes + 20)) &&
      set(made, &reading, 4, PyFloat_FromDouble(narrow)) && set(made, &reading, 5, PyLong_FromLong(count)))
    return made;
  Py_DECREF(made);
  return NULL;
}

/* One item of the response; the exception says what was wrong. */
static PyObject *item_at(const uint8_t *from, size_t left, size_t *taken) {
  PyObject *made;
  size_t text = 0;
  if (left < 16) return refused();
  made = new_object(&item);
  if (made == NULL) return NULL;
  if (set(made, &item, 0, unsigned_at(from)) && set(made, &item, 1, text_at(from + 4, left - 12, &text)) &&
      set(made, &item, 2, double_at(from + 4 + text))) {
    *taken = 12 + text;
    return made;
  }
  Py_DECREF(made);
  return NULL;
}

static PyObject *call_discount(PyObject *module, PyObject *items) {
  Py_ssize_t count;
  uint32_t number;
  size_t at = 4, len;
  PyObject *made;
  (void)module;
  if (!PyList_CheckExact(items) || !reserve(&sent, 64)) return refused();
  count = PyList_GET_SIZE(items);
  number = (uint32_t)count;
  memcpy(sent.bytes, &number, sizeof number);
  for (Py_ssize_t i = 0; i < count; i++) {
    PyObject *one = PyList_GET_ITEM(items, i), *numbered = get(one, &item, 0), *name, *price;
    size_t text;
    if (numbered == NULL) return NULL;
    name = *slot(one, &item, 1);
    price = *slot(one, &item, 2);
    if (name == NULL || price == NULL || !reserve(&sent, at + 64) || !put_unsigned(at, numbered, 4)) return refused();
    text = put_text(at + 4, name);
    if (text == 0 || !put_double(at + 4 + text, price)) return NULL;
    at += 12 + text;
  }
  if (!reserve(&came, at)) return NULL;
  len = call(discount, at);
  if (len < 4) return refused();
  memcpy(&number, came.bytes, sizeof number);
  if (number > (len - 4) / 16) return refused();
  made = PyList_New(number);
  if (made == NULL) return NULL;
  at = 4;
  for (uint32_t i = 0; i < number; i++) {
    size_t taken = 0;
    PyObject *one = item_at(came.bytes + at, len - at, &taken);
    if (one == NULL) {
      Py_DECREF(made);
      return NULL;
    }
    PyList_SET_ITEM(made, i, one);
    at += taken;
  }
  if (at == len) return made;
  Py_DECREF(made);
  return refused();
}

/* Writes a shape; gives how long it is, or 0 and an exception. */
static size_t put_shape(PyObject *shape) {
  uint16_t variant;
  if (Py_IS_TYPE(shape, rectangle.type)) {
    PyObject *width = get(shape, &rectangle, 0), *height = get(shape, &rectangle, 1);
    variant = 1;
    memcpy(sent.bytes, &variant, sizeof variant);
    return width != NULL && height != NULL && put_double(2, width) && put_double(10, height) ? 18 : 0;
  }
  if (Py_IS_TYPE(shape, circle.type)) {
    PyObject *radius = get(shape, &circle, 0);
    variant = 0;
    memcpy(sent.bytes, &variant, sizeof variant);
    return radius != NULL && put_double(2, radius) ? 10 : 0;
  }
  {
    PyObject *text = get(shape, &label, 0);
    size_t len = text == NULL ? 0 : put_text(2, text);
    variant = 2;
    memcpy(sent.bytes, &variant, sizeof variant);
    return len == 0 ? 0 : 2 + len;
  }
}

/* Makes an object of one or two doubles behind the variant. */
static PyObject *shape_of(const struct record *record, int doubles, size_t len) {
  PyObject *made = len == 2 + 8 * (size_t)doubles ? new_object(record) : refused();
  for (int i = 0; made != NULL && i < doubles; i++) {
    if (!set(made, record, i, double_at(came.bytes + 2 + 8 * i))) Py_CLEAR(made);
  }
  return made;
}

static PyObject *call_around(PyObject *module, PyObject *shape) {
  size_t len, taken = 0;
  uint16_t variant;
  PyObject *made;
  (void)module;
  if (!reserve(&sent, 64)) return NULL;
  len = put_shape(shape);
  /* A letter has at most three in its place, as capitals. */
  if (len == 0 || !reserve(&came, 3 * len + 64)) return NULL;
  len = call(around, len);
  if (len < 2) return refused();
  memcpy(&variant, came.bytes, sizeof variant);
  if (variant == 0) return shape_of(&circle, 1, len);
  if (variant == 1) return shape_of(&rectangle, 2, len);
  if (variant != 2) return refused();
  made = new_object(&label);
  if (made == NULL) return NULL;
  if (set(made, &label, 0, text_at(came.bytes + 2, len - 2, &taken)) && taken == len - 2) return made;
  Py_DECREF(made);
  return refused();
}

/* From what has a buffer of doubles to a list. */
static PyObject *call_twice(PyObject *module, PyObject *numbers) {
  Py_buffer view;
  uint32_t head[2] = {0, 0};
  size_t len;
  PyObject *made;
  int ready;
  (void)module;
  if (PyObject_GetBuffer(numbers, &view, PyBUF_FORMAT) != 0) return NULL;
  ready = view.itemsize == 8 && strcmp(view.format, "d") == 0 && reserve(&sent, 8 + (size_t)view.len) &&
          reserve(&came, 8 + (size_t)view.len);
  len = 8 + (size_t)view.len;
  if (ready) {
    head[0] = (uint32_t)(view.len / 8);
    memcpy(sent.bytes, head, sizeof head);
    memcpy(sent.bytes + 8, view.buf, (size_t)view.len);
  }
  PyBuffer_Release(&view);
  if (!ready) return refused();
  len = call(twice, len);
  if (len < 8) return refused();
  memcpy(head, came.bytes, sizeof head);
  if (head[1] != 0 || len - 8 != 8 * (size_t)head[0]) return refused();
  made = PyList_New(head[0]);
  for (uint32_t i = 0; made != NULL && i < head[0]; i++) {
    PyObject *number = double_at(came.bytes + 8 + 8 * (size_t)i);
    if (number == NULL)
      Py_CLEAR(made);
    else
      PyList_SET_ITEM(made, i, number);
  }
  return made;
}

PyMethodDef typed_functions[] = {
    {"bind_classes", bind_classes, METH_O, NULL},
    {"greet", call_greet, METH_O, NULL},
    {"next_reading", call_next_reading, METH_O, NULL},
    {"discount", call_discount, METH_O, NULL},
    {"around", call_around, METH_O, NULL},
    {"twice", call_twice, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
