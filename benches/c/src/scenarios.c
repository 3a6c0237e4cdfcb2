#include <stdio.h>
#include <string.h>

#include "bench.h"

/* ---- requests ---- */

static uint8_t *copied(const void *bytes, size_t len, size_t *out) {
  uint8_t *request = memory(len);
  memcpy(request, bytes, len);
  *out = len;
  return request;
}

static uint8_t *nothing(size_t size, size_t *len) {
  (void)size;
  return copied("", 0, len);
}

static uint8_t *pair32(size_t size, size_t *len) {
  (void)size;
  int32_t pair[2] = {20, 22};
  return copied(pair, sizeof pair, len);
}

static uint8_t *pair64(size_t size, size_t *len) {
  (void)size;
  int64_t pair[2] = {40, 2};
  return copied(pair, sizeof pair, len);
}

/* A tag and 66 numbers. */
static uint8_t *big(size_t size, size_t *len) {
  (void)size;
  uint32_t numbers[67];
  for (uint32_t i = 0; i < 67; i++) {
    numbers[i] = i;
  }
  return copied(numbers, sizeof numbers, len);
}

/* Three points and a number. */
static uint8_t *shape(size_t size, size_t *len) {
  (void)size;
  int32_t shape[8] = {1, 2, 3, 4, 5, 6, 7, 0};
  return copied(shape, sizeof shape, len);
}

/* Version 1, the key, its length, flags 1. */
static uint8_t *small(size_t size, size_t *len) {
  (void)size;
  uint8_t request[76] = {1};
  const uint32_t key_len = 9, flags = 1;
  memcpy(request + 4, "bench_key", key_len);
  memcpy(request + 68, &key_len, sizeof key_len);
  memcpy(request + 72, &flags, sizeof flags);
  return copied(request, sizeof request, len);
}

/* {"message":"xx..x"} with that many of them. */
static uint8_t *message(size_t size, size_t *len) {
  static const char before[] = "{\"message\":\"", after[] = "\"}";
  size_t head = sizeof before - 1, tail = sizeof after - 1;
  uint8_t *request = memory(head + size + tail);
  memcpy(request, before, head);
  memset(request + head, 'x', size);
  memcpy(request + head + size, after, tail);
  *len = head + size + tail;
  return request;
}

static uint8_t *text(const char *json, size_t *len) {
  return copied(json, strlen(json), len);
}

static uint8_t *hello_world(size_t size, size_t *len) {
  (void)size;
  return text("{\"message\":\"Hello, World!\"}", len);
}

static uint8_t *key(size_t size, size_t *len) {
  (void)size;
  return text("{\"key\":\"bench_key\",\"flags\":1}", len);
}

static uint8_t *latency(size_t size, size_t *len) {
  (void)size;
  return text("{\"message\": \"benchmark test\"}", len);
}

static uint8_t *small_echo(size_t size, size_t *len) {
  (void)size;
  return text("{\"message\": \"hello world from benchmark\"}", len);
}

static uint8_t *user(size_t size, size_t *len) {
  (void)size;
  return text("{\"name\": \"BenchmarkUser\"}", len);
}

static uint8_t *summands(size_t size, size_t *len) {
  (void)size;
  return text("{\"a\": 123456789, \"b\": 987654321}", len);
}

static uint8_t *why(size_t size, size_t *len) {
  (void)size;
  return text("Error", len);
}

static uint8_t *sevens(size_t size, size_t *len) {
  uint8_t *request = memory(size);
  memset(request, 7, size);
  *len = size;
  return request;
}

static uint8_t *from_one(size_t size, size_t *len) {
  int64_t *numbers = memory(size * sizeof *numbers);
  for (size_t i = 0; i < size; i++) {
    numbers[i] = (int64_t)i + 1;
  }
  *len = size * sizeof *numbers;
  return (uint8_t *)numbers;
}

/* ---- the table ---- */

#define HELLO "hello_plugin"
#define CONFORMANCE "conformance_plugin"
#define BENCH "bench_plugin"
#define JSON RB_ENCODING_JSON
#define RAW RB_ENCODING_RAW
#define POD RB_ENCODING_POD
#define KB ((size_t)1024)
#define MB (1024 * KB)
/* What `echo` adds to its text: its name, braces, and the length. */
#define ECHO(size) ((size) + 128)

#define SAME call_ours, call_floor

const caller caller_here = {"c", NULL, NULL};

const scenario scenarios[] = {
    /* name, plugin, method, encoding, floor, ours, by hand, request, size, capacity, expected, threads, single, few */
    {"empty call", BENCH, "void", RAW, "empty", SAME, nothing, 0, 0, NULL, 8, true, false},
    {"pod 8/8", CONFORMANCE, "pod.add32", POD, "pod8", SAME, pair32, 0, 8, NULL, 2, false, false},
    {"pod 8/8, into", CONFORMANCE, "pod.add32", POD, "pod8", call_into, call_floor, pair32, 0, 8, NULL, 2, false, false},
    {"pod 268/272", CONFORMANCE, "pod.big", POD, "big", SAME, big, 0, 272, NULL, 2, false, false},
    {"pod 268/272, into", CONFORMANCE, "pod.big", POD, "big", call_into, call_floor, big, 0, 272, NULL, 2, false, false},
    {"pod 32/32, ordinary", CONFORMANCE, "pod.nested", POD, "nested", SAME, shape, 0, 32, NULL, 1, false, false},
    {"bench.small 76/80", HELLO, "bench.small", POD, "small", SAME, small, 0, 80, NULL, 8, true, false},
    {"bench.small 76/80, request built inside", HELLO, "bench.small", POD, "small", small_ours, small_floor, small, 0, 80,
     NULL, 1, false, false},
    {"bench.small 76/80, into", HELLO, "bench.small", POD, "small", call_into, call_floor, small, 0, 80, NULL, 2, false,
     false},
    {"math.add 16/8", HELLO, "math.add", POD, "add16", SAME, pair64, 0, 8, NULL, 8, false, false},

    {"json echo 13 B", HELLO, "echo", JSON, "echo_json", SAME, hello_world, 0, ECHO(13), NULL, 8, true, false},
    {"json echo 1 KB", HELLO, "echo", JSON, "echo_json", SAME, message, 900, ECHO(900), NULL, 1, false, false},
    {"json echo 100 KB", HELLO, "echo", JSON, "echo_json", SAME, message, 100000, ECHO(100000), NULL, 1, false, false},
    {"json echo 16 MB", HELLO, "echo", JSON, "echo_json", SAME, message, 16 * MB, ECHO(16 * MB), NULL, 1, false, false},
    {"json bench.small", HELLO, "bench.small", JSON, "small_json", SAME, key, 0, 128, NULL, 1, false, false},

    {"raw 100 KB", BENCH, "echo_bytes", RAW, "raw_echo", SAME, sevens, 100 * KB, 100 * KB, NULL, 1, false, false},
    {"raw 16 MB", BENCH, "echo_bytes", RAW, "raw_echo", SAME, sevens, 16 * MB, 16 * MB, NULL, 1, false, false},

    {"A json latency", HELLO, "echo", JSON, NULL, by_name, NULL, latency, 0, 256,
     "{\"message\":\"benchmark test\",\"length\":14}", 1, false, false},
    /* The samples' own loops are the loop of a thousand calls that the founding tables time as throughput. */
    {"A throughput json", HELLO, "echo", JSON, NULL, by_name, NULL, latency, 0, 256,
     "{\"message\":\"benchmark test\",\"length\":14}", 1, false, false},
    {"A throughput binary", HELLO, "bench.small", POD, NULL, call_ours, NULL, small, 0, 80, NULL, 1, false, false},
    {"A small echo", HELLO, "echo", JSON, NULL, by_name, NULL, small_echo, 0, 256,
     "{\"message\":\"hello world from benchmark\",\"length\":26}", 1, false, false},
    {"A small greet", HELLO, "greet", JSON, NULL, by_name, NULL, user, 0, 256,
     "{\"greeting\":\"Hello, BenchmarkUser! Welcome to rustbridge.\"}", 1, false, false},
    {"A small math.add", HELLO, "math.add", JSON, NULL, by_name, NULL, summands, 0, 256, "{\"result\":1111111110}", 1,
     false, false},
    {"A medium echo", HELLO, "echo", JSON, NULL, by_name, NULL, message, 900, ECHO(900), NULL, 1, false, false},
    {"A large echo", HELLO, "echo", JSON, NULL, by_name, NULL, message, 100000, ECHO(100000), NULL, 1, false, false},

    {"M primitive", BENCH, "div", POD, "div", div_ours, div_floor, pair64, 0, 8, NULL, 1, true, false},
    {"M string join", BENCH, "join", JSON, "join", join_ours, join_floor, NULL, 0, 0, NULL, 1, true, false},
    {"M sum 10", BENCH, "sum", RAW, "sum", SAME, from_one, 10, 8, NULL, 1, true, false},
    {"M sum 100", BENCH, "sum", RAW, "sum", SAME, from_one, 100, 8, NULL, 1, true, false},
    {"M sum 1000", BENCH, "sum", RAW, "sum", SAME, from_one, 1000, 8, NULL, 1, true, false},
    {"M sum 10000", BENCH, "sum", RAW, "sum", SAME, from_one, 10000, 8, NULL, 1, true, false},
    {"M echo 10 B", BENCH, "echo_bytes", RAW, "raw_echo", SAME, sevens, 10, 10, NULL, 1, true, false},
    {"M echo 100 B", BENCH, "echo_bytes", RAW, "raw_echo", SAME, sevens, 100, 100, NULL, 1, true, false},
    {"M echo 1000 B", BENCH, "echo_bytes", RAW, "raw_echo", SAME, sevens, 1000, 1000, NULL, 1, true, false},
    {"M echo 10000 B", BENCH, "echo_bytes", RAW, "raw_echo", SAME, sevens, 10000, 10000, NULL, 1, true, false},
    {"M return 10000", BENCH, "numbers", RAW, "numbers", numbers_ours, numbers_floor, NULL, 10000, 0, NULL, 1, true, false},
    {"error, message read", CONFORMANCE, "raw.fail", RAW, NULL, error_ours, NULL, why, 0, 512, NULL, 1, true, false},
    {"M object method", BENCH, "SomeClass.greet", RAW, NULL, class_ours, NULL, NULL, 0, 0, NULL, 1, true, false},
    {"M method on an existing object", BENCH, "SomeClass.greet", RAW, NULL, class_method, NULL, NULL, 0, 0, NULL, 1, true,
     false},
    {"M create and drop", BENCH, "some_class", RAW, NULL, class_create, NULL, NULL, 0, 0, NULL, 1, true, false},
    {"M callback", BENCH, "callback", POD, NULL, callback_ours, NULL, NULL, 0, 0, NULL, 1, true, false},

    {"get_answer", BENCH, "get_answer", POD, "answer", answer_ours, answer_floor, NULL, 0, 0, NULL, 1, true, false},
#define GET_BLOB(text, size)                                                                                        \
  {"get_blob " text, BENCH, "get_blob", RAW, "blob", blob_ours, blob_floor, NULL, size, 0, NULL, 1, true, false}, { \
    "get_blob " text ", lease", BENCH, "get_blob", RAW, NULL, blob_lease, NULL, NULL, size, 0, NULL, 1, false, false \
  }
    GET_BLOB("1 KB", KB),
    GET_BLOB("64 KB", 64 * KB),
    GET_BLOB("1 MB", MB),
    GET_BLOB("16 MB", 16 * MB),

    {"plain call", BENCH, "plain", POD, "answer", answer_ours, answer_floor, NULL, 0, 0, NULL, 1, false, false},
    {"ready", BENCH, "ready", POD, "answer", ready_ours, answer_floor, NULL, 0, 0, NULL, 1, true, false},
    {"batch of 100", BENCH, "ready", POD, "answer", batch_ours, answer_floor, NULL, 100, 0, NULL, 1, false, false},
    {"pending alone", BENCH, "later", POD, "later", pending_ours, pending_floor, NULL, 1, 0, NULL, 1, true, false},
    {"pending 64 in flight", BENCH, "later", POD, "later", pending_ours, pending_floor, NULL, 64, 0, NULL, 1, false, false},
    {"pending 64 in flight, queue", BENCH, "later", POD, "later", pending_queue, pending_floor, NULL, 64, 0, NULL, 1, false,
     false},
    {"cancel", BENCH, "never", RAW, "never", cancel_ours, cancel_floor, NULL, 0, 0, NULL, 1, true, false},
    {"stream of pods", BENCH, "count", POD, "count", count_ours, count_floor, NULL, 0, 0, NULL, 1, false, false},
    {"stream of JSON", BENCH, "ticks", JSON, "ticks", ticks_ours, ticks_floor, NULL, 0, 0, NULL, 1, false, false},
    {"service sync", BENCH, "ask", POD, NULL, answer_ours, asks_by_hand, NULL, 0, 0, NULL, 1, true, false},
    {"service async", BENCH, "ask_later", POD, NULL, ready_ours, ready_by_hand, NULL, 0, 0, NULL, 1, false, false},
    {"object method", BENCH, "Adder.add", POD, "adder_add", object_ours, object_floor, NULL, 0, 0, NULL, 1, true, false},
    {"object create and drop", BENCH, "adder", RAW, "adder_new", create_ours, create_floor, NULL, 0, 0, NULL, 1, false,
     false},

    {"load, call, close: mapped before", HELLO, "echo", JSON, NULL, load_mapped, NULL, hello_world, 0, 256, NULL, 1, false,
     false},
    {"load, call, close: not mapped yet", HELLO, "echo", JSON, NULL, load_fresh, NULL, hello_world, 0, 256, NULL, 1, false,
     true},
};

const size_t scenario_count = sizeof scenarios / sizeof scenarios[0];
