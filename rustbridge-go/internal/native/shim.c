/* Finds the library's functions, and puts together what the ABI's structs are made of; see shim.h. */
#include "shim.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#include "_cgo_export.h"

rbg_table rbg;

static char *copied(const char *text) {
  size_t len = strlen(text) + 1;
  char *copy = malloc(len);
  if (copy != NULL) {
    memcpy(copy, text, len);
  }
  return copy;
}

#ifdef _WIN32

static void *opened(const char *path, char **problem) {
  wchar_t wide[32768];
  HMODULE library = NULL;
  if (MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, 32768) > 0) {
    library = LoadLibraryExW(wide, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
  }
  if (library == NULL) {
    char text[64];
    snprintf(text, sizeof text, "LoadLibrary failed with error %lu", GetLastError());
    *problem = copied(text);
  }
  return (void *)library;
}

static void *symbol(void *library, const char *name) {
  return (void *)GetProcAddress((HMODULE)library, name);
}

#else

static void *opened(const char *path, char **problem) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    const char *said = dlerror();
    *problem = copied(said == NULL ? "dlopen failed" : said);
  }
  return library;
}

static void *symbol(void *library, const char *name) {
  return dlsym(library, name);
}

#endif

char *rbg_open(const char *path) {
  rbg_table found;
  char *problem = NULL;
  void *library = opened(path, &problem);
  if (library == NULL) {
    return problem;
  }
#define RBG_FIND(name)                                                          \
  found.name = (__typeof__(rb_##name) *)symbol(library, "rb_" #name);           \
  if (found.name == NULL) {                                                     \
    return copied("it has no function rb_" #name ", so it's no librustbridge"); \
  }
  RBG_FUNCTIONS(RBG_FIND)
#undef RBG_FIND
  if (found.abi_version() >> 16 != RB_ABI_MAJOR) {
    return copied("its ABI has another major version");
  }
  rbg = found;
  return NULL;
}

/* A failure's payload, or an answer: what there is to be released goes along. */
static int32_t told(rbg_result *result, int32_t status, const rb_response *response) {
  memset(result, 0, sizeof *result);
  result->status = status;
  rbg_keep(result->response, response);
  return status;
}

static void log_record(void *user_data, const rb_log_record *record) {
  rbgLog((uintptr_t)user_data, (rb_log_record *)record);
}

int32_t rbg_load(const rbg_load_options *given, const char *path, size_t path_len, const uint8_t *image,
                 size_t image_len, const uint8_t *config, size_t config_len, int has_config, const char *name,
                 size_t name_len, const char *client_schema, size_t client_schema_len, const char *service_names,
                 const uint32_t *service_sizes, const uint32_t *service_encodings, size_t service_count,
                 uint64_t *instance, rbg_result *error) {
  rb_load_options options;
  rb_log_sink sink;
  rb_response response;
  rb_service *services = NULL;
  int32_t status;
  size_t index;
  memset(&options, 0, sizeof options);
  memset(&sink, 0, sizeof sink);
  memset(&response, 0, sizeof response);
  options.size = sizeof options;
  options.flags = given->flags;
  options.threads = given->threads;
  options.path.data = path;
  options.path.len = path_len;
  options.image = image_len == 0 ? NULL : image;
  options.image_len = image_len;
  /* Go has no pointer to no bytes, and an empty configuration isn't none. */
  options.config = has_config ? (config_len == 0 ? (const uint8_t *)"" : config) : NULL;
  options.config_len = config_len;
  options.name.data = name;
  options.name.len = name_len;
  options.client_schema.data = client_schema;
  options.client_schema.len = client_schema_len;
  options.log_level = given->log_level;
  if (given->sink != 0) {
    sink.size = sizeof sink;
    sink.log = log_record;
    sink.user_data = (void *)given->sink;
    options.log = &sink;
  }
  if (service_count != 0) {
    services = calloc(service_count, sizeof *services);
    if (services == NULL) {
      return told(error, RB_RESOURCE_EXHAUSTED, &response);
    }
    for (index = 0; index < service_count; ++index) {
      services[index].size = sizeof *services;
      services[index].encoding = service_encodings[index];
      services[index].name.data = service_names;
      services[index].name.len = service_sizes[index];
      services[index].queue = given->queue;
      services[index].user_data = (void *)(uintptr_t)(given->first_service + index);
      service_names += service_sizes[index];
    }
    options.services = services;
    options.service_count = service_count;
  }
  status = rbg.load(&options, instance, &response);
  free(services);
  return told(error, status, &response);
}

static void prepared(rbg_method *out, const rb_method *method) {
  out->entry = method->entry;
  out->flags = method->flags;
  out->encoding = method->encoding;
  out->leaf_limit = method->leaf_limit;
  out->storage = method->buffer_size;
  out->request_size = method->request_size;
  out->response_size = method->response_size;
  out->buffer_limit = method->buffer_limit;
}

static rb_text text_of(const char *data, size_t len) {
  rb_text text;
  text.data = data;
  text.len = len;
  return text;
}

int32_t rbg_prepare(uint64_t instance, const char *name, size_t name_len, uint32_t encoding, rbg_method *out,
                    rbg_result *error) {
  rb_method method = {.size = sizeof method};
  rb_response response = {0};
  int32_t status = rbg.prepare(instance, text_of(name, name_len), encoding, &method, &response);
  prepared(out, &method);
  return told(error, status, &response);
}

int32_t rbg_prepare_id(uint64_t instance, uint32_t id, uint32_t encoding, rbg_method *out, rbg_result *error) {
  rb_method method = {.size = sizeof method};
  rb_response response = {0};
  int32_t status = rbg.prepare_id(instance, id, encoding, &method, &response);
  prepared(out, &method);
  return told(error, status, &response);
}

int32_t rbg_prepare_typed(uint64_t instance, const char *name, size_t name_len, const char *fingerprint,
                          size_t fingerprint_len, const char *client_schema, size_t client_schema_len, rbg_method *out,
                          rbg_result *error) {
  rb_method method = {.size = sizeof method};
  rb_response response = {0};
  int32_t status = rbg.prepare_typed(instance, text_of(name, name_len), text_of(fingerprint, fingerprint_len),
                                     text_of(client_schema, client_schema_len), &method, &response);
  prepared(out, &method);
  return told(error, status, &response);
}

int32_t rbg_name(uint64_t instance, rbg_result *answer) {
  rb_response response = {0};
  return told(answer, rbg.name(instance, &response), &response);
}

int32_t rbg_describe(uint64_t instance, rbg_result *answer) {
  rb_response response = {0};
  return told(answer, rbg.describe(instance, &response), &response);
}

int32_t rbg_inspect(rbg_result *answer) {
  rb_response response = {0};
  return told(answer, rbg.inspect(&response), &response);
}

int32_t rbg_state(uint64_t instance, uint32_t *state, rbg_result *error) {
  rb_response response = {0};
  return told(error, rbg.state(instance, state, &response), &response);
}

int32_t rbg_close(uint64_t instance, uint64_t timeout_ms, int cancels, uint64_t cancel_after_ms, rbg_result *report) {
  rb_response response = {0};
  rb_close_options options = {.size = sizeof options, .timeout_ms = timeout_ms};
  if (cancels) {
    options.flags = RB_CLOSE_CANCEL;
    options.cancel_after_ms = cancel_after_ms;
  }
  return told(report, rbg.close_with(instance, &options, &response), &response);
}

int32_t rbg_log_set_level(uint64_t instance, uint32_t level, rbg_result *error) {
  rb_response response = {0};
  return told(error, rbg.log_set_level(instance, level, &response), &response);
}

int32_t rbg_log_flush(uint64_t instance, uint64_t timeout_ms, rbg_result *error) {
  rb_response response = {0};
  return told(error, rbg.log_flush(instance, timeout_ms, &response), &response);
}

int32_t rbg_queue_new(uint64_t *queue, rbg_result *error) {
  rb_response response = {0};
  return told(error, rbg.queue_new(queue, &response), &response);
}

int32_t rbg_queue_fd(uint64_t queue, intptr_t *descriptor) {
  ptrdiff_t found = -1;
  int32_t status = rbg.queue_fd(queue, &found, NULL);
  *descriptor = (intptr_t)found;
  return status;
}

int32_t rbg_queue_close(uint64_t queue) {
  return rbg.queue_close(queue, NULL);
}

int32_t rbg_queue_poll(uint64_t queue, void *raw, rbg_event *events, uint8_t *arena, size_t arena_len, uint64_t timeout_ms,
                       size_t *count) {
  rb_event *from = raw;
  size_t index;
  int32_t status;
  from[0].size = sizeof *from;
  *count = 0;
  status = rbg.queue_poll(queue, from, RBG_EVENTS, arena, arena_len, timeout_ms, count, NULL);
  if (status != RB_OK) {
    return status;
  }
  for (index = 0; index < *count; ++index) {
    const rb_event *event = from + index;
    rbg_event *to = events + index;
    to->kind = event->kind;
    to->status = event->status;
    to->op = event->op;
    to->user_data = event->user_data;
    to->count = event->count;
    to->flags = event->flags;
    to->items = event->items;
    to->bytes = event->bytes;
    to->instance = event->instance;
    rbg_keep(to->response, &event->response);
    rbg_keep(to->trailers, &event->reply.trailers);
    rbg_keep(to->objects, &event->reply.objects);
    to->has_header = event->kind == RB_EVENT_SERVICE && event->call_context != NULL;
    if (to->has_header) {
      const rb_call_context *header = event->call_context;
      to->state = (uintptr_t)header->trace_state.data;
      to->state_len = header->trace_state.len;
      to->metadata = (uintptr_t)header->metadata;
      to->metadata_len = header->metadata_len;
      to->carried.flags = header->flags;
      to->carried.timeout_ns = header->timeout_ns;
      to->carried.trace_flags = header->trace_flags;
      to->carried.number = header->op;
      memcpy(to->carried.trace_id, header->trace_id, sizeof header->trace_id);
      memcpy(to->carried.span_id, header->span_id, sizeof header->span_id);
    }
  }
  return status;
}

static void own_release(rb_response *response) {
  free(response->owner);
}

void rbg_own(const uint8_t *data, size_t len, uintptr_t *kept) {
  rb_response response = {0};
  response.owner = malloc(len);
  if (response.owner != NULL) {
    memcpy(response.owner, data, len);
    response.data = response.owner;
    response.len = response.capacity = len;
    response.release = own_release;
  }
  rbg_keep(kept, &response);
}
