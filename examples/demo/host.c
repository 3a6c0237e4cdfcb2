/*
 * A C host: loads a plugin, calls it, prints responses and log records, and times its calls against bare calls.
 * Usage: demo_host PATH-OF-HELLO-PLUGIN
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rustbridge.h"

/* The bare calls: plain functions of another library, which do the same work and are called directly. */
typedef int32_t floor_function(void *handle, uint32_t id, const uint8_t *request, size_t len, uint8_t *response,
                               size_t capacity, size_t *response_len);
floor_function floor_add16, floor_small, floor_echo_json;

enum { CAPACITY = 4096, ROUNDS = 201, BATCH = 5000 };

static uint8_t storage[CAPACITY];

/* Prints `bytes` as a JSON string. */
static void print_text(const char *bytes, size_t len) {
  putchar('"');
  for (size_t i = 0; i < len; i++) {
    unsigned char c = (unsigned char)bytes[i];
    if (c == '"' || c == '\\') {
      printf("\\%c", c);
    } else if (c < 0x20) {
      printf("\\u%04x", c);
    } else {
      putchar(c);
    }
  }
  putchar('"');
}

static void print_event(const char *event, const char *bytes, size_t len) {
  printf("{\"host\":\"C\",\"transport\":\"librustbridge\",\"event\":\"%s\",\"text\":", event);
  print_text(bytes, len);
  puts("}");
}

static void fail(const char *what, rb_status status, const rb_response *error) {
  fprintf(stderr, "%s: %s %.*s\n", what, rb_status_name(status), error ? (int)error->len : 0,
          error ? (const char *)error->data : "");
  exit(1);
}

/* The last log record. A log thread writes it. It's safe to read it after `rb_log_flush`. */
static char last_record[512];

/* Called on one of the library's log threads for each record up to the configured level. The texts are valid until it returns. */
static void on_log(void *user_data, const rb_log_record *record) {
  static const char *const levels[] = {"OFF", "ERROR", "WARN", "INFO", "DEBUG", "TRACE"};
  (void)user_data;
  snprintf(last_record, sizeof last_record, "%s %.*s: %.*s %.*s", levels[record->level < 6 ? record->level : 0],
           (int)record->target.len, record->target.data, (int)record->message.len, record->message.data,
           (int)record->fields.len, record->fields.data ? record->fields.data : "");
}

/* A prepared call with its request. */
typedef struct call {
  rb_instance plugin;
  rb_method method;
  const uint8_t *request;
  size_t request_len;
  floor_function *bare;
} call;

static call prepare(rb_instance plugin, const char *name, rb_encoding encoding, const void *request, size_t len) {
  call prepared = {plugin, {.size = sizeof(rb_method)}, (const uint8_t *)request, len, NULL};
  rb_status status = rb_prepare(plugin, rb_text_of(name), encoding, &prepared.method, NULL);
  if (status != RB_OK) fail(name, status, NULL);
  return prepared;
}

/* Calls once. A response that fits is in `storage` and needs no release. */
static rb_response invoke(const call *c, rb_status *status) {
  rb_response response;
  memset(&response, 0, sizeof response);
  response.data = storage;
  response.capacity = CAPACITY;
  *status = c->method.flags & RB_METHOD_LEAF
                ? rb_call(c->plugin, c->method.entry | RB_ENTRY_LEAF, c->request, c->request_len, &response)
                : rb_call(c->plugin, c->method.entry, c->request, c->request_len, &response);
  return response;
}

static double now(void) {
  struct timespec time;
  timespec_get(&time, TIME_UTC);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double ours(const call *c) {
  double start = now();
  for (int i = 0; i < BATCH; i++) {
    rb_status status;
    rb_response response = invoke(c, &status);
    if (status != RB_OK) fail("a timed call", status, &response);
    rb_response_release(&response);
  }
  return (now() - start) / BATCH;
}

static double bare(const call *c) {
  /* The volatile pointer hides the function from the compiler, as if its library were loaded at run time. */
  floor_function *volatile function = c->bare;
  double start = now();
  for (int i = 0; i < BATCH; i++) {
    size_t len = 0;
    if (function(NULL, 1, c->request, c->request_len, storage, CAPACITY, &len) != 0) exit(1);
  }
  return (now() - start) / BATCH;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Calls once for the answer. If there is a bare call, also times both. If `answer` isn't null, it replaces the response. */
static void show(const call *c, const char *method, const char *encoding, const char *answer) {
  rb_status status;
  rb_response response = invoke(c, &status);
  if (status != RB_OK) fail(method, status, &response);
  printf("{\"host\":\"C\",\"transport\":\"librustbridge\",\"method\":\"%s\",\"encoding\":\"%s\",\"answer\":", method, encoding);
  if (answer != NULL) {
    print_text(answer, strlen(answer));
  } else {
    print_text((const char *)response.data, response.len);
  }
  rb_response_release(&response);
  if (c->bare != NULL) {
    static double mine[ROUNDS], floor[ROUNDS];
    ours(c), bare(c);
    for (int round = 0; round < ROUNDS; round++) {
      mine[round] = ours(c);
      floor[round] = bare(c);
    }
    qsort(mine, ROUNDS, sizeof *mine, ascending);
    qsort(floor, ROUNDS, sizeof *floor, ascending);
    printf(",\"ns\":%.2f,\"bare_ns\":%.2f,\"bare\":\"function pointer\"", mine[ROUNDS / 2], floor[ROUNDS / 2]);
  }
  puts("}");
}

static void show_json(rb_instance plugin, const char *method, const char *request, floor_function *bare_call) {
  call c = prepare(plugin, method, RB_ENCODING_JSON, request, strlen(request));
  c.bare = bare_call;
  show(&c, method, "json", NULL);
}

/* The structs of math.add and bench.small, as hello-plugin describes them. */
typedef struct add { int64_t a, b; } add;
typedef struct sum { int64_t result; } sum;
typedef struct small_request { uint8_t version, reserved[3], key[64]; uint32_t key_len, flags; } small_request;
typedef struct small_response {
  uint8_t version, reserved[3], value[64];
  uint32_t value_len, ttl_seconds;
  uint8_t cache_hit, padding[3];
} small_response;

static void show_pods(rb_instance plugin) {
  char answer[128];
  rb_status status;

  add numbers = {20, 22};
  call c = prepare(plugin, "math.add", RB_ENCODING_POD, &numbers, sizeof numbers);
  rb_response response = invoke(&c, &status);
  if (status != RB_OK || response.len != sizeof(sum)) fail("math.add", status, &response);
  sum total;
  memcpy(&total, response.data, sizeof total);
  snprintf(answer, sizeof answer, "result %lld", (long long)total.result);
  c.bare = floor_add16;
  show(&c, "math.add", "pod", answer);

  small_request request = {1, {0}, "bench_key", 9, 1};
  c = prepare(plugin, "bench.small", RB_ENCODING_POD, &request, sizeof request);
  response = invoke(&c, &status);
  if (status != RB_OK || response.len != sizeof(small_response)) fail("bench.small", status, &response);
  small_response found;
  memcpy(&found, response.data, sizeof found);
  snprintf(answer, sizeof answer, "value %.*s, ttl_seconds %u", (int)found.value_len, (const char *)found.value,
           (unsigned)found.ttl_seconds);
  c.bare = floor_small;
  show(&c, "bench.small", "pod", answer);
}

static void show_error(rb_instance plugin) {
  const char *request = "{\"a\":9223372036854775807,\"b\":1}";
  call c = prepare(plugin, "math.add", RB_ENCODING_JSON, request, strlen(request));
  rb_status status;
  rb_response error = invoke(&c, &status);
  char line[1024];
  int len = snprintf(line, sizeof line, "%s %.*s", rb_status_name(status), (int)error.len, (const char *)error.data);
  print_event("error", line, len < (int)sizeof line ? (size_t)len : sizeof line - 1);
  rb_response_release(&error);
  if (status == RB_OK) exit(1);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s PATH-OF-HELLO-PLUGIN\n", argv[0]);
    return 2;
  }
  rb_load_options options;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.path = rb_text_of(argv[1]);
  options.log_level = RB_LOG_TRACE;
  rb_log_sink log = {.size = sizeof log, .log = on_log};
  options.log = &log;
  rb_instance plugin = 0;
  rb_response error;
  memset(&error, 0, sizeof error);
  rb_status status = rb_load(&options, &plugin, &error);
  if (status != RB_OK) fail("rb_load", status, &error);

  show_json(plugin, "user.create", "{\"username\":\"ada\",\"email\":\"ada@example.com\"}", NULL);
  status = rb_log_flush(plugin, 1000, NULL);
  if (status != RB_OK) fail("rb_log_flush", status, NULL);
  print_event("log", last_record, strlen(last_record));
  show_error(plugin);
  /* Turn logging off, so that only the calls are timed. */
  rb_log_set_level(plugin, RB_LOG_OFF, NULL);
  show_json(plugin, "greet", "{\"name\":\"Ada\"}", NULL);
  show_json(plugin, "test.sleep", "{\"duration_ms\":5}", NULL);
  show_json(plugin, "math.add", "{\"a\":20,\"b\":22}", NULL);
  show_json(plugin, "bench.small", "{\"key\":\"bench_key\",\"flags\":1}", NULL);
  show_json(plugin, "echo", "{\"message\":\"Hello, World!\"}", floor_echo_json);
  show_pods(plugin);

  status = rb_close(plugin, 5000, NULL);
  if (status != RB_OK) fail("rb_close", status, NULL);
  return 0;
}
