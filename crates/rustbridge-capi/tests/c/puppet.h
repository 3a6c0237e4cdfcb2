/* What puppet.c and its hosts agree on: a plugin that does with its operations what it's told to, when it's told. */
#ifndef TEST_PUPPET_H
#define TEST_PUPPET_H

#include "rustbridge_plugin.h"

/* How large structs were in version 1.0: what is shorter isn't one, whatever this was compiled with. */
#define HEADER_1_0 112
#define BATCH_1_0 40
#define EVENT_1_0 192
#define SUBMISSION_1_0 120
#define CALLBACK_1_0 24

/* The request of `complete`: what the plugin calls the host's function of that name with. `fill` is what its bytes are. */
typedef struct puppet_completion {
  rb_op op;
  rb_status status;
  uint32_t fill;
  size_t len;
  /* With a release of the plugin's. */
  uint32_t hands_over;
  uint32_t reserved;
} puppet_completion;

/* The request of `emit`. */
typedef struct puppet_batch {
  rb_op op;
  const rb_batch *batch;
} puppet_batch;

/* The request of `want`: the host's `demand`. */
typedef struct puppet_demand {
  rb_op op;
  uint64_t items;
  uint64_t bytes;
} puppet_demand;

/* The request of `head`: what the plugin adds as headers. */
typedef struct puppet_headers {
  rb_op op;
  const void *pairs;
  size_t len;
} puppet_headers;

/* What `seen` answers: of all instances, since a task is told of none. */
typedef struct puppet_seen {
  int64_t tasks;
  int64_t leases;
  int64_t cancels;
  int64_t demanded_items;
  int64_t demanded_bytes;
  int64_t pushed_items;
  int64_t pushed_bytes;
  int64_t pushed_flags;
  int64_t ends;
  int64_t end_status;
  rb_op last_op;
} puppet_seen;

#endif
