/*
 * A plugin whose calls end later, for the C hosts here: it does nothing by itself. A method of it completes an operation, emits
 * items or asks for some as the host says, so every order of things can be had, without threads or waits.
 */
#include "puppet.h"

#include <stdlib.h>
#include <string.h>

#define RAW(name, index, more) "{\"name\":\"" name "\",\"entries\":[{\"index\":" #index ",\"encoding\":\"raw\"" more "}]}"

static const char description[] =
    "{\"abi\":\"1.0\",\"name\":\"puppet\",\"version\":\"1.0.0\",\"methods\":["
    RAW("begin", 0, ",\"async\":true") "," RAW("deaf", 1, ",\"async\":true") "," RAW("now", 2, ",\"async\":true") ","
    RAW("items", 3, ",\"kind\":\"server_stream\"") "," RAW("take", 4, ",\"kind\":\"client_stream\"") ","
    RAW("complete", 5, "") "," RAW("emit", 6, "") "," RAW("want", 7, "") "," RAW("seen", 8, "") "," RAW("echo", 9, "") ","
    "{\"name\":\"four\",\"entries\":[{\"index\":10,\"encoding\":\"pod\",\"async\":true,"
    "\"request\":{\"layout\":{\"size\":4}},\"response\":{\"layout\":{\"size\":4}}}]}," RAW("head", 11, "") "]}";

/* Hosts are one thread as far as this goes, or look when the others have ended. */
static puppet_seen seen;
static const rb_async_host *host;
static const rb_call_host *calls;

typedef struct task {
  rb_op op;
  uint32_t entry;
} task;

static void release_bytes(rb_response *response) {
  __atomic_sub_fetch(&seen.leases, 1, __ATOMIC_SEQ_CST);
  free(response->owner);
}

static void hand_over(rb_response *response, const void *bytes, size_t len) {
  __atomic_add_fetch(&seen.leases, 1, __ATOMIC_SEQ_CST);
  response->owner = malloc(len + 1);
  if (response->owner == NULL) {
    abort();
  }
  memcpy(response->owner, bytes, len);
  response->data = (uint8_t *)response->owner;
  response->capacity = len;
  response->len = len;
  response->release = release_bytes;
}

static rb_status answer(rb_response *response, rb_status status, const void *bytes, size_t len) {
  if (response == NULL || len == 0) {
    return status;
  }
  if (len > response->capacity) {
    hand_over(response, bytes, len);
  } else {
    memcpy(response->data, bytes, len);
    response->len = len;
  }
  return status;
}

static rb_status describe(void *context, rb_response *response) {
  (void)context;
  return answer(response, RB_OK, description, sizeof description - 1);
}

static rb_status create(void *context, const rb_host *made_by, const uint8_t *config, size_t config_len, void **instance,
                        rb_response *error) {
  (void)context;
  (void)config;
  (void)config_len;
  (void)error;
  host = (const rb_async_host *)made_by->extension(made_by->context, RB_EXTENSION_ASYNC);
  calls = (const rb_call_host *)made_by->extension(made_by->context, RB_EXTENSION_CALL);
  *instance = NULL;
  return host == NULL ? RB_FAILED_PRECONDITION : RB_OK;
}

static rb_status complete(const uint8_t *request) {
  puppet_completion asked;
  rb_response response;
  uint8_t *bytes;
  rb_status status;
  memcpy(&asked, request, sizeof asked);
  bytes = (uint8_t *)malloc(asked.len + 1);
  if (bytes == NULL) {
    abort();
  }
  memset(bytes, (int)asked.fill, asked.len);
  memset(&response, 0, sizeof response);
  if (asked.hands_over) {
    hand_over(&response, bytes, asked.len);
  } else {
    response.data = bytes;
    response.len = asked.len;
  }
  status = host->complete(asked.op, asked.status, &response, NULL);
  free(bytes);
  return status;
}

static rb_status call(void *instance, uint32_t entry, const rb_call_context *header, const uint8_t *request,
                      size_t request_len, rb_response *response) {
  rb_status said;
  puppet_batch batch;
  puppet_demand demand;
  puppet_headers headers;
  (void)instance;
  (void)header;
  switch (entry) {
    case 5:
      said = complete(request);
      return answer(response, RB_OK, &said, sizeof said);
    case 6:
      memcpy(&batch, request, sizeof batch);
      said = host->emit(batch.op, batch.batch);
      return answer(response, RB_OK, &said, sizeof said);
    case 7:
      memcpy(&demand, request, sizeof demand);
      said = host->demand(demand.op, demand.items, demand.bytes);
      return answer(response, RB_OK, &said, sizeof said);
    case 8:
      return answer(response, RB_OK, &seen, sizeof seen);
    case 9:
      return answer(response, RB_OK, request, request_len);
    case 11:
      memcpy(&headers, request, sizeof headers);
      said = calls->headers(headers.op, (const uint8_t *)headers.pairs, headers.len);
      return answer(response, RB_OK, &said, sizeof said);
    default:
      return RB_UNIMPLEMENTED;
  }
}

/* Whether a struct is as long as it says: a memory checker sees it if it isn't. */
static int is_whole(const void *at, uint32_t size, uint32_t least) {
  volatile const uint8_t *bytes = (volatile const uint8_t *)at;
  uint32_t i;
  unsigned sum = 0;
  for (i = 0; i < size; i++) {
    sum += bytes[i];
  }
  return sum != 0 && size >= least;
}

static rb_status start(void *instance, uint32_t entry, const rb_call_context *header, const uint8_t *request,
                       size_t request_len, rb_response *response, void **place) {
  task *made;
  (void)instance;
  if (header == NULL || !is_whole(header, header->size, HEADER_1_0) || header->op == 0 || header->cancelled == NULL) {
    return RB_DATA_LOSS;
  }
  if (header->flags & RB_CONTEXT_OFFLOAD) {
    /* There's no thread here to run a plain method on. */
    return RB_UNIMPLEMENTED;
  }
  if (entry == 2) {
    return answer(response, RB_OK, request, request_len);
  }
  made = (task *)malloc(sizeof *made);
  if (made == NULL) {
    return RB_RESOURCE_EXHAUSTED;
  }
  made->op = header->op;
  made->entry = entry;
  *place = made;
  __atomic_add_fetch(&seen.tasks, 1, __ATOMIC_SEQ_CST);
  __atomic_store_n(&seen.last_op, header->op, __ATOMIC_SEQ_CST);
  return RB_PENDING;
}

static void cancel(void *at, rb_status reason) {
  static const char payload[] = "{\"code\":\"CANCELLED\",\"message\":\"as asked\",\"type\":\"Puppet\"}";
  const task *self = (const task *)at;
  rb_response response;
  __atomic_add_fetch(&seen.cancels, 1, __ATOMIC_SEQ_CST);
  if (self->entry == 1) {
    return;
  }
  memset(&response, 0, sizeof response);
  hand_over(&response, payload, sizeof payload - 1);
  host->complete(self->op, reason, &response, NULL);
}

static void demand(void *at, uint64_t items, uint64_t bytes) {
  (void)at;
  seen.demanded_items += (int64_t)items;
  seen.demanded_bytes += (int64_t)bytes;
}

static void push(void *at, const rb_batch *batch) {
  (void)at;
  if (!is_whole(batch, batch->size, BATCH_1_0)) {
    abort();
  }
  seen.pushed_items += batch->count;
  seen.pushed_bytes += (int64_t)batch->len;
  seen.pushed_flags |= batch->flags;
}

static void push_end(void *at, rb_status status, const uint8_t *payload, size_t payload_len) {
  (void)at;
  (void)payload;
  (void)payload_len;
  seen.ends++;
  seen.end_status = status;
}

static void release(void *at) {
  __atomic_sub_fetch(&seen.tasks, 1, __ATOMIC_SEQ_CST);
  free(at);
}

static rb_status destroy(void *instance, rb_response *error) {
  (void)instance;
  (void)error;
  return RB_OK;
}

static const void *extension(void *context, const char *name) {
  (void)context;
  static const rb_async_extension async = {
      .size = sizeof async, .start = start, .cancel = cancel, .demand = demand,
      .push = push, .push_end = push_end, .release = release,
  };
  return strcmp(name, RB_EXTENSION_ASYNC) == 0 ? &async : NULL;
}

static const rb_plugin_table table = {
    .size = sizeof table, .abi_version = RB_ABI_VERSION, .describe = describe, .create = create,
    .call = call, .destroy = destroy, .extension = extension,
};

const rb_plugin_table *rustbridge_plugin(uint32_t host_abi_version) {
  (void)host_abi_version;
  return &table;
}
