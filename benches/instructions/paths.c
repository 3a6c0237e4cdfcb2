/* The core's hot paths, each a function of its own that calls it a fixed number of times, for callgrind to count the
 * instructions of. Usage: paths, in the folder with the release build of the plugin. The plugin is loaded by its name there,
 * because the cost of a load depends on the length of the path.
 *
 * It is C, so that what is counted is librustbridge as it ships, and what the loop adds is the same few instructions
 * whatever the Rust compiler does. */
#include <rustbridge.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PLUGIN "./libcounted_plugin.so"
enum { CALLS = 1000, LOADS = 20 };

static rb_instance plugin;
static rb_queue queue;
static rb_object adder;
static rb_method plain, ready, add, ask;
static rb_method numbers, add32, big, nested, echo, blob, small, raw_echo, fail;
static uint8_t request[512], storage[4096];
static uint64_t lengths; /* What every call's outcome is added to, so that a path that does nothing is noticed. */

static void check(rb_status status, const rb_response *response) {
  if (status != RB_OK) {
    fprintf(stderr, "%s: %.*s\n", rb_status_name(status), (int)response->len, (const char *)response->data);
    exit(1);
  }
}

/* A service that answers a number with another one, and nothing else. */
static rb_status answer(void *user_data, const rb_service_call *call, rb_response *response) {
  (void)user_data;
  if (call->request_len != 4 || response->capacity < 4) return RB_INVALID_ARGUMENT;
  memcpy(response->data, call->request, 4);
  response->len = 4;
  return RB_OK;
}

static rb_instance load(void) {
  rb_response response = {0};
  rb_instance instance;
  rb_service service = {.size = sizeof service, .encoding = RB_ENCODING_POD, .name = rb_text_of("numbers.answer"), .call = answer};
  rb_load_options options = {.size = sizeof options, .path = rb_text_of(PLUGIN), .log_level = RB_LOG_OFF,
                             .services = &service, .service_count = 1};
  check(rb_load(&options, &instance, &response), &response);
  return instance;
}

static rb_method prepare(const char *name, uint32_t encoding) {
  rb_response response = {0};
  rb_method method = {.size = sizeof method};
  check(rb_prepare(plugin, rb_text_of(name), encoding, &method, &response), &response);
  return method;
}

/* The response is written into the caller's storage. */
static inline void call(rb_method method, size_t len) {
  rb_response response = {.data = storage, .capacity = sizeof storage};
  check(rb_call(plugin, method.entry, request, len, &response), &response);
  lengths += response.len;
}

static inline void call_entry(uint32_t entry, size_t len) {
  rb_response response = {.data = storage, .capacity = sizeof storage};
  check(rb_call(plugin, entry, request, len, &response), &response);
  lengths += response.len;
}

static inline void call_into_entry(uint32_t entry, size_t len) {
  int64_t result = rb_call_into(plugin, entry, request, len, storage, sizeof storage);
  if (result < 0) exit(2);
  lengths += (uint64_t)result;
}

/* The same with a header. */
static inline void call_with(rb_method method, const rb_call_context *header, size_t len) {
  rb_response response = {.data = storage, .capacity = sizeof storage};
  check(rb_call_with(plugin, method.entry, header, NULL, request, len, &response), &response);
  lengths += response.len;
}

/* Begun, and answered at once. */
static inline void submit(rb_method method, size_t len) {
  rb_submission one = {.size = sizeof one, .instance = plugin, .entry = method.entry, .request = request, .request_len = len,
                       .response = {.data = storage, .capacity = sizeof storage}};
  rb_submit(queue, &one, 1);
  check(one.status, &one.response);
  lengths += one.response.len;
}

#define PATH(name) __attribute__((noinline)) void path_##name(void)
#define TIMES(count) for (int i = 0; i < (count); i++)
/* Who relies on a leaf adds the bit once, as it prepares the method. */
#define LEAF(method) uint32_t entry = (method).entry | RB_ENTRY_LEAF

PATH(pod_8_8) { TIMES(CALLS) call(add32, 8); }
PATH(pod_8_8_leaf) { LEAF(add32); TIMES(CALLS) call_entry(entry, 8); }
PATH(pod_8_8_into) { LEAF(add32); TIMES(CALLS) call_into_entry(entry, 8); }
PATH(pod_268_272) { LEAF(big); TIMES(CALLS) call_entry(entry, 268); }
PATH(pod_32_32_ordinary) { TIMES(CALLS) call(nested, nested.request_size); }
PATH(small_76_80) { LEAF(small); TIMES(CALLS) call_entry(entry, 76); }
PATH(json_echo) { TIMES(CALLS) call(echo, strlen((const char *)request)); }
PATH(raw_echo) { TIMES(CALLS) call(raw_echo, 100); }

/* The plugin keeps the response and lends it. */
PATH(lease) {
  TIMES(CALLS) {
    rb_response response = {0};
    check(rb_call(plugin, blob.entry, request, 4, &response), &response);
    lengths += response.len;
    rb_response_release(&response);
  }
}

PATH(error) {
  TIMES(CALLS) {
    rb_response response = {.data = storage, .capacity = sizeof storage};
    lengths += (uint64_t)rb_call(plugin, fail.entry, request, 5, &response) + response.len;
    rb_response_release(&response);
  }
}

/* A handle that was never given out. */
PATH(stale_handle) {
  TIMES(CALLS) {
    rb_response response = {.data = storage, .capacity = sizeof storage};
    lengths += (uint64_t)rb_call(plugin + 1, add32.entry, request, 8, &response) + response.len;
    rb_response_release(&response);
  }
}

/* What goes beyond a plain call, each answered before the function returns. */
PATH(submit_plain) { TIMES(CALLS) submit(plain, 4); }
PATH(submit_ready) { TIMES(CALLS) submit(ready, 4); }
PATH(service) { TIMES(CALLS) call(ask, 4); }
PATH(object_method) {
  rb_call_context header = {.size = sizeof header, .objects = &adder, .object_count = 1};
  TIMES(CALLS) call_with(add, &header, 4);
}

/* A stream of 8 items. The plugin computes them on this thread, 4 for each demand. */
PATH(stream) {
  TIMES(CALLS) {
    rb_submission one = {.size = sizeof one, .instance = plugin, .entry = numbers.entry, .request = request, .request_len = 4,
                         .demand_items = 4, .demand_bytes = 1024};
    rb_submit(queue, &one, 1);
    if (one.status != RB_PENDING) exit(3);
    rb_event event = {.size = sizeof event};
    do {
      rb_response error = {0};
      size_t count = 0;
      check(rb_queue_poll(queue, &event, 1, storage, sizeof storage, 0, &count, &error), &error);
      if (count != 1) exit(4);
      lengths += event.response.len;
      if (event.kind == RB_EVENT_ITEMS) check(rb_op_demand(event.op, event.count, event.response.len, &error), &error);
    } while (event.kind != RB_EVENT_DONE);
  }
}

PATH(prepare) { TIMES(CALLS) lengths += prepare("add32", RB_ENCODING_POD).entry; }

/* Of a content that is mapped already. */
PATH(load_and_close) {
  TIMES(LOADS) {
    rb_response response = {0};
    rb_instance instance;
    rb_load_options options = {.size = sizeof options, .path = rb_text_of(PLUGIN), .log_level = RB_LOG_OFF};
    check(rb_load(&options, &instance, &response), &response);
    check(rb_close(instance, 1000, &response), &response);
    rb_response_release(&response);
    lengths++;
  }
}

/* Lets the threads go to sleep that a path has started: their beginning would be counted with whatever runs just then. */
static void settle(void) {
  struct timespec pause = {.tv_nsec = 100000000};
  nanosleep(&pause, NULL);
}

static void run(const char *name, int count, void (*path)(void), uint64_t least) {
  lengths = 0;
  /* A profile ends where a path begins. The one that ends at the third time holds the second time and nothing else;
   * whatever is done once was done the first time. */
  path();
  settle();
  path();
  path();
  if (lengths < 3 * least * (uint64_t)count) {
    fprintf(stderr, "%s answers too little: %llu\n", name, (unsigned long long)lengths);
    exit(1);
  }
  printf("%s %d\n", name, count);
}

int main(void) {
  plugin = load();
  add32 = prepare("add32", RB_ENCODING_POD);
  big = prepare("big", RB_ENCODING_POD);
  nested = prepare("nested", RB_ENCODING_POD);
  small = prepare("small", RB_ENCODING_POD);
  echo = prepare("echo", RB_ENCODING_JSON);
  raw_echo = prepare("raw_echo", RB_ENCODING_RAW);
  blob = prepare("blob", RB_ENCODING_RAW);
  fail = prepare("fail", RB_ENCODING_RAW);
  numbers = prepare("numbers", RB_ENCODING_POD);
  plain = prepare("plain", RB_ENCODING_POD);
  ready = prepare("ready", RB_ENCODING_POD);
  add = prepare("Adder.add", RB_ENCODING_POD);
  ask = prepare("ask", RB_ENCODING_POD);
  rb_response nothing = {0};
  check(rb_queue_new(&queue, &nothing), &nothing);
  rb_reply given = {.objects = {.data = (uint8_t *)&adder, .capacity = sizeof adder}};
  rb_call_context header = {.size = sizeof header, .reply = &given};
  call_with(prepare("adder", RB_ENCODING_RAW), &header, 0);

  run("submit_plain", CALLS, path_submit_plain, 4);
  run("submit_ready", CALLS, path_submit_ready, 4);
  run("service", CALLS, path_service, 4);
  run("object_method", CALLS, path_object_method, 4);
  memcpy(request, &(int32_t){8}, 4);
  run("stream", CALLS, path_stream, 32);
  memset(request, 0, 4);
  run("pod_8_8", CALLS, path_pod_8_8, 8);
  run("pod_8_8_leaf", CALLS, path_pod_8_8_leaf, 8);
  run("pod_8_8_into", CALLS, path_pod_8_8_into, 8);
  run("pod_268_272", CALLS, path_pod_268_272, 272);
  run("pod_32_32_ordinary", CALLS, path_pod_32_32_ordinary, 32);
  run("raw_echo", CALLS, path_raw_echo, 100);
  run("error", CALLS, path_error, 20);
  run("stale_handle", CALLS, path_stale_handle, 20);
  run("prepare", CALLS, path_prepare, 1);
  run("load_and_close", LOADS, path_load_and_close, 1);

  uint32_t size = 65536;
  memcpy(request, &size, sizeof size);
  run("lease", CALLS, path_lease, size);

  memset(request, 0, sizeof request);
  request[0] = 1;
  memcpy(request + 4, "bench_key", 9);
  uint32_t key_len = 9, flags = 1;
  memcpy(request + 68, &key_len, sizeof key_len);
  memcpy(request + 72, &flags, sizeof flags);
  run("small_76_80", CALLS, path_small_76_80, 80);

  strcpy((char *)request, "{\"message\":\"Hello, World!\"}");
  run("json_echo", CALLS, path_json_echo, 37);
  return 0;
}
