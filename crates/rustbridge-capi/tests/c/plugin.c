/*
 * The plugin that the C hosts here call: what a Rust plugin can't be made to do, or not so exactly. Each method is raw
 * unless its description says otherwise.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#include <windows.h>
#else
#include <sys/mman.h>
#include <time.h>
#endif

#include "plugin.h"

#define ENTRY(name, index, leaf) \
  "{\"name\":\"" name "\",\"entries\":[{\"index\":" #index ",\"encoding\":\"raw\",\"leaf\":" #leaf "}]}"

static const char description[] =
    "{\"abi\":\"1.0\",\"name\":\"c\",\"version\":\"1.0.0\",\"methods\":["
    ENTRY("echo", 0, false) "," ENTRY("length", 1, true) "," ENTRY("fail", 2, false) ","
    ENTRY("status", 3, false) "," ENTRY("log", 4, false) "," ENTRY("sleep", 5, false) ","
    ENTRY("huge", 6, false) "," ENTRY("callback", 7, false) "," ENTRY("handover", 8, false) ","
    ENTRY("constant", 10, false) "," ENTRY("claim", 11, false) "," ENTRY("look_twice", 12, true) ","
    ENTRY("offer", 13, true) "," ENTRY("carried", 14, false) "," ENTRY("beside", 15, false) ","
    ENTRY("until_cancelled", 16, false) "," ENTRY("current", 17, false) ","
    "{\"name\":\"add\",\"id\":9,\"entries\":[{\"index\":9,\"encoding\":\"pod\",\"leaf\":true,"
    "\"request\":{\"layout\":{\"size\":8}},\"response\":{\"layout\":{\"size\":8}}}]}]}";

typedef struct instance {
  const rb_host *host;
} instance;

static void release(rb_response *response) {
  free(response->owner);
}

static void release_huge(rb_response *response) {
#if defined(_WIN32)
  VirtualFree(response->owner, 0, MEM_RELEASE);
#else
  munmap(response->owner, response->len);
#endif
}

static rb_status hand_over(rb_response *response, const void *bytes, size_t len) {
  response->owner = malloc(len == 0 ? 1 : len);
  if (response->owner == NULL) {
    return RB_RESOURCE_EXHAUSTED;
  }
  if (len > 0) {
    memcpy(response->owner, bytes, len);
  }
  response->data = (uint8_t *)response->owner;
  response->capacity = len;
  response->len = len;
  response->release = release;
  return RB_OK;
}

static rb_status answer(rb_response *response, rb_status status, const void *bytes, size_t len) {
  rb_status handed_over;
  if (response == NULL) {
    return status;
  }
  response->len = 0;
  response->release = NULL;
  response->owner = NULL;
  if (len > response->capacity) {
    handed_over = hand_over(response, bytes, len);
    return handed_over == RB_OK ? status : handed_over;
  }
  if (len > 0) {
    memcpy(response->data, bytes, len);
  }
  response->len = len;
  return status;
}

static rb_status fail(rb_response *response, rb_status status, const char *json) {
  return answer(response, status, json, strlen(json));
}

static rb_status describe(void *context, rb_response *response) {
  (void)context;
  return answer(response, RB_OK, description, sizeof description - 1);
}

static rb_status create(void *context, const rb_host *host, const uint8_t *config, size_t config_len, void **made,
                        rb_response *error) {
  (void)context;
  instance *self;
  if (config_len >= 6 && memcmp(config, "\"fail\"", 6) == 0) {
    return fail(error, RB_INVALID_ARGUMENT, "{\"code\":\"INVALID_ARGUMENT\",\"message\":\"told to fail\",\"type\":\"C.Config\"}");
  }
  self = (instance *)malloc(sizeof *self);
  if (self == NULL) {
    return fail(error, RB_RESOURCE_EXHAUSTED, "{}");
  }
  self->host = host;
  *made = self;
  return answer(error, RB_OK, NULL, 0);
}

static rb_status log_text(const rb_host *host, const uint8_t *request, size_t request_len) {
  rb_log_record record;
  if (request_len == 0) {
    return RB_INVALID_ARGUMENT;
  }
  memset(&record, 0, sizeof record);
  record.size = sizeof record;
  record.level = request[0];
  record.kind = RB_RECORD_EVENT;
  record.line = 42;
  record.time_unix_ns = 1700000000000000000U;
  record.target.data = "c::plugin";
  record.target.len = 9;
  record.message.data = (const char *)request + 1;
  record.message.len = request_len - 1;
  record.fields.data = "{\"answer\":42}";
  record.fields.len = 13;
  host->log(host->context, &record);
  return RB_OK;
}

static void sleep_ms(uint32_t ms) {
#if defined(_WIN32)
  Sleep(ms);
#else
  struct timespec time;
  time.tv_sec = ms / 1000;
  time.tv_nsec = (long)(ms % 1000) * 1000000L;
  nanosleep(&time, NULL);
#endif
}

/* Memory that is only promised, so that more than 4 GiB cost nothing. */
static rb_status huge(rb_response *response, uint64_t len) {
#if defined(_WIN32)
  void *memory = VirtualAlloc(NULL, (size_t)len, MEM_RESERVE, PAGE_NOACCESS);
  if (memory == NULL) {
    return answer(response, RB_RESOURCE_EXHAUSTED, NULL, 0);
  }
#else
  void *memory = mmap(NULL, (size_t)len, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return answer(response, RB_RESOURCE_EXHAUSTED, NULL, 0);
  }
#endif
  response->data = (uint8_t *)memory;
  response->capacity = (size_t)len;
  response->len = (size_t)len;
  response->owner = memory;
  response->release = release_huge;
  return RB_OK;
}

/* A text of letters and two bytes to a `C3 A9`, checked and then used: what somebody else wrote in between shows. */
static rb_status look_twice(const volatile uint8_t *request, size_t len) {
  uint8_t seen[4096];
  size_t at;
  if (len > sizeof seen) {
    return RB_OUT_OF_RANGE;
  }
  for (at = 0; at < len; at++) {
    seen[at] = request[at];
  }
  for (at = 0; at < len; at++) {
    if (seen[at] == 0xc3 && at + 1 < len && seen[at + 1] == 0xa9) {
      at++;
    } else if (seen[at] >= 0x80) {
      return RB_INVALID_ARGUMENT;
    }
  }
  for (at = 0; at < len; at++) {
    if (seen[at] != request[at]) {
      return RB_DATA_LOSS;
    }
  }
  return RB_OK;
}

/* What the call carries, as text, and its metadata back as trailers. */
static rb_status carried(const rb_call_context *header, rb_response *response) {
  char text[128];
  int len;
  if (header == NULL) {
    return answer(response, RB_OK, "nothing", 7);
  }
  len = snprintf(text, sizeof text, "size %d time %d op %d trace %02x-%02x-%02x state %d metadata %d reply %d",
                 header->size == sizeof *header, (header->flags & RB_CONTEXT_TIMEOUT) != 0, header->op != 0,
                 (header->flags & RB_CONTEXT_TRACE) != 0 ? header->trace_id[0] : 0, header->span_id[7],
                 (unsigned)header->trace_flags, (int)header->trace_state.len, (int)header->metadata_len,
                 header->reply != NULL);
  if (header->reply != NULL) {
    answer(&header->reply->trailers, RB_OK, header->metadata, header->metadata_len);
  }
  return answer(response, RB_OK, text, (size_t)len);
}

/* Says of its trailers what can't be true. */
static rb_status beside(const rb_call_context *header, int lie, rb_response *response) {
  rb_response *trailers = &header->reply->trailers;
  answer(response, RB_OK, "an answer that nobody gets to see", 33);
  switch (lie) {
    case 0:
      answer(trailers, RB_OK, "not metadata", 12);
      break;
    case 1:
      trailers->len = trailers->capacity + 1;
      break;
    case 2:
      trailers->data = (uint8_t *)(uintptr_t)"a constant";
      trailers->len = 10;
      break;
    case 3:
      hand_over(trailers, "\0\0\0\0?", 5);
      break;
    default:
      trailers->len = (size_t)-1;
      trailers->release = release;
      break;
  }
  return RB_OK;
}

static rb_status until_cancelled(const rb_call_context *header) {
  int waited;
  for (waited = 0; waited < 20000; waited++) {
    uint32_t reason = *(const volatile uint32_t *)header->cancelled;
    if (reason != 0) {
      return (rb_status)reason;
    }
    sleep_ms(1);
  }
  return RB_INTERNAL;
}

/* The first byte of the trace that this thread works for. */
static rb_status current(const rb_host *host, rb_response *response) {
  const rb_call_host *calls = (const rb_call_host *)host->extension(host->context, RB_EXTENSION_CALL);
  rb_call_context header;
  rb_status status;
  memset(&header, 0, sizeof header);
  header.size = sizeof header;
  status = calls == NULL ? RB_UNIMPLEMENTED : calls->current(&header);
  return answer(response, status, header.trace_id, 1);
}

static rb_status call(void *self, uint32_t entry, const rb_call_context *header, const uint8_t *request,
                      size_t request_len, rb_response *response) {
  union {
    uint64_t u64;
    uint32_t u32;
    int32_t i32[2];
    plugin_callback callback;
  } value;
  memset(&value, 0, sizeof value);
  if (request_len > 0 && request_len <= sizeof value) {
    memcpy(&value, request, request_len);
  }
  switch (entry) {
    case 0:
      return answer(response, RB_OK, request, request_len);
    case 1:
      value.u64 = request_len;
      return answer(response, RB_OK, &value.u64, sizeof value.u64);
    case 2:
      return fail(response, RB_NOT_FOUND,
                  "{\"code\":\"NOT_FOUND\",\"message\":\"told to fail\",\"type\":\"C.Told\",\"details\":{\"id\":7}}");
    case 3:
      return answer(response, value.i32[0], NULL, 0);
    case 4:
      return answer(response, log_text(((instance *)self)->host, request, request_len), NULL, 0);
    case 5:
      sleep_ms(value.u32);
      return answer(response, RB_OK, NULL, 0);
    case 6:
      return huge(response, value.u64);
    case 7:
      value.callback.function(value.callback.user_data);
      return answer(response, RB_OK, NULL, 0);
    case 8:
      return hand_over(response, request, request_len);
    case 9:
      /* Its size is the core's to check, since the description says it. */
      value.i32[0] += value.i32[1];
      value.i32[1] = 0;
      return answer(response, RB_OK, value.i32, sizeof value.i32);
    case 10:
      /* Bytes of its own and nothing to free them with, which the ABI forbids. */
      response->data = (uint8_t *)(uintptr_t)"a constant";
      response->len = 10;
      response->release = NULL;
      return RB_OK;
    case 11:
      /* A length that isn't true. */
      response->len = (size_t)value.u64;
      response->release = NULL;
      return RB_OK;
    case 12:
      return answer(response, look_twice(request, request_len), NULL, 0);
    case 13: {
      /* No bytes, and another address and size in place of the storage that was offered. */
      uint64_t offer[2];
      memcpy(offer, request, sizeof offer);
      response->data = (uint8_t *)(uintptr_t)offer[0];
      response->capacity = (size_t)offer[1];
      response->len = 0;
      response->release = NULL;
      return RB_OK;
    }
    case 14:
      return carried(header, response);
    case 15:
      return beside(header, value.i32[0], response);
    case 16:
      return answer(response, until_cancelled(header), NULL, 0);
    case 17:
      return current(((instance *)self)->host, response);
    default:
      return answer(response, RB_NOT_FOUND, NULL, 0);
  }
}

static rb_status destroy(void *self, rb_response *error) {
  free(self);
  return answer(error, RB_OK, NULL, 0);
}

static const void *extension(void *context, const char *name) {
  (void)context;
  (void)name;
  return NULL;
}

static const rb_plugin_table table = {sizeof(rb_plugin_table), RB_ABI_VERSION, NULL, describe, create, call, destroy,
                                      extension};

const rb_plugin_table *rustbridge_plugin(uint32_t host_abi_version) {
  (void)host_abi_version;
  return &table;
}
