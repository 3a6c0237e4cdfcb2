/* What the C hosts here share: checks that say where, the common steps, and threads on every platform. */
#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin.h"
#include "rustbridge.h"

#define CHECK(condition)                                                    \
  do {                                                                      \
    if (!(condition)) {                                                     \
      fprintf(stderr, "%s:%d: %s is false\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                              \
    }                                                                       \
  } while (0)

/* Checks a status and shows the payload when it is another one. */
#define CHECK_STATUS(expected, actual, response) check_status(expected, actual, response, __FILE__, __LINE__)

static inline void check_status(rb_status expected, rb_status actual, const rb_response *response, const char *file,
                                int line) {
  if (expected == actual) {
    return;
  }
  fprintf(stderr, "%s:%d: expected %s, got %s", file, line, rb_status_name(expected), rb_status_name(actual));
  if (response != NULL && response->len > 0) {
    fprintf(stderr, ": %.*s", (int)(response->len > 2000 ? 2000 : response->len), (const char *)response->data);
  }
  fprintf(stderr, "\n");
  exit(1);
}

static inline int contains(const rb_response *response, const char *text) {
  size_t len = strlen(text);
  size_t at;
  for (at = 0; at + len <= response->len; at++) {
    if (memcmp(response->data + at, text, len) == 0) {
      return 1;
    }
  }
  return 0;
}

/* Checks that a payload is an error of that status whose text says `text`, and releases it. */
#define CHECK_ERROR(expected, actual, response, text)                       \
  do {                                                                      \
    CHECK_STATUS(expected, actual, response);                               \
    CHECK(contains(response, rb_status_name(expected)));                    \
    if (!contains(response, text)) {                                        \
      fprintf(stderr, "no \"%s\" in %.*s\n", text, (int)(response)->len, (const char *)(response)->data); \
    }                                                                       \
    CHECK(contains(response, text));                                        \
    rb_response_release(response);                                          \
  } while (0)

static inline rb_response no_storage(void) {
  rb_response response;
  memset(&response, 0, sizeof response);
  return response;
}

static inline rb_response with_buffer(void *data, size_t capacity) {
  rb_response response = no_storage();
  response.data = (uint8_t *)data;
  response.capacity = capacity;
  return response;
}

static inline rb_load_options options_for(const char *path) {
  rb_load_options options;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.path = rb_text_of(path);
  return options;
}

static inline rb_instance load_with(const rb_load_options *options) {
  rb_instance instance = 0;
  rb_response error = no_storage();
  CHECK_STATUS(RB_OK, rb_load(options, &instance, &error), &error);
  CHECK(instance != 0);
  CHECK(error.len == 0 && error.release == NULL);
  return instance;
}

static inline rb_instance load(const char *path) {
  rb_load_options options = options_for(path);
  return load_with(&options);
}

static inline void close_now(rb_instance instance) {
  rb_response report = no_storage();
  CHECK_STATUS(RB_OK, rb_close(instance, 10000, &report), &report);
  CHECK(report.len == 0 && report.release == NULL);
}

static inline rb_method no_method(void) {
  rb_method method;
  memset(&method, 0, sizeof method);
  method.size = sizeof method;
  return method;
}

static inline rb_log_sink no_sink(void) {
  rb_log_sink sink;
  memset(&sink, 0, sizeof sink);
  sink.size = sizeof sink;
  return sink;
}

static inline uint32_t entry_of(rb_instance instance, const char *method, rb_encoding encoding) {
  rb_method found = no_method();
  rb_response error = no_storage();
  CHECK_STATUS(RB_OK, rb_prepare(instance, rb_text_of(method), encoding, &found, &error), &error);
  return found.entry;
}

static inline uint32_t state_of(rb_instance instance) {
  uint32_t state = 99;
  CHECK(rb_state(instance, &state, NULL) == RB_OK);
  return state;
}

/* A call whose answer doesn't matter. */
static inline rb_status call_and_release(rb_instance instance, uint32_t entry, const void *request, size_t len) {
  rb_response response = no_storage();
  rb_status status = rb_call(instance, entry, (const uint8_t *)request, len, &response);
  rb_response_release(&response);
  return status;
}

#if defined(_WIN32)
#include <windows.h>
typedef HANDLE thread;
#define THREAD_FUNCTION(name) static DWORD WINAPI name(void *argument)
#define THREAD_RETURN return 0
static inline thread start(DWORD(WINAPI *function)(void *), void *argument) {
  thread started = CreateThread(NULL, 0, function, argument, 0, NULL);
  CHECK(started != NULL);
  return started;
}
static inline void join(thread started) {
  CHECK(WaitForSingleObject(started, INFINITE) == WAIT_OBJECT_0);
  CloseHandle(started);
}
static inline void sleep_ms(unsigned ms) { Sleep(ms); }
static inline long atomic_add(volatile long *value, long more) { return InterlockedExchangeAdd(value, more) + more; }
#else
#include <pthread.h>
#include <time.h>
typedef pthread_t thread;
#define THREAD_FUNCTION(name) static void *name(void *argument)
#define THREAD_RETURN return NULL
static inline thread start(void *(*function)(void *), void *argument) {
  thread started;
  CHECK(pthread_create(&started, NULL, function, argument) == 0);
  return started;
}
static inline void join(thread started) { CHECK(pthread_join(started, NULL) == 0); }
static inline void sleep_ms(unsigned ms) {
  struct timespec time;
  time.tv_sec = ms / 1000;
  time.tv_nsec = (long)(ms % 1000) * 1000000L;
  nanosleep(&time, NULL);
}
static inline long atomic_add(volatile long *value, long more) { return __atomic_add_fetch(value, more, __ATOMIC_SEQ_CST); }
#endif

static inline long atomic_read(volatile long *value) { return atomic_add(value, 0); }

#endif
