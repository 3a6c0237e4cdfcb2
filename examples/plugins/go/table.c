// The plugin's table, which can't be written in Go. Its functions call those that shout.go exports.

#include <stdlib.h>

#include <rustbridge_plugin.h>

#include "_cgo_export.h"

static rb_status describe(void *context, rb_response *response) {
  (void)context;
  return shoutDescribe(response);
}

static rb_status create(void *context, const rb_host *host, const uint8_t *config, size_t config_len, void **instance,
                        rb_response *error) {
  (void)context;
  return shoutCreate((rb_host *)host, (uint8_t *)config, config_len, (uintptr_t *)instance, error);
}

static rb_status call(void *instance, uint32_t entry, const rb_call_context *header, const uint8_t *request,
                      size_t request_len, rb_response *response) {
  (void)header;
  return shoutCall((uintptr_t)instance, entry, (uint8_t *)request, request_len, response);
}

static rb_status destroy(void *instance, rb_response *error) {
  return shoutDestroy((uintptr_t)instance, error);
}

static const void *extension(void *context, const char *name) {
  (void)context;
  (void)name;
  return NULL;
}

RB_PLUGIN_EXPORT const rb_plugin_table *rustbridge_plugin(uint32_t host_abi_version) {
  static const rb_plugin_table table = {sizeof table, RB_ABI_VERSION, NULL, describe, create, call, destroy, extension};
  (void)host_abi_version;
  return &table;
}

static void release(rb_response *response) {
  free(response->owner);
}

uint8_t *shout_room(rb_response *response, size_t len) {
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

int shout_wants(const rb_host *host, rb_level level) {
  return __atomic_load_n(host->log_level, __ATOMIC_RELAXED) >= level;
}

void shout_log(const rb_host *host, rb_level level, uint64_t time, const char *text, size_t target, size_t message,
               size_t fields) {
  rb_log_record record = {.size = sizeof record, .level = level, .kind = RB_RECORD_EVENT, .time_unix_ns = time};
  record.target = (rb_text){text, target};
  record.message = (rb_text){text + target, message};
  record.fields = (rb_text){text + target + message, fields};
  host->log(host->context, &record);
}
