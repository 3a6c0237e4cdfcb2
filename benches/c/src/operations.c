/*
 * What is timed. Each operation is a loop of its own, so that nothing but the work stands between two calls; ours and
 * the floor's differ in the call alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "calls.h"
#include "os.h"

/* ---- bytes to bytes ---- */

uint64_t call_ours(work *work, uint64_t iterations) {
  REPEAT(iterations) {
    ours(work, work->request, work->request_len, work->storage, work->scenario->capacity);
  }
  return 0;
}

uint64_t call_floor(work *work, uint64_t iterations) {
  REPEAT(iterations) {
    by_floor(work, work->request, work->request_len, work->storage, work->scenario->capacity);
  }
  return 0;
}

uint64_t call_into(work *work, uint64_t iterations) {
  REPEAT(iterations) {
    int64_t result = rb.call_into(work->instance, work->entry, work->request, work->request_len, work->storage,
                                  work->scenario->capacity);
    if (result < 0) {
      failed(work, rb_call_result_of(result)->status);
    }
    CONSUME(work->storage);
  }
  return 0;
}

/* ---- structs, built inside ---- */

typedef struct small_request {
  uint8_t version, reserved[3];
  char key[64];
  uint32_t key_len, flags;
} small_request;

typedef struct small_response {
  uint8_t version, reserved[3];
  char value[64];
  uint32_t value_len, ttl_seconds;
  uint8_t cache_hit, padding[3];
} small_response;

static inline void build_small(small_request *request) {
  static const char key[] = "bench_key";
  memset(request, 0, sizeof *request);
  request->version = 1;
  memcpy(request->key, key, sizeof key - 1);
  request->key_len = sizeof key - 1;
  request->flags = 1;
  CONSUME(request);
}

#define SMALL(name, call)                                                                                   \
  uint64_t name(work *work, uint64_t iterations) {                                                          \
    REPEAT(iterations) {                                                                                    \
      small_request request;                                                                                \
      small_response response;                                                                              \
      build_small(&request);                                                                                \
      if (call(work, &request, sizeof request, &response, sizeof response) != sizeof response) {            \
        failed(work, RB_OK);                                                                                \
      }                                                                                                     \
    }                                                                                                       \
    return 0;                                                                                               \
  }
SMALL(small_ours, ours)
SMALL(small_floor, by_floor)

#define DIV(name, call)                                                                                     \
  uint64_t name(work *work, uint64_t iterations) {                                                          \
    REPEAT(iterations) {                                                                                    \
      int64_t request[2] = {10, 2};                                                                         \
      double quotient = 0;                                                                                  \
      CONSUME(request);                                                                                     \
      call(work, request, sizeof request, &quotient, sizeof quotient);                                      \
      if (quotient != 5.0) {                                                                                \
        failed(work, RB_OK);                                                                                \
      }                                                                                                     \
    }                                                                                                       \
    return 0;                                                                                               \
  }
DIV(div_ours, ours)
DIV(div_floor, by_floor)

#define ANSWER(name, call)                                                                                  \
  uint64_t name(work *work, uint64_t iterations) {                                                          \
    REPEAT(iterations) {                                                                                    \
      int32_t question = 23, answer = 0;                                                                    \
      CONSUME(&question);                                                                                   \
      call(work, &question, sizeof question, &answer, sizeof answer);                                       \
      if (answer != 64) {                                                                                   \
        failed(work, RB_OK);                                                                                \
      }                                                                                                     \
    }                                                                                                       \
    return 0;                                                                                               \
  }
ANSWER(answer_ours, ours)
ANSWER(answer_floor, by_floor)

/* ---- texts ---- */

static inline char *append(char *to, const char *text, size_t len) {
  memcpy(to, text, len);
  return to + len;
}

/* {"parts":["hello","world"]}; neither text has anything to escape, which a program that knows its texts knows. */
static inline size_t write_parts(char *request, const char *const *parts, size_t count) {
  char *end = append(request, "{\"parts\":[", 10);
  for (size_t i = 0; i < count; i++) {
    if (i > 0) {
      *end++ = ',';
    }
    *end++ = '"';
    end = append(end, parts[i], strlen(parts[i]));
    *end++ = '"';
  }
  end = append(end, "]}", 2);
  return (size_t)(end - request);
}

/* The text in {"text":".."}, in a new string. */
static inline char *read_text(const char *response, size_t len) {
  static const char before[] = "{\"text\":\"", after[] = "\"}";
  size_t head = sizeof before - 1, tail = sizeof after - 1;
  if (len < head + tail || memcmp(response, before, head) != 0 || memcmp(response + len - tail, after, tail) != 0) {
    return NULL;
  }
  char *text = memory(len - head - tail + 1);
  memcpy(text, response + head, len - head - tail);
  text[len - head - tail] = '\0';
  return text;
}

#define JOIN(name, call)                                                                                    \
  uint64_t name(work *work, uint64_t iterations) {                                                          \
    REPEAT(iterations) {                                                                                    \
      const char *parts[2] = {"hello", "world"};                                                            \
      char request[64], response[64];                                                                       \
      CONSUME(parts);                                                                                       \
      size_t len = write_parts(request, parts, 2);                                                          \
      len = call(work, request, len, response, sizeof response);                                            \
      char *text = read_text(response, len);                                                                \
      if (text == NULL || strcmp(text, "hello,world") != 0) {                                               \
        failed(work, RB_OK);                                                                                \
      }                                                                                                     \
      free(text);                                                                                           \
    }                                                                                                       \
    return 0;                                                                                               \
  }
JOIN(join_ours, ours)
JOIN(join_floor, by_floor)

uint64_t by_name(work *work, uint64_t iterations) {
  const scenario *scenario = work->scenario;
  rb_text method = rb_text_of(scenario->method);
  REPEAT(iterations) {
    rb_method prepared = {.size = sizeof prepared};
    rb_response response = {work->storage, scenario->capacity, 0, NULL, NULL};
    rb_status status = rb.prepare(work->instance, method, scenario->encoding, &prepared, NULL);
    if (status == RB_OK) {
      status = rb.call(work->instance, prepared.entry, work->request, work->request_len, &response);
    }
    if (status != RB_OK) {
      failed(work, status);
    }
    CONSUME(response.data);
    rb.release(&response);
  }
  return 0;
}

/* ---- arrays and memory ---- */

#define NUMBERS(name, call)                                                                                 \
  uint64_t name(work *work, uint64_t iterations) {                                                          \
    size_t size = work->scenario->size * sizeof(int64_t);                                                   \
    REPEAT(iterations) {                                                                                    \
      uint32_t count = (uint32_t)work->scenario->size;                                                      \
      int64_t *numbers = memory(size);                                                                      \
      if (call(work, &count, sizeof count, numbers, size) != size || numbers[count - 1] != (int64_t)count) { \
        failed(work, RB_OK);                                                                                \
      }                                                                                                     \
      free(numbers);                                                                                        \
    }                                                                                                       \
    return 0;                                                                                               \
  }
NUMBERS(numbers_ours, ours)
NUMBERS(numbers_floor, by_floor)

#define BLOB(name, call)                                                                                    \
  uint64_t name(work *work, uint64_t iterations) {                                                          \
    REPEAT(iterations) {                                                                                    \
      uint32_t size = (uint32_t)work->scenario->size;                                                       \
      uint8_t *blob = memory(size);                                                                         \
      if (call(work, &size, sizeof size, blob, size) != size || blob[250] != 250) {                         \
        failed(work, RB_OK);                                                                                \
      }                                                                                                     \
      free(blob);                                                                                           \
    }                                                                                                       \
    return 0;                                                                                               \
  }
BLOB(blob_ours, ours)
BLOB(blob_floor, by_floor)

uint64_t blob_lease(work *work, uint64_t iterations) {
  REPEAT(iterations) {
    uint32_t size = (uint32_t)work->scenario->size;
    rb_response response = {NULL, 0, 0, NULL, NULL};
    rb_status status =
        rb.call(work->instance, work->entry, (const uint8_t *)&size, sizeof size, &response);
    if (status != RB_OK || response.len != size || response.data[250] != 250) {
      failed(work, status);
    }
    rb.release(&response);
  }
  return 0;
}

/* ---- failures ---- */

/* The message in {"code":"ABORTED","message":"Error"..}, which is what a program shows. */
uint64_t error_ours(work *work, uint64_t iterations) {
  static const char before[] = "\"message\":\"";
  REPEAT(iterations) {
    rb_response response = {work->storage, work->scenario->capacity - 1, 0, NULL, NULL};
    rb_status status = rb.call(work->instance, work->entry, work->request, work->request_len, &response);
    if (status != RB_ABORTED || response.release != NULL) {
      failed(work, status);
    }
    work->storage[response.len] = '\0';
    const char *message = strstr((const char *)work->storage, before);
    if (message == NULL || strncmp(message + sizeof before - 1, "Error\"", 6) != 0) {
      failed(work, RB_OK);
    }
  }
  return 0;
}

/* ---- loading and closing ---- */

static void load_call_close(const work *work, const char *path) {
  rb_instance instance = load_plugin(work->scenario->plugin, path);
  uint32_t entry = prepare(instance, work->scenario->method, work->scenario->encoding);
  rb_response response = {work->storage, work->scenario->capacity, 0, NULL, NULL};
  rb_status status = rb.call(instance, entry, work->request, work->request_len, &response);
  if (status == RB_OK) {
    CONSUME(response.data);
    rb.release(&response);
    status = rb.close(instance, 1000, NULL);
  }
  if (status != RB_OK) {
    failed(work, status);
  }
}

/* Another instance lives meanwhile, so that the code stays mapped. */
uint64_t load_mapped(work *work, uint64_t iterations) {
  REPEAT(iterations) {
    load_call_close(work, work->path);
  }
  return 0;
}

/* Copies the plugin's library and appends a number, which changes its content and nothing else. */
static void make_copy(const char *from, const char *to, uint64_t number) {
  FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
  if (in == NULL || out == NULL) {
    die(in == NULL ? from : to, "can't be opened");
  }
  static char buffer[1 << 16];
  size_t len;
  while ((len = fread(buffer, 1, sizeof buffer, in)) > 0) {
    if (fwrite(buffer, 1, len, out) != len) {
      die(to, "can't be written");
    }
  }
  fwrite(&number, sizeof number, 1, out);
  fclose(in);
  if (fclose(out) != 0) {
    die(to, "can't be written");
  }
}

/* Every load maps a library never seen before, which stays mapped for good. */
uint64_t load_fresh(work *work, uint64_t iterations) {
  static uint64_t copies;
  uint64_t copying = 0;
  char path[512];
  os_temporary(path, sizeof path);
  REPEAT(iterations) {
    uint64_t began = os_now();
    make_copy(work->path, path, ++copies);
    copying += os_now() - began;
    load_call_close(work, path);
  }
  remove(path);
  return copying;
}
