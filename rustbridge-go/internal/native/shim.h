/*
 * What Go calls: each function of the host ABI by a pointer that was looked up when the library was loaded, with arguments in the
 * form that cgo takes without an allocation. No struct with pointers to Go's memory crosses: the headers, submissions and batches
 * of the ABI are put together here, on C's stack.
 */
#ifndef RBG_SHIM_H
#define RBG_SHIM_H

#include <stdint.h>
#include <string.h>

#include "rustbridge.h"

/* The functions of the host ABI that are used. */
#define RBG_FUNCTIONS(X) \
  X(abi_version) X(version) X(load) X(name) X(describe) X(describe_plugin) X(prepare) X(prepare_id) X(prepare_typed) X(call_into) \
  X(call_with) X(call_result_release) X(response_release) X(queue_new) X(queue_close) X(queue_fd) X(queue_poll) X(queue_wake) \
  X(submit) X(op_cancel) X(op_detach) X(op_demand) X(op_write) X(op_end) X(service_reply) X(object_release) X(state) X(close) \
  X(close_with) X(log_set_level) X(log_flush) X(inspect)

#define RBG_FIELD(name) __typeof__(rb_##name) *name;
typedef struct rbg_table {
  RBG_FUNCTIONS(RBG_FIELD)
} rbg_table;
#undef RBG_FIELD

/* Filled in once, before anything else is called. One for the process, as is the library. */
extern rbg_table rbg;

/* Loads the library at a path (UTF-8) and fills in the table; null, or what is wrong, to be freed. */
char *rbg_open(const char *path);

/* What comes back from a call that isn't just bytes in the storage. Numbers alone, so that it may lie in Go's memory. */
typedef struct rbg_result {
  int32_t status;
  /* 1: the bytes are the first `response[2]` of the storage. */
  uint32_t in_storage;
  uint64_t op;
  /* Copies of `rb_response`, for `rbg_release`. */
  uintptr_t response[5];
  uintptr_t trailers[5];
  uintptr_t objects[5];
  uintptr_t headers[5];
} rbg_result;

/* What a call carries, without pointers. */
typedef struct rbg_carried {
  uint64_t timeout_ns;
  /* `RB_CONTEXT_` bits. */
  uint32_t flags;
  uint32_t trace_flags;
  uint8_t trace_id[16];
  uint8_t span_id[8];
  uint64_t demand_items;
  uint64_t demand_bytes;
  /* The host's own number for the call, 0 for none. */
  uint64_t number;
} rbg_carried;

static inline void rbg_keep(uintptr_t kept[5], const rb_response *response) {
  kept[0] = (uintptr_t)response->data;
  kept[1] = response->capacity;
  kept[2] = response->len;
  kept[3] = (uintptr_t)response->release;
  kept[4] = (uintptr_t)response->owner;
}

static inline void rbg_kept(const uintptr_t kept[5], rb_response *response) {
  response->data = (uint8_t *)kept[0];
  response->capacity = kept[1];
  response->len = kept[2];
  response->release = (void (*)(rb_response *))kept[3];
  response->owner = (void *)kept[4];
}

/* Bytes that the library or the plugin still owns, as Go sees them. */
static inline const uint8_t *rbg_bytes(const uintptr_t *kept) {
  return (const uint8_t *)kept[0];
}

static inline void rbg_release(const uintptr_t *kept) {
  rb_response response;
  rbg_kept(kept, &response);
  rbg.response_release(&response);
}

static inline int64_t rbg_call_into(uint64_t instance, uint32_t entry, const uint8_t *request, size_t request_len,
                                    uint8_t *storage, size_t capacity) {
  return rbg.call_into(instance, entry, request, request_len, storage, capacity);
}

/* Takes what a negative result of `rbg_call_into` stands for. */
static inline void rbg_call_result(int64_t number, rbg_result *result) {
  rb_call_result *outcome = rb_call_result_of(number);
  memset(result, 0, sizeof *result);
  result->status = outcome->status;
  result->in_storage = outcome->response.release == NULL;
  rbg_keep(result->response, &outcome->response);
  /* The outcome itself; the response goes with it. */
  result->op = (uint64_t)(uintptr_t)outcome;
}

static inline void rbg_call_result_release(uint64_t outcome) {
  rbg.call_result_release((rb_call_result *)(uintptr_t)outcome);
}

static inline void rbg_fill(rb_call_context *header, const rbg_carried *carried, const char *state, size_t state_len,
                            const uint8_t *metadata, size_t metadata_len, const uint64_t *objects, size_t object_count) {
  memset(header, 0, sizeof *header);
  header->size = sizeof *header;
  header->flags = carried->flags;
  header->timeout_ns = carried->timeout_ns;
  header->op = carried->number;
  memcpy(header->trace_id, carried->trace_id, sizeof header->trace_id);
  memcpy(header->span_id, carried->span_id, sizeof header->span_id);
  header->trace_flags = carried->trace_flags;
  header->trace_state.data = state;
  header->trace_state.len = state_len;
  header->metadata = metadata_len == 0 ? NULL : metadata;
  header->metadata_len = metadata_len;
  header->objects = object_count == 0 ? NULL : objects;
  header->object_count = (uint32_t)object_count;
}

static inline void rbg_settle(rbg_result *result, int32_t status, const rb_response *response,
                              const rb_reply_headers *reply) {
  result->status = status;
  result->in_storage = response->release == NULL;
  rbg_keep(result->response, response);
  rbg_keep(result->trailers, &reply->reply.trailers);
  rbg_keep(result->objects, &reply->reply.objects);
  rbg_keep(result->headers, &reply->headers);
}

/* A call with a header; it has a place for trailers, objects and headers, which are always handed over. */
static inline void rbg_call_with(uint64_t instance, uint32_t entry, const rbg_carried *carried, const char *state,
                                 size_t state_len, const uint8_t *metadata, size_t metadata_len, const uint64_t *objects,
                                 size_t object_count, uint64_t *op, const uint8_t *request, size_t request_len,
                                 uint8_t *storage, size_t capacity, rbg_result *result) {
  rb_call_context header;
  rb_reply_headers reply;
  rb_response response;
  int32_t status;
  rbg_fill(&header, carried, state, state_len, metadata, metadata_len, objects, object_count);
  memset(&reply, 0, sizeof reply);
  memset(&response, 0, sizeof response);
  header.reply = &reply.reply;
  response.data = storage;
  response.capacity = capacity;
  status = rbg.call_with(instance, entry, &header, op, request, request_len, &response);
  result->op = 0;
  rbg_settle(result, status, &response, &reply);
}

static inline int32_t rbg_submit(uint64_t queue, uint64_t user_data, uint64_t instance, uint32_t entry, uint32_t flags,
                                 const rbg_carried *carried, const char *state, size_t state_len, const uint8_t *metadata,
                                 size_t metadata_len, const uint64_t *objects, size_t object_count,
                                 const uint8_t *request, size_t request_len, uint8_t *storage, size_t capacity,
                                 rbg_result *result) {
  rb_call_context header;
  rb_reply_headers reply;
  rb_submission submission;
  int32_t status;
  rbg_fill(&header, carried, state, state_len, metadata, metadata_len, objects, object_count);
  memset(&reply, 0, sizeof reply);
  memset(&submission, 0, sizeof submission);
  header.reply = &reply.reply;
  submission.size = sizeof submission;
  submission.instance = instance;
  submission.entry = entry;
  submission.flags = flags;
  submission.call_context = &header;
  submission.request = request;
  submission.request_len = request_len;
  submission.response.data = storage;
  submission.response.capacity = capacity;
  submission.user_data = user_data;
  submission.demand_items = carried->demand_items;
  submission.demand_bytes = carried->demand_bytes;
  status = rbg.submit(queue, &submission, 1);
  result->op = submission.op;
  if (status != RB_OK) {
    submission.status = status;
  }
  if (submission.status == RB_PENDING) {
    memset(result->response, 0, sizeof result->response);
    result->status = RB_PENDING;
    return RB_PENDING;
  }
  rbg_settle(result, submission.status, &submission.response, &reply);
  return submission.status;
}

/* An event, as numbers. What it points to is in the arena, or has a release in its kept response. */
typedef struct rbg_event {
  uint32_t kind;
  int32_t status;
  uint64_t op;
  uint64_t user_data;
  uint32_t count;
  uint32_t flags;
  uintptr_t response[5];
  uintptr_t trailers[5];
  uintptr_t objects[5];
  uint64_t items;
  uint64_t bytes;
  uint64_t instance;
  /* Of a service call: what came with it. */
  uintptr_t state;
  uintptr_t state_len;
  uintptr_t metadata;
  uintptr_t metadata_len;
  uint32_t has_header;
  rbg_carried carried;
} rbg_event;

#define RBG_EVENTS 64

/* Fetches events. `raw` is C's memory with room for RBG_EVENTS of the ABI's, `events` room for as many; gives the status. */
int32_t rbg_queue_poll(uint64_t queue, void *raw, rbg_event *events, uint8_t *arena, size_t arena_len, uint64_t timeout_ms,
                       size_t *count);

static inline int32_t rbg_op_write(uint64_t op, const uint8_t *data, size_t len, uint32_t count, uint32_t flags) {
  rb_batch batch;
  memset(&batch, 0, sizeof batch);
  batch.size = sizeof batch;
  batch.flags = flags;
  batch.data = data;
  batch.len = len;
  batch.count = count;
  return rbg.op_write(op, &batch, NULL);
}

static inline int32_t rbg_op_end(uint64_t op, int32_t status, const uint8_t *payload, size_t len) {
  return rbg.op_end(op, status, payload, len, NULL);
}

static inline int32_t rbg_op_cancel(uint64_t op) {
  return rbg.op_cancel(op, NULL);
}

static inline int32_t rbg_op_detach(uint64_t op) {
  return rbg.op_detach(op, NULL);
}

static inline int32_t rbg_op_demand(uint64_t op, uint64_t items, uint64_t bytes) {
  return rbg.op_demand(op, items, bytes, NULL);
}

static inline int32_t rbg_service_reply(uint64_t number, int32_t status, const uint8_t *payload, size_t len) {
  return rbg.service_reply(number, status, payload, len, NULL);
}

static inline int32_t rbg_object_release(uint64_t object) {
  return rbg.object_release(object);
}

static inline const char *rbg_version(void) {
  return rbg.version();
}

/* The rest isn't called often. Each failure's payload goes to `error`. */

typedef struct rbg_load_options {
  uint32_t flags;
  uint32_t log_level;
  uint32_t threads;
  /* Number of the sink in Go, 0 for none. */
  uintptr_t sink;
  /* The queue that services go to, and the number of each in Go, counted from here. */
  uint64_t queue;
  uint64_t first_service;
} rbg_load_options;

int32_t rbg_load(const rbg_load_options *options, const char *path, size_t path_len, const uint8_t *image,
                 size_t image_len, const uint8_t *config, size_t config_len, int has_config, const char *name,
                 size_t name_len, const char *client_schema, size_t client_schema_len, const char *service_names,
                 const uint32_t *service_sizes, const uint32_t *service_encodings, size_t service_count,
                 uint64_t *instance, rbg_result *error);

typedef struct rbg_method {
  uint32_t entry, flags, encoding, leaf_limit, storage;
  uint64_t request_size, response_size, buffer_limit;
} rbg_method;

int32_t rbg_prepare(uint64_t instance, const char *name, size_t name_len, uint32_t encoding, rbg_method *method,
                    rbg_result *error);
int32_t rbg_prepare_id(uint64_t instance, uint32_t id, uint32_t encoding, rbg_method *method, rbg_result *error);
int32_t rbg_prepare_typed(uint64_t instance, const char *name, size_t name_len, const char *fingerprint,
                          size_t fingerprint_len, const char *client_schema, size_t client_schema_len, rbg_method *method,
                          rbg_result *error);
int32_t rbg_name(uint64_t instance, rbg_result *answer);
int32_t rbg_describe(uint64_t instance, rbg_result *answer);
int32_t rbg_inspect(rbg_result *answer);
int32_t rbg_state(uint64_t instance, uint32_t *state, rbg_result *error);
int32_t rbg_close(uint64_t instance, uint64_t timeout_ms, int cancels, uint64_t cancel_after_ms, rbg_result *report);
int32_t rbg_log_set_level(uint64_t instance, uint32_t level, rbg_result *error);
int32_t rbg_log_flush(uint64_t instance, uint64_t timeout_ms, rbg_result *error);
int32_t rbg_queue_new(uint64_t *queue, rbg_result *error);
int32_t rbg_queue_fd(uint64_t queue, intptr_t *descriptor);
int32_t rbg_queue_close(uint64_t queue);

/* A copy of Go's bytes, to be released as any response; nothing when there's no memory. */
void rbg_own(const uint8_t *data, size_t len, uintptr_t *kept);

#endif
