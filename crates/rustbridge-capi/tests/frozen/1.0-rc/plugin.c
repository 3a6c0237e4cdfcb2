/* A plugin in plain C, built against the header as it was released with ABI 1.0. It must load and answer for good. */
#include <stdlib.h>
#include <string.h>

#include "rustbridge_plugin.h"

static const char description[] =
    "{\"abi\":\"1.0\",\"name\":\"frozen\",\"version\":\"1.0.0\",\"methods\":["
    "{\"name\":\"echo\",\"entries\":[{\"index\":0,\"encoding\":\"raw\",\"leaf\":false}]},"
    "{\"name\":\"add\",\"id\":7,\"entries\":[{\"index\":1,\"encoding\":\"pod\",\"leaf\":true,"
    "\"request\":{\"layout\":{\"type\":\"Add\",\"size\":16,\"align\":8,\"fields\":["
    "{\"name\":\"a\",\"type\":\"i64\",\"offset\":0,\"size\":8},{\"name\":\"b\",\"type\":\"i64\",\"offset\":8,\"size\":8}]}},"
    "\"response\":{\"layout\":{\"type\":\"Sum\",\"size\":8,\"align\":8,\"fields\":["
    "{\"name\":\"result\",\"type\":\"i64\",\"offset\":0,\"size\":8}]}}}]}]}";

static void release(rb_response *response) {
  free(response->owner);
}

static rb_status answer(rb_response *response, rb_status status, const void *bytes, size_t len) {
  if (response == NULL) {
    return status;
  }
  response->len = len;
  response->release = NULL;
  response->owner = NULL;
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

static rb_status fail(rb_response *response, rb_status status, const char *json) {
  return answer(response, status, json, strlen(json));
}

static rb_status describe(void *context, rb_response *response) {
  (void)context;
  return answer(response, RB_OK, description, sizeof description - 1);
}

static rb_status create(void *context, const rb_host *host, const uint8_t *config, size_t config_len,
                        void **instance, rb_response *error) {
  (void)context;
  static const char empty[] = "{}";
  if (config_len > 0 && (config_len != 2 || memcmp(config, empty, 2) != 0)) {
    return fail(error, RB_INVALID_ARGUMENT,
                "{\"code\":\"INVALID_ARGUMENT\",\"message\":\"this plugin takes no config\",\"type\":\"Config\"}");
  }
  if (host->size < sizeof(rb_host) || host->abi_version >> 16 != RB_ABI_MAJOR) {
    return fail(error, RB_FAILED_PRECONDITION,
                "{\"code\":\"FAILED_PRECONDITION\",\"message\":\"the host is older than ABI 1.0\",\"type\":\"Host\"}");
  }
  *instance = NULL;
  if (error != NULL) {
    answer(error, RB_OK, NULL, 0);
  }
  return RB_OK;
}

static rb_status call(void *instance, uint32_t entry, const rb_call_context *call_context, const uint8_t *request,
                      size_t request_len, rb_response *response) {
  int64_t numbers[2];
  (void)instance;
  (void)call_context;
  switch (entry) {
    case 0:
      return answer(response, RB_OK, request, request_len);
    case 1:
      if (request_len != sizeof numbers) {
        return fail(response, RB_INVALID_ARGUMENT,
                    "{\"code\":\"INVALID_ARGUMENT\",\"message\":\"Add has 16 bytes\",\"type\":\"Size\"}");
      }
      memcpy(numbers, request, sizeof numbers);
      numbers[0] += numbers[1];
      return answer(response, RB_OK, numbers, sizeof numbers[0]);
    default:
      return fail(response, RB_NOT_FOUND, "{\"code\":\"NOT_FOUND\",\"message\":\"no such entry\",\"type\":\"Entry\"}");
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

static const rb_plugin_table table = {sizeof(rb_plugin_table), RB_ABI_VERSION, NULL, describe, create, call, destroy,
                                      extension};

const rb_plugin_table *rustbridge_plugin(uint32_t host_abi_version) {
  (void)host_abi_version;
  return &table;
}
