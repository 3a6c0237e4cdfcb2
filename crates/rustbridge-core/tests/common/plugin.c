/* A plugin in plain C for tests of loading: it may need a library beside it, look for one later, want memory at a fixed
 * place in each thread, and it tells what it got. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rustbridge_plugin.h"

#ifdef SIBLING
int sibling(void);
#else
static int sibling(void) {
  return 0;
}
#endif

/* Of each thread's memory, the loader keeps little for libraries that come late and want it at a fixed place. */
#ifdef STATIC_TLS
__attribute__((tls_model("initial-exec"))) __thread char static_tls[STATIC_TLS];
#define TOUCH static_tls[STATIC_TLS / 2]
#else
#define TOUCH 0
#endif

/* What tells two builds of the same length apart. */
#ifndef BUILD
#define BUILD 1
#endif

static const char description[] =
    "{\"abi\":\"1.0\",\"name\":\"siblings\",\"version\":\"1.0.0\",\"methods\":["
    "{\"name\":\"sibling\",\"entries\":[{\"index\":0,\"encoding\":\"raw\",\"leaf\":false}]},"
    "{\"name\":\"folder\",\"entries\":[{\"index\":1,\"encoding\":\"raw\",\"leaf\":false}]},"
    "{\"name\":\"later\",\"entries\":[{\"index\":2,\"encoding\":\"raw\",\"leaf\":false}]},"
    "{\"name\":\"build\",\"entries\":[{\"index\":3,\"encoding\":\"raw\",\"leaf\":false}]}]}";

static void release(rb_response *response) {
  free(response->owner);
}

static rb_status answer(rb_response *response, const char *text) {
  size_t len = strlen(text);
  if (response == NULL) {
    return RB_OK;
  }
  response->len = len;
  response->release = NULL;
  response->owner = NULL;
  if (len > response->capacity) {
    response->owner = malloc(len);
    response->data = (uint8_t *)response->owner;
    response->capacity = len;
    response->release = release;
  }
  memcpy(response->data, text, len);
  return RB_OK;
}

static rb_status describe(void *context, rb_response *response) {
  (void)context;
  return answer(response, description);
}

static rb_status create(void *context, const rb_host *host, const uint8_t *config, size_t config_len, void **instance,
                        rb_response *error) {
  (void)context;
  (void)host;
  (void)config;
  (void)config_len;
  *instance = NULL;
  return answer(error, "");
}

static const char *folder(char *out, size_t len) {
  Dl_info info;
  if (dladdr((const void *)description, &info) == 0) {
    return "unknown";
  }
  snprintf(out, len, "%s", info.dli_fname);
  *strrchr(out, '/') = 0;
  return out;
}

static const char *later(void) {
  void *library = dlopen("liblater.so", RTLD_NOW | RTLD_LOCAL);
  return library == NULL ? dlerror() : "found";
}

static rb_status call(void *instance, uint32_t entry, const rb_call_context *header, const uint8_t *request,
                      size_t request_len, rb_response *response) {
  char out[4096];
  (void)instance;
  (void)header;
  (void)request;
  (void)request_len;
  switch (entry) {
    case 1:
      return answer(response, folder(out, sizeof out));
    case 2:
      return answer(response, later());
    default:
      snprintf(out, sizeof out, "%d", entry == 0 ? sibling() : BUILD + TOUCH);
      return answer(response, out);
  }
}

static rb_status destroy(void *instance, rb_response *error) {
  (void)instance;
  return answer(error, "");
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
