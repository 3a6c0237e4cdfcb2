#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "os.h"

/* One per process, which opens librustbridge once; written before anything is measured. */
api rb;
static const char *library_folder;
static void *floor_library;

NO_RETURN void die(const char *what, const char *why) {
  fprintf(stderr, "bench: %s: %s\n", what, why);
  exit(1);
}

void *memory(size_t size) {
  void *allocated = malloc(size > 0 ? size : 1);
  if (allocated == NULL) {
    die("malloc", "no memory");
  }
  return allocated;
}

char *library_path(const char *name) {
  size_t capacity = strlen(library_folder) + strlen(name) + 16;
  char *path = memory(capacity);
  snprintf(path, capacity, "%s/%s%s%s", library_folder, OS_PREFIX, name, OS_SUFFIX);
  return path;
}

static void *open_library(const char *name) {
  char *path = library_path(name);
  void *library = os_open(path);
  if (library == NULL) {
    die(path, "can't be opened; build it with `cargo build --release`, and name its folder in RUSTBRIDGE_PLUGIN_DIR");
  }
  free(path);
  return library;
}

/* Fills in a pointer to a function; which type it has, the caller's field says. */
static void look_up(void *library, const char *name, void *field) {
  void (*function)(void) = os_symbol(library, name);
  if (function == NULL) {
    die(name, "the library lacks it");
  }
  memcpy(field, &function, sizeof function);
}

void open_libraries(const char *folder) {
  library_folder = folder;
  void *core = open_library("rustbridge");
  look_up(core, "rb_load", &rb.load);
  look_up(core, "rb_prepare", &rb.prepare);
  look_up(core, "rb_call", &rb.call);
  look_up(core, "rb_call_into", &rb.call_into);
  look_up(core, "rb_response_release", &rb.release);
  look_up(core, "rb_close", &rb.close);
  look_up(core, "rb_call_with", &rb.call_with);
  look_up(core, "rb_queue_new", &rb.queue_new);
  look_up(core, "rb_queue_poll", &rb.queue_poll);
  look_up(core, "rb_submit", &rb.submit);
  look_up(core, "rb_submit_callback", &rb.start);
  look_up(core, "rb_op_cancel", &rb.cancel);
  look_up(core, "rb_op_demand", &rb.demand);
  look_up(core, "rb_object_release", &rb.object_release);
  look_up(core, "rb_respond", &rb.respond);
  look_up(core, "rb_status_name", &rb.status_name);
  look_up(core, "rb_version", &rb.version);
  floor_library = open_library("floor");
}

floor_function *find_floor(const char *name) {
  char symbol[64];
  floor_function *function;
  snprintf(symbol, sizeof symbol, "floor_%s", name);
  look_up(floor_library, symbol, &function);
  return function;
}

/* What bench-plugin asks for: once as it's called by hand, and once as a service. */
static int32_t upcall(int32_t number) {
  return number + 41;
}

static rb_status service(void *user_data, const rb_service_call *call, rb_response *response) {
  int32_t number;
  (void)user_data;
  if (call->request_len != sizeof number) {
    return RB_INVALID_ARGUMENT;
  }
  memcpy(&number, call->request, sizeof number);
  number = upcall(number);
  return rb.respond(response, (const uint8_t *)&number, sizeof number);
}

static rb_status add(void *user_data, const rb_service_call *call, rb_response *response) {
  int64_t summands[2];
  (void)user_data;
  if (call->request_len != sizeof summands) {
    return RB_INVALID_ARGUMENT;
  }
  memcpy(summands, call->request, sizeof summands);
  int64_t sum = summands[0] + summands[1];
  return rb.respond(response, (const uint8_t *)&sum, sizeof sum);
}

rb_instance load_plugin(const char *name, const char *path) {
  char config[64] = "{}";
  rb_service services[3];
  rb_load_options options;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.path = rb_text_of(path);
  if (strcmp(name, "conformance_plugin") == 0) {
    snprintf(config, sizeof config, "{\"label\":\"bench\"}");
  } else if (strcmp(name, "bench_plugin") == 0) {
    snprintf(config, sizeof config, "{\"upcall\":%llu}", (unsigned long long)(uintptr_t)upcall);
    memset(services, 0, sizeof services);
    services[0].name = rb_text_of("numbers.answer");
    services[1].name = rb_text_of("numbers.answer_later");
    services[2].name = rb_text_of("numbers.add");
    for (unsigned i = 0; i < 3; i++) {
      services[i].size = sizeof services[i];
      services[i].encoding = RB_ENCODING_POD;
      services[i].call = i < 2 ? service : add;
    }
    options.services = services;
    options.service_count = 3;
  }
  options.config = (const uint8_t *)config;
  options.config_len = strlen(config);
  rb_instance instance = 0;
  rb_status status = rb.load(&options, &instance, NULL);
  if (status != RB_OK) {
    die(path, rb.status_name(status));
  }
  return instance;
}

uint32_t prepare(rb_instance instance, const char *method, rb_encoding encoding) {
  rb_method prepared = {.size = sizeof prepared};
  rb_status status = rb.prepare(instance, rb_text_of(method), encoding, &prepared, NULL);
  if (status != RB_OK) {
    die(method, rb.status_name(status));
  }
  return prepared.entry;
}
