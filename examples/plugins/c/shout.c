/*
 * A plugin in plain C: converts text to capitals, and adds numbers. It keeps no data, so its only state is its host.
 *
 * The host isn't protected from a plugin in C: an invalid write isn't detected, and `abort` ends the host.
 */
#include <rustbridge_plugin.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* docs/describe.md specifies the format. `call` receives the indices. */
static const char description[] =
    "{\"abi\":\"1.0\",\"name\":\"shout-c\",\"version\":\"1.0.0\",\"methods\":["
    "{\"name\":\"shout\",\"doc\":\"Answers a text in capitals.\","
    "\"entries\":[{\"index\":0,\"encoding\":\"raw\"}]},"
    "{\"name\":\"add\",\"doc\":\"Adds two integers.\","
    "\"entries\":[{\"index\":1,\"encoding\":\"pod\",\"leaf\":true,"
    "\"request\":{\"layout\":{\"type\":\"Add\",\"size\":16,\"align\":8,\"fields\":["
    "{\"name\":\"a\",\"type\":\"i64\",\"offset\":0,\"size\":8},"
    "{\"name\":\"b\",\"type\":\"i64\",\"offset\":8,\"size\":8}]}},"
    "\"response\":{\"layout\":{\"type\":\"Sum\",\"size\":8,\"align\":8,\"fields\":["
    "{\"name\":\"sum\",\"type\":\"i64\",\"offset\":0,\"size\":8}]}}},"
    /* The same method with types, for generated clients: two integers one after the other, as in the struct. */
    "{\"index\":2,\"encoding\":\"wire\",\"leaf\":true,\"arguments\":true,"
    "\"request\":{\"type\":{\"ref\":0}},\"response\":{\"type\":\"i64\"}}]}],"
    "\"types\":[{\"name\":\"AddParameters\",\"record\":["
    "{\"name\":\"a\",\"type\":\"i64\"},{\"name\":\"b\",\"type\":\"i64\"}]}]}";

static void release(rb_response *response) {
  free(response->owner);
}

/*
 * Returns the memory for the response: the caller's buffer, or the plugin's own memory with `release`. Null if there's
 * no memory, or if the caller doesn't want the bytes.
 */
static uint8_t *room(rb_response *response, size_t len) {
  if (response == NULL) {
    return NULL;
  }
  response->len = len;
  response->release = NULL;
  if (len > response->capacity) {
    response->owner = malloc(len);
    response->data = (uint8_t *)response->owner;
    response->capacity = len;
    response->len = response->data == NULL ? 0 : len;
    response->release = response->data == NULL ? NULL : release;
  }
  return response->data;
}

static rb_status answer(rb_response *response, rb_status status, const void *bytes, size_t len) {
  uint8_t *data = room(response, len);
  if (len > 0 && data != NULL) {
    memcpy(data, bytes, len);
  } else if (len > 0 && response != NULL && status == RB_OK) {
    return RB_RESOURCE_EXHAUSTED;
  }
  return status;
}

/* `json` must be a literal: text from outside would have to be escaped first. */
static rb_status fail(rb_response *response, rb_status status, const char *json) {
  return answer(response, status, json, strlen(json));
}

static void log_info(const rb_host *host, const char *message) {
  rb_log_record record = {.size = sizeof record, .level = RB_LOG_INFO, .kind = RB_RECORD_EVENT};
  struct timespec now;
  if (__atomic_load_n(host->log_level, __ATOMIC_RELAXED) < RB_LOG_INFO) {
    return;
  }
  timespec_get(&now, TIME_UTC);
  record.time_unix_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  record.target = (rb_text){.data = "shout", .len = 5};
  record.message = (rb_text){.data = message, .len = strlen(message)};
  host->log(host->context, &record);
}

static rb_status shout(const rb_host *host, const uint8_t *request, size_t len, rb_response *response) {
  uint8_t *data;
  if (len == 0) {
    return fail(response, RB_INVALID_ARGUMENT,
                "{\"code\":\"INVALID_ARGUMENT\",\"message\":\"there is nothing to shout\",\"type\":\"shout.Empty\"}");
  }
  data = room(response, len);
  if (data == NULL) {
    return response == NULL ? RB_OK : RB_RESOURCE_EXHAUSTED;
  }
  for (size_t i = 0; i < len; i++) {
    data[i] = request[i] < 128 ? (uint8_t)toupper(request[i]) : request[i];
  }
  log_info(host, "shouted");
  return RB_OK;
}

/* The request may be unaligned, so it's copied instead of cast. */
static rb_status add(const uint8_t *request, size_t len, rb_response *response) {
  int64_t numbers[2];
  int64_t sum;
  if (len != sizeof numbers) {
    return fail(response, RB_INVALID_ARGUMENT,
                "{\"code\":\"INVALID_ARGUMENT\",\"message\":\"a struct of 16 bytes was expected\",\"type\":\"shout.Size\"}");
  }
  memcpy(numbers, request, sizeof numbers);
  if (__builtin_add_overflow(numbers[0], numbers[1], &sum)) {
    return fail(response, RB_OUT_OF_RANGE,
                "{\"code\":\"OUT_OF_RANGE\",\"message\":\"the sum has no 64 bits\",\"type\":\"shout.Overflow\"}");
  }
  return answer(response, RB_OK, &sum, sizeof sum);
}

static rb_status describe(void *context, rb_response *response) {
  (void)context;
  return answer(response, RB_OK, description, sizeof description - 1);
}

/* The host's table is valid until `destroy`, which is as long as the instance needs it. */
static rb_status create(void *context, const rb_host *host, const uint8_t *config, size_t config_len, void **instance,
                        rb_response *error) {
  (void)context;
  (void)config;
  (void)config_len;
  *instance = (void *)(uintptr_t)host;
  return answer(error, RB_OK, NULL, 0);
}

static rb_status call(void *instance, uint32_t entry, const rb_call_context *header, const uint8_t *request,
                      size_t request_len, rb_response *response) {
  (void)header;
  switch (entry) {
    case 0: return shout((const rb_host *)instance, request, request_len, response);
    case 1:
    case 2: return add(request, request_len, response);
    default: return answer(response, RB_NOT_FOUND, NULL, 0);
  }
}

static rb_status destroy(void *instance, rb_response *error) {
  (void)instance;
  return answer(error, RB_OK, NULL, 0);
}

static const void *extension(void *context, const char *name) {
  (void)context;
  (void)name;
  return NULL;
}

const rb_plugin_table *rustbridge_plugin(uint32_t host_abi_version) {
  static const rb_plugin_table table = {
      .size = sizeof table, .abi_version = RB_ABI_VERSION, .describe = describe, .create = create,
      .call = call, .destroy = destroy, .extension = extension,
  };
  (void)host_abi_version;
  return &table;
}
