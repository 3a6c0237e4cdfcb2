/* What is timed of objects, and MetaFFI's callback. */
#include <string.h>

#include "bench.h"
#include "calls.h"
#include "os.h"

/* What the object that adds is asked, and what it answers. */
static const int32_t question = 23;
enum { ANSWER = 64 };

/* A call whose answer is an object. */
static inline rb_object create(const work *work, uint32_t entry, const char *request) {
  rb_object object = 0;
  rb_reply reply = {.objects = {.data = (uint8_t *)&object, .capacity = sizeof object}};
  rb_call_context header = {.size = sizeof header, .reply = &reply};
  rb_response response = {NULL, 0, 0, NULL, NULL};
  rb_status status = rb.call_with(work->instance, entry, &header, NULL, (const uint8_t *)request, strlen(request),
                                  &response);
  if (status != RB_OK || response.release != NULL || object == 0) {
    failed(work, status);
  }
  return object;
}

uint64_t object_ours(work *work, uint64_t iterations) {
  uint64_t began = os_now();
  rb_object object = create(work, prepare(work->instance, "adder", RB_ENCODING_RAW), "");
  uint64_t other = os_now() - began;
  rb_call_context header = {.size = sizeof header, .object_count = 1, .objects = &object};
  REPEAT(iterations) {
    int32_t sum = 0;
    rb_response response = {(uint8_t *)&sum, sizeof sum, 0, NULL, NULL};
    rb_status status = rb.call_with(work->instance, work->entry, &header, NULL, (const uint8_t *)&question,
                                    sizeof question, &response);
    CONSUME(&sum);
    if (status != RB_OK || sum != ANSWER) {
      failed(work, status);
    }
  }
  began = os_now();
  rb.object_release(object);
  return other + (os_now() - began);
}

static inline void *create_by_hand(const work *work, floor_function *create) {
  void *object = NULL;
  if (create(NULL, 1, NULL, 0, (uint8_t *)&object, sizeof object, NULL) != 0) {
    failed(work, RB_INTERNAL);
  }
  return object;
}

uint64_t object_floor(work *work, uint64_t iterations) {
  uint64_t began = os_now();
  floor_function *drop = find_floor("adder_drop");
  void *object = create_by_hand(work, find_floor("adder_new"));
  uint64_t other = os_now() - began;
  REPEAT(iterations) {
    int32_t sum = 0;
    size_t len = 0;
    int32_t status = work->floor(object, 1, (const uint8_t *)&question, sizeof question, (uint8_t *)&sum, sizeof sum, &len);
    CONSUME(&sum);
    if (status != 0 || sum != ANSWER) {
      failed(work, RB_INTERNAL);
    }
  }
  drop(object, 1, NULL, 0, NULL, 0, NULL);
  return other;
}

uint64_t create_ours(work *work, uint64_t iterations) {
  REPEAT(iterations) {
    rb_status status = rb.object_release(create(work, work->entry, ""));
    if (status != RB_OK) {
      failed(work, status);
    }
  }
  return 0;
}

uint64_t create_floor(work *work, uint64_t iterations) {
  floor_function *drop = find_floor("adder_drop");
  REPEAT(iterations) {
    drop(create_by_hand(work, work->floor), 1, NULL, 0, NULL, 0, NULL);
  }
  return 0;
}

/* The greeting of an object. */
static inline void greet(const work *work, uint32_t entry, rb_object object) {
  static const char greeting[] = "Hello from SomeClass bench";
  char text[64];
  rb_call_context header = {.size = sizeof header, .object_count = 1, .objects = &object};
  rb_response response = {(uint8_t *)text, sizeof text, 0, NULL, NULL};
  rb_status status = rb.call_with(work->instance, entry, &header, NULL, NULL, 0, &response);
  if (status != RB_OK || response.len != sizeof greeting - 1 || memcmp(text, greeting, response.len) != 0) {
    failed(work, status);
  }
}

uint64_t class_ours(work *work, uint64_t iterations) {
  uint64_t began = os_now();
  uint32_t entry = prepare(work->instance, "some_class", RB_ENCODING_RAW);
  uint64_t other = os_now() - began;
  REPEAT(iterations) {
    rb_object object = create(work, entry, "bench");
    greet(work, work->entry, object);
    rb.object_release(object);
  }
  return other;
}

uint64_t class_method(work *work, uint64_t iterations) {
  uint64_t began = os_now();
  rb_object object = create(work, prepare(work->instance, "some_class", RB_ENCODING_RAW), "bench");
  uint64_t other = os_now() - began;
  REPEAT(iterations) {
    greet(work, work->entry, object);
  }
  began = os_now();
  rb.object_release(object);
  return other + (os_now() - began);
}

uint64_t class_create(work *work, uint64_t iterations) {
  REPEAT(iterations) {
    rb_status status = rb.object_release(create(work, work->entry, "bench"));
    if (status != RB_OK) {
      failed(work, status);
    }
  }
  return 0;
}

uint64_t callback_ours(work *work, uint64_t iterations) {
  REPEAT(iterations) {
    int64_t sum = 0;
    ours(work, NULL, 0, &sum, sizeof sum);
    if (sum != 3) {
      failed(work, RB_OK);
    }
  }
  return 0;
}
