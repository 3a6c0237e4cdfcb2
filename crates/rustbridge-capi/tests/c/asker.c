/*
 * A plugin in C that calls its host: finds services in `create` and calls them by number. Each method is raw; a request is
 * the service's request.
 */
#include <stdlib.h>
#include <string.h>

#include "rustbridge_plugin.h"

#define ENTRY(name, index, leaf) \
  "{\"name\":\"" name "\",\"entries\":[{\"index\":" #index ",\"encoding\":\"raw\",\"leaf\":" #leaf "}]}"

static const char description[] =
    "{\"abi\":\"1.0\",\"name\":\"asker\",\"version\":\"1.0.0\",\"methods\":["
    ENTRY("ask", 0, false) "," ENTRY("ask_in_leaf", 1, true) "," ENTRY("ask_later", 2, false) ","
    ENTRY("start_later", 3, false) "," ENTRY("cancel_later", 4, false) "," ENTRY("expired", 5, false)
    "," ENTRY("ask_in_time", 6, false) "," ENTRY("how_it_ended", 7, false) "],\"services\":[{\"name\":\"upper\",\"encoding\":\"raw\"},{\"name\":\"later\",\"encoding\":\"raw\"},"
    "{\"name\":\"absent\",\"encoding\":\"json\",\"optional\":true}]}";

typedef struct asker {
  rb_service_host services;
  void *context;
  uint32_t upper;
  uint32_t later;
  /* How the last started call ended. */
  rb_response ended;
  volatile rb_status end;
} asker;

static void release(rb_response *response) {
  free(response->owner);
}

static rb_status answer(rb_response *response, rb_status status, const void *bytes, size_t len) {
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
  return status;
}

static rb_text text_of(const char *text) {
  rb_text made;
  made.data = text;
  made.len = strlen(text);
  return made;
}

static rb_status describe(void *context, rb_response *response) {
  (void)context;
  return answer(response, RB_OK, description, sizeof description - 1);
}

static rb_status create(void *context, const rb_host *host, const uint8_t *config, size_t config_len, void **made,
                        rb_response *error) {
  (void)context;
  const rb_service_host *services = (const rb_service_host *)host->extension(host->context, RB_EXTENSION_SERVICES);
  asker *self;
  uint32_t absent = 0;
  (void)config;
  (void)config_len;
  if (services == NULL || services->size < sizeof *services) {
    return answer(error, RB_FAILED_PRECONDITION, NULL, 0);
  }
  self = (asker *)calloc(1, sizeof *self);
  if (self == NULL) {
    return answer(error, RB_RESOURCE_EXHAUSTED, NULL, 0);
  }
  self->services = *services;
  self->context = host->context;
  if (services->find(host->context, text_of("upper"), RB_ENCODING_RAW, &self->upper) != RB_OK ||
      services->find(host->context, text_of("later"), RB_ENCODING_RAW, &self->later) != RB_OK ||
      services->find(host->context, text_of("upper"), RB_ENCODING_JSON, &absent) != RB_UNIMPLEMENTED ||
      services->find(host->context, text_of("absent"), RB_ENCODING_JSON, &absent) != RB_NOT_FOUND) {
    free(self);
    return answer(error, RB_INTERNAL, NULL, 0);
  }
  *made = self;
  return answer(error, RB_OK, NULL, 0);
}

static void done(void *data, rb_status status, rb_response *response) {
  asker *self = (asker *)data;
  self->ended = *response;
  self->end = status;
}

static rb_status call(void *instance, uint32_t entry, const rb_call_context *header, const uint8_t *request,
                      size_t request_len, rb_response *response) {
  asker *self = (asker *)instance;
  rb_call_context said;
  uint64_t number = 0;
  rb_status status;
  (void)header;
  memset(&said, 0, sizeof said);
  said.size = sizeof said;
  switch (entry) {
    case 0:
    case 1:
      return self->services.call(self->context, self->upper, NULL, request, request_len, response);
    case 2:
      return self->services.call(self->context, self->later, NULL, request, request_len, response);
    case 3:
    case 4:
      self->end = RB_PENDING;
      status = self->services.start(self->context, self->later, NULL, request, request_len, response, done, self, &number);
      if (status != RB_PENDING) {
        return status;
      }
      if (entry == 4 && self->services.cancel(self->context, number) != RB_OK) {
        return RB_INTERNAL;
      }
      /* The host answers before it returns, or is cancelled. */
      if (self->end == RB_PENDING) {
        return answer(response, RB_UNAVAILABLE, NULL, 0);
      }
      *response = self->ended;
      return self->end;
    case 5:
      said.flags = RB_CONTEXT_TIMEOUT;
      return self->services.call(self->context, self->upper, &said, request, request_len, response);
    case 6: {
      static const uint8_t metadata[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 'k', 'v'};
      said.flags = RB_CONTEXT_TIMEOUT | RB_CONTEXT_TRACE;
      said.timeout_ns = request_len == 5 && memcmp(request, "quick", 5) == 0 ? 1000000000 : UINT64_C(30000000000);
      said.trace_id[0] = 7;
      said.span_id[0] = 8;
      said.trace_state = text_of("vendor=1");
      said.metadata = metadata;
      said.metadata_len = sizeof metadata;
      return self->services.call(self->context, self->later, &said, request, request_len, response);
    }
    case 7:
      if (self->end == RB_PENDING) {
        return answer(response, RB_UNAVAILABLE, NULL, 0);
      }
      *response = self->ended;
      return self->end;
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

RB_PLUGIN_EXPORT const rb_plugin_table *rustbridge_plugin(uint32_t host_abi_version) {
  (void)host_abi_version;
  return &table;
}
