/* The snippets of docs/guide/c.md, each between two comments. Usage: guide HELLO LATER, the paths of two plugins. */
#include "check.h"

#if !defined(_WIN32)
#include <poll.h>
#endif

/* guide */
/* Prints a failure's payload, releases it, and returns whether the call succeeded. */
static int good(rb_status status, rb_response *error) {
  if (status != RB_OK) {
    fprintf(stderr, "%s: %.*s\n", rb_status_name(status), (int)error->len, (const char *)error->data);
  }
  rb_response_release(error);
  return status == RB_OK;
}
/* end */

static void load_and_call(const char *path) {
  rb_instance plugin;
  rb_response error = {0};
  /* guide */
  rb_load_options options = {.size = sizeof options, .path = rb_text_of(path)};
  if (!good(rb_load(&options, &plugin, &error), &error)) {
    return;
  }
  rb_method greet = {.size = sizeof greet};
  if (!good(rb_prepare(plugin, rb_text_of("greet"), RB_ENCODING_JSON, &greet, &error), &error)) {
    return;
  }
  /* end */
  /* guide */
  const char request[] = "{\"name\":\"Ada\"}";
  uint8_t storage[256];
  rb_response response = {.data = storage, .capacity = sizeof storage};
  rb_status status = rb_call(plugin, greet.entry, (const uint8_t *)request, sizeof request - 1, &response);
  printf("%s: %.*s\n", rb_status_name(status), (int)response.len, (const char *)response.data);
  rb_response_release(&response); /* also after a failure: its payload may be callee-allocated */
  /* end */
  CHECK(status == RB_OK);
  CHECK(response.data == storage);

  /* guide */
  rb_method add = {.size = sizeof add};
  struct { int64_t a, b; } numbers = {40, 2};
  int64_t sum = 0;
  if (good(rb_prepare(plugin, rb_text_of("math.add"), RB_ENCODING_POD, &add, &error), &error)) {
    response = (rb_response){.data = (uint8_t *)&sum, .capacity = sizeof sum};
    rb_call(plugin, add.entry | RB_ENTRY_LEAF, (const uint8_t *)&numbers, sizeof numbers, &response);
  }
  /* end */
  CHECK(sum == 42);

  /* guide */
  if (rb_close(plugin, 5000, &error) == RB_DEADLINE_EXCEEDED) {
    fprintf(stderr, "still running: %.*s\n", (int)error.len, (const char *)error.data);
    rb_response_release(&error);
    rb_close(plugin, UINT64_MAX, NULL); /* continues to wait */
  }
  /* end */
  CHECK(state_of(plugin) == RB_STATE_CLOSED);
}

static rb_instance plugin;
static rb_method wait_ms, countdown, sum_up;

/* guide */
static void log_record(void *user_data, const rb_log_record *record) {
  fprintf((FILE *)user_data, "[%.*s] %.*s\n", (int)record->target.len, record->target.data, (int)record->message.len,
          record->message.data);
}
/* end */

static void with_a_log(const char *path) {
  rb_response error = {0};
  rb_instance logged;
  /* guide */
  rb_log_sink sink = {.size = sizeof sink, .log = log_record, .user_data = stderr};
  rb_load_options options = {.size = sizeof options, .path = rb_text_of(path), .log = &sink, .log_level = RB_LOG_INFO};
  /* end */
  CHECK(good(rb_load(&options, &logged, &error), &error));
  close_now(logged);
}

static void by_a_queue(void) {
  rb_response error = {0};
  uint32_t ms = 5;
  rb_queue queue = 0;
  int ends = 0;
  /* guide */
  if (!good(rb_queue_new(&queue, &error), &error)) {
    return;
  }
  rb_submission calls[2];
  for (uint64_t i = 0; i < 2; i++) {
    calls[i] = (rb_submission){.size = sizeof calls[i], .instance = plugin, .entry = wait_ms.entry,
                               .request = (const uint8_t *)&ms, .request_len = sizeof ms, .user_data = i};
  }
  rb_submit(queue, calls, 2);
  for (uint64_t i = 0; i < 2; i++) {
    if (calls[i].status != RB_PENDING) { /* it has completed, and no event follows */
      printf("call %d: %s at once\n", (int)i, rb_status_name(calls[i].status));
      rb_response_release(&calls[i].response);
    }
  }
  /* end */
  /* guide */
  rb_event events[16] = {{.size = sizeof events[0]}};
  uint8_t arena[4096];
  size_t count;
  while (ends < 2 && good(rb_queue_poll(queue, events, 16, arena, sizeof arena, 1000, &count, &error), &error)) {
    for (size_t i = 0; i < count; i++) {
      if (events[i].kind == RB_EVENT_DONE) {
        printf("call %d: %s\n", (int)events[i].user_data, rb_status_name(events[i].status));
        ends++;
      }
      rb_response_release(&events[i].response);
      rb_response_release(&events[i].reply.trailers);
      rb_response_release(&events[i].reply.objects);
    }
  }
  rb_queue_close(queue, NULL);
  /* end */
  CHECK(ends == 2);
}

/* The one event of that kind which is to come. */
static rb_event next_of(rb_queue queue, uint32_t kind) {
  rb_event event = {.size = sizeof event};
  size_t count = 0;
  CHECK(rb_queue_poll(queue, &event, 1, NULL, 0, 60000, &count, NULL) == RB_OK && count == 1);
  CHECK(event.kind == kind);
  return event;
}

static rb_status end_of(rb_queue queue) {
  rb_event event = next_of(queue, RB_EVENT_DONE);
  rb_response_release(&event.response);
  return event.status;
}

static rb_submission a_wait(const uint32_t *ms) {
  return (rb_submission){.size = sizeof(rb_submission), .instance = plugin, .entry = wait_ms.entry,
                         .request = (const uint8_t *)ms, .request_len = sizeof *ms};
}

static void in_a_loop(void) {
#if !defined(_WIN32)
  rb_response error = {0};
  rb_queue queue = 0;
  uint32_t ms = 5;
  rb_submission call = a_wait(&ms);
  rb_event events[16] = {{.size = sizeof events[0]}};
  uint8_t arena[4096];
  size_t count = 0, ends = 0;
  CHECK(rb_queue_new(&queue, NULL) == RB_OK && rb_submit(queue, &call, 1) == RB_OK && call.status == RB_PENDING);
  /* guide */
  ptrdiff_t descriptor;
  if (!good(rb_queue_fd(queue, &descriptor, &error), &error)) {
    return;
  }
  struct pollfd watched[] = {{.fd = (int)descriptor, .events = POLLIN} /* and your sockets */};
  while (ends == 0 && poll(watched, 1, -1) > 0) {
    do { /* until it's empty: after that, new events signal the descriptor again */
      rb_queue_poll(queue, events, 16, arena, sizeof arena, 0, &count, NULL);
      ends += count;
    } while (count > 0);
  }
  /* end */
  CHECK(ends == 1);
  rb_queue_close(queue, NULL);
#endif
}

static void ended_early(void) {
  uint32_t ms = 600000;
  rb_queue queue = 0;
  rb_submission call = a_wait(&ms);
  rb_submission other = a_wait(&ms);
  CHECK(rb_queue_new(&queue, NULL) == RB_OK);
  /* guide */
  rb_call_context header = {.size = sizeof header, .flags = RB_CONTEXT_TIMEOUT, .timeout_ns = 2000000};
  call.call_context = &header;
  /* end */
  CHECK(rb_submit(queue, &call, 1) == RB_OK && end_of(queue) == RB_DEADLINE_EXCEEDED);
  call.call_context = NULL;
  CHECK(rb_submit(queue, &call, 1) == RB_OK && rb_submit(queue, &other, 1) == RB_OK);
  /* guide */
  rb_op_cancel(call.op, NULL);  /* an event follows: CANCELLED, or the call's result */
  rb_op_detach(other.op, NULL); /* cancelled as well, and no event follows */
  /* end */
  CHECK(end_of(queue) == RB_CANCELLED);
  rb_queue_close(queue, NULL);
}

static void streams(void) {
  rb_queue queue = 0;
  CHECK(rb_queue_new(&queue, NULL) == RB_OK);
  /* guide */
  uint32_t from = 10, total = 0;
  rb_submission stream = {.size = sizeof stream, .instance = plugin, .entry = countdown.entry,
                          .request = (const uint8_t *)&from, .request_len = sizeof from,
                          .demand_items = 4, .demand_bytes = 1024};
  rb_submit(queue, &stream, 1);
  for (int ended = stream.status != RB_PENDING; !ended;) {
    rb_event event = {.size = sizeof event};
    size_t count;
    if (rb_queue_poll(queue, &event, 1, NULL, 0, UINT64_MAX, &count, NULL) != RB_OK) {
      return;
    }
    if (count > 0 && event.kind == RB_EVENT_ITEMS) {
      total += event.count; /* at event.response.data, response.len / count bytes each */
      rb_op_demand(event.op, event.count, event.response.len, NULL);
    } else if (count > 0) {
      ended = 1; /* any status but OK: the sequence is incomplete */
    }
    rb_response_release(&event.response);
  }
  /* end */
  CHECK(total == 10);

  rb_submission adds = {.size = sizeof adds, .instance = plugin, .entry = sum_up.entry};
  CHECK(rb_submit(queue, &adds, 1) == RB_OK && adds.status == RB_PENDING);
  rb_event event = next_of(queue, RB_EVENT_DEMAND);
  /* guide */
  uint32_t numbers[3] = {1, 2, 3};
  rb_batch batch = {.size = sizeof batch, .data = (const uint8_t *)numbers, .len = sizeof numbers, .count = 3};
  if (event.items >= batch.count && event.bytes >= batch.len) {
    rb_op_write(adds.op, &batch, NULL);
    rb_op_end(adds.op, RB_OK, NULL, 0, NULL); /* these were all */
  }
  /* end */
  do {
    event = (rb_event){.size = sizeof event};
    size_t count;
    CHECK(rb_queue_poll(queue, &event, 1, NULL, 0, 60000, &count, NULL) == RB_OK && count == 1);
  } while (event.kind == RB_EVENT_DEMAND);
  CHECK(event.kind == RB_EVENT_DONE && event.status == RB_OK && event.response.len == 8 && event.response.data[0] == 6);
  rb_response_release(&event.response);
  rb_queue_close(queue, NULL);
}

static volatile long told;

/* guide */
static void tell(void *user_data, rb_event *event) {
  if (event->kind == RB_EVENT_DONE) {
    printf("%s: %s\n", (const char *)user_data, rb_status_name(event->status));
    atomic_add(&told, 1);
  }
}
/* end */

static void by_a_function(void) {
  uint32_t ms = 5;
  rb_submission call = a_wait(&ms);
  /* guide */
  rb_callback callback = {.size = sizeof callback, .notify = tell, .user_data = "the wait"};
  rb_submit_callback(&callback, &call, 1);
  /* end */
  CHECK(call.status == RB_PENDING);
  while (atomic_read(&told) == 0) {
    sleep_ms(1);
  }
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  load_and_call(argv[1]);
  with_a_log(argv[1]);
  plugin = load(argv[2]);
  wait_ms = countdown = sum_up = no_method();
  CHECK(rb_prepare(plugin, rb_text_of("wait"), RB_ENCODING_POD, &wait_ms, NULL) == RB_OK);
  CHECK(rb_prepare(plugin, rb_text_of("countdown"), RB_ENCODING_POD, &countdown, NULL) == RB_OK);
  CHECK(rb_prepare(plugin, rb_text_of("sum"), RB_ENCODING_RAW, &sum_up, NULL) == RB_OK);
  CHECK(wait_ms.flags == RB_METHOD_ASYNC && countdown.flags == RB_METHOD_STREAM_OUT && sum_up.flags == RB_METHOD_STREAM_IN);
  by_a_queue();
  in_a_loop();
  ended_early();
  streams();
  by_a_function();
  close_now(plugin);
  printf("guide: ok\n");
  return 0;
}
