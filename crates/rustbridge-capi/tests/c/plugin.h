/* What plugin.c and its hosts agree on. */
#ifndef TEST_PLUGIN_H
#define TEST_PLUGIN_H

#include "rustbridge_plugin.h"

/* The request of `callback`: the plugin calls `function` with `user_data` from inside the call. */
typedef struct plugin_callback {
  void (*function)(void *user_data);
  void *user_data;
} plugin_callback;

#endif
