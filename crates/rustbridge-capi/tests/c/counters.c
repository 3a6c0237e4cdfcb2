/*
 * A plugin in C that gives objects: counters, which are memory of its own. Their addresses are what it wants to be given.
 * "open" gives as many as its request is bytes long; "add" adds the length of its request to the one it's called on, and
 * "sum" sums up all that are lent to it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "rustbridge_plugin.h"

static const char description[] =
    "{\"abi\":\"1.0\",\"name\":\"counters\",\"methods\":["
    "{\"name\":\"open\",\"entries\":[{\"index\":0,\"encoding\":\"raw\",\"objects\":true}]},"
    "{\"name\":\"Counter.add\",\"entries\":[{\"index\":1,\"encoding\":\"raw\",\"receiver\":\"Counter\"}]},"
    "{\"name\":\"sum\",\"entries\":[{\"index\":2,\"encoding\":\"raw\"}]},"
    "{\"name\":\"alive\",\"entries\":[{\"index\":3,\"encoding\":\"raw\"}]}]}";

typedef struct counter {
  uint64_t number;
} counter;

typedef struct counters {
  uint64_t alive;
} counters;

static void release(rb_response *response) { free(response->owner); }

static rb_status answer(rb_response *response, const void *bytes, size_t len) {
  if (response == NULL) {
    return RB_OK;
  }
  response->len = len;
  response->release = NULL;
  if (len > response->capacity) {
    response->owner = malloc(len);
    if (response->owner == NULL) {
      response->len = 0;
      return RB_RESOURCE_EXHAUSTED;
    }
    response->data = (uint8_t *)response->owner;
    response->capacity = len;
    response->release = release;
  }
  if (len > 0) {
    memcpy(response->data, bytes, len);
  }
  return RB_OK;
}

static rb_status describe(void *context, rb_response *response) {
  (void)context;
  return answer(response, description, sizeof description - 1);
}

static rb_status create(void *context, const rb_host *host, const uint8_t *config, size_t config_len, void **made,
                        rb_response *error) {
  (void)context;
  (void)host;
  (void)config;
  (void)config_len;
  (void)error;
  *made = calloc(1, sizeof(counters));
  return *made == NULL ? RB_RESOURCE_EXHAUSTED : RB_OK;
}

/* Gives `count` objects. */
static rb_status open_some(counters *self, const rb_call_context *header, size_t count, rb_response *response) {
  uint64_t given[64];
  size_t at;
  if (header == NULL || header->reply == NULL || count > 64) {
    return RB_FAILED_PRECONDITION;
  }
  for (at = 0; at < count; at++) {
    counter *made = (counter *)calloc(1, sizeof *made);
    if (made == NULL) {
      abort();
    }
    self->alive++;
    given[at] = (uint64_t)(uintptr_t)made;
  }
  answer(&header->reply->objects, given, count * sizeof given[0]);
  return answer(response, NULL, 0);
}

static rb_status call(void *instance, uint32_t entry, const rb_call_context *header, const uint8_t *request,
                      size_t request_len, rb_response *response) {
  counters *self = (counters *)instance;
  uint32_t lent = header == NULL ? 0 : header->object_count;
  uint64_t sum = 0;
  uint32_t at;
  (void)request;
  switch (entry) {
    case 0:
      return open_some(self, header, request_len, response);
    case 1:
      if (lent != 1) {
        return RB_INVALID_ARGUMENT;
      }
      sum = ((counter *)(uintptr_t)header->objects[0])->number += request_len;
      return answer(response, &sum, sizeof sum);
    case 2:
      for (at = 0; at < lent; at++) {
        sum += ((counter *)(uintptr_t)header->objects[at])->number;
      }
      return answer(response, &sum, sizeof sum);
    case 3:
      return answer(response, &self->alive, sizeof self->alive);
    default:
      return RB_NOT_FOUND;
  }
}

static void drop(void *instance, uint64_t object) {
  ((counters *)instance)->alive--;
  free((counter *)(uintptr_t)object);
}

static rb_status destroy(void *instance, rb_response *error) {
  counters *self = (counters *)instance;
  rb_status status = self->alive == 0 ? RB_OK : RB_DATA_LOSS;
  (void)error;
  free(self);
  return status;
}

static const rb_objects_extension objects = {sizeof(rb_objects_extension), 0, drop};

static const void *extension(void *context, const char *name) {
  (void)context;
  return strcmp(name, RB_EXTENSION_OBJECTS) == 0 ? &objects : NULL;
}

static const rb_plugin_table table = {sizeof(rb_plugin_table), RB_ABI_VERSION, NULL, describe, create, call, destroy,
                                      extension};

RB_PLUGIN_EXPORT const rb_plugin_table *rustbridge_plugin(uint32_t host_abi_version) {
  (void)host_abi_version;
  return &table;
}
