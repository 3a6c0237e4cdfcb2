/*
 * Makes asynchronous calls and uses streams of examples/plugins/c/later.c: with a completion queue in a poll loop, and with a
 * callback.
 * Usage: later path/to/liblater_c.so
 */
#include <inttypes.h>
#include <rustbridge.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(_WIN32)
#include <windows.h>
#else
#include <poll.h>
#endif

static rb_instance plugin;
static rb_queue queue;
static uint32_t wait_entry, countdown_entry, sum_entry;

/* A pending call, as this program keeps it. Its events carry the address of this struct. */
typedef struct pending {
  const char *name;
  rb_op op;
  int ended;
  uint32_t left; /* of a sum: the numbers still to be sent */
} pending;

/* Ends the program if a call failed. The payload of a failure is JSON that describes the error. */
static void check(rb_status status, rb_response *error) {
  if (status != RB_OK) {
    fprintf(stderr, "%s: %.*s\n", rb_status_name(status), (int)error->len, (const char *)error->data);
    exit(1);
  }
  rb_response_release(error);
}

static uint32_t prepare(const char *method, rb_encoding encoding) {
  rb_method found = {.size = sizeof found};
  rb_response error = {0};
  check(rb_prepare(plugin, rb_text_of(method), encoding, &found, &error), &error);
  return found.entry;
}

/* Returns the submission of a call. `request` is borrowed until rb_submit or rb_submit_callback returns. */
static rb_submission call_of(uint32_t entry, const void *request, size_t len, pending *whose) {
  return (rb_submission){.size = sizeof(rb_submission), .instance = plugin, .entry = entry, .request = request,
                         .request_len = len, .user_data = (uintptr_t)whose};
}

/* Handles the status of each submission. A call that has completed at once isn't pending, and no event follows. */
static void begun(rb_submission *calls, size_t count) {
  for (size_t i = 0; i < count; i++) {
    pending *whose = (pending *)(uintptr_t)calls[i].user_data;
    whose->op = calls[i].op;
    if (calls[i].status != RB_PENDING) {
      whose->ended = 1;
      printf("%s: %s at once\n", whose->name, rb_status_name(calls[i].status));
      rb_response_release(&calls[i].response);
    }
  }
}

static void submit(rb_submission *calls, size_t count) {
  if (rb_submit(queue, calls, count) != RB_OK) {
    fprintf(stderr, "rb_submit was called wrongly\n");
    exit(1);
  }
  begun(calls, count);
}

/* Sends up to eight numbers, within the plugin's credit. Ends the stream after the last number. */
static void send_numbers(pending *sum, uint64_t items) {
  uint32_t numbers[8];
  rb_batch batch = {.size = sizeof batch, .data = (const uint8_t *)numbers};
  while (sum->left > 0 && batch.count < 8 && batch.count < items) {
    numbers[batch.count++] = sum->left--;
  }
  batch.len = batch.count * sizeof numbers[0];
  /* If the plugin has completed the call meanwhile, this isn't an error: the last event reports the reason. */
  if (batch.count > 0 && rb_op_write(sum->op, &batch, NULL) == RB_OK && sum->left == 0) {
    rb_op_end(sum->op, RB_OK, NULL, 0, NULL);
  }
}

static void print_numbers(const char *name, const rb_event *event) {
  printf("%s:", name);
  for (size_t i = 0; i < event->count; i++) {
    uint32_t number;
    memcpy(&number, event->response.data + i * sizeof number, sizeof number);
    printf(" %" PRIu32, number);
  }
  printf("\n");
}

static void take(rb_event *event) {
  pending *whose = (pending *)(uintptr_t)event->user_data;
  rb_response error = {0};
  uint64_t sum;
  switch (event->kind) {
    case RB_EVENT_ITEMS:
      print_numbers(whose->name, event);
      /* Grants as many items as have arrived, so at most four are in flight at any time. */
      check(rb_op_demand(event->op, event->count, event->response.len, &error), &error);
      break;
    case RB_EVENT_DEMAND:
      send_numbers(whose, event->items);
      break;
    case RB_EVENT_DONE:
      whose->ended = 1;
      if (event->status == RB_OK && event->response.len == sizeof sum) {
        memcpy(&sum, event->response.data, sizeof sum);
        printf("%s: %" PRIu64 "\n", whose->name, sum);
      } else {
        printf("%s: %s\n", whose->name, rb_status_name(event->status));
      }
      break;
    default: /* an event of a later version */
      break;
  }
  /* A response that didn't fit into the arena is callee-allocated, and must be released. */
  rb_response_release(&event->response);
  rb_response_release(&event->reply.trailers);
  rb_response_release(&event->reply.objects);
}

/* Waits for the queue's wakeup descriptor, like a loop that also watches sockets, and handles the events. */
static void run_until(const pending *awaited) {
  static _Alignas(8) uint8_t arena[4096];
  rb_event events[8] = {{.size = sizeof events[0]}};
  rb_response error = {0};
  ptrdiff_t descriptor;
  size_t count;
  check(rb_queue_fd(queue, &descriptor, &error), &error);
  while (!awaited->ended) {
#if defined(_WIN32)
    WaitForSingleObject((HANDLE)descriptor, INFINITE);
#else
    struct pollfd watched = {.fd = (int)descriptor, .events = POLLIN};
    poll(&watched, 1, -1);
#endif
    /* Polls until the queue is empty: only then do new events signal the descriptor again. */
    do {
      check(rb_queue_poll(queue, events, 8, arena, sizeof arena, 0, &count, &error), &error);
      for (size_t i = 0; i < count; i++) {
        take(&events[i]);
      }
    } while (count > 0);
  }
}

/* Called on the completing thread, here the plugin's own. It mustn't be blocked, so this only wakes the main thread. */
static void tell(void *user_data, rb_event *event) {
  pending *whose = user_data;
  if (event->kind == RB_EVENT_DONE) {
    whose->ended = event->status == RB_OK ? 1 : -1;
    rb_queue_wake(queue, NULL);
  }
}

int main(int argc, char **argv) {
  rb_load_options options = {.size = sizeof options, .path = rb_text_of(argc > 1 ? argv[1] : "")};
  rb_response error = {0};
  check(rb_load(&options, &plugin, &error), &error);
  check(rb_queue_new(&queue, &error), &error);
  wait_entry = prepare("wait", RB_ENCODING_POD);
  countdown_entry = prepare("countdown", RB_ENCODING_POD);
  sum_entry = prepare("sum", RB_ENCODING_RAW);

  /* One call. */
  uint32_t ms = 20, long_ms = 60000, from = 10;
  pending one = {.name = "one"};
  submit((rb_submission[]){call_of(wait_entry, &ms, sizeof ms, &one)}, 1);
  run_until(&one);

  /* Three calls in one crossing: the deadline of one passes, and one is cancelled. An event reports each completion. */
  pending fast = {.name = "fast"}, late = {.name = "late"}, cancelled = {.name = "cancelled"};
  rb_call_context header = {.size = sizeof header, .flags = RB_CONTEXT_TIMEOUT, .timeout_ns = 5000000};
  rb_submission three[] = {call_of(wait_entry, &ms, sizeof ms, &fast), call_of(wait_entry, &long_ms, sizeof ms, &late),
                           call_of(wait_entry, &long_ms, sizeof ms, &cancelled)};
  three[1].call_context = &header;
  submit(three, 3);
  check(rb_op_cancel(cancelled.op, &error), &error);
  run_until(&cancelled);
  run_until(&late);
  run_until(&fast);

  /* A call whose result is no longer needed is abandoned. No event follows. */
  pending detached = {.name = "detached"};
  submit((rb_submission[]){call_of(wait_entry, &long_ms, sizeof ms, &detached)}, 1);
  check(rb_op_detach(detached.op, &error), &error);

  /* A stream of items: the first demand is four items, so at most four are in flight at any time. */
  pending countdown = {.name = "countdown"};
  rb_submission stream = call_of(countdown_entry, &from, sizeof from, &countdown);
  stream.demand_items = 4;
  stream.demand_bytes = 4 * sizeof(uint32_t);
  submit(&stream, 1);
  run_until(&countdown);

  /* A stream into the plugin: the numbers from 100 down to 1, as the plugin demands them. */
  pending sum = {.name = "sum", .left = 100};
  submit((rb_submission[]){call_of(sum_entry, NULL, 0, &sum)}, 1);
  run_until(&sum);

  /* A callback in place of the queue. Here, the queue only serves to wait for the callback. */
  pending called = {.name = "called back"};
  rb_callback callback = {.size = sizeof callback, .notify = tell, .user_data = &called};
  rb_submission start = call_of(wait_entry, &ms, sizeof ms, &called);
  rb_event unused = {.size = sizeof unused};
  size_t none;
  if (rb_submit_callback(&callback, &start, 1) != RB_OK) {
    return 1;
  }
  begun(&start, 1);
  check(rb_queue_poll(queue, &unused, 1, NULL, 0, UINT64_MAX, &none, &error), &error);
  printf("%s: %s\n", called.name, called.ended == 1 ? "OK" : "failed");

  /* Closing waits for pending calls, and its error lists them. The instance stays closing until they have completed. */
  pending open = {.name = "open"};
  submit((rb_submission[]){call_of(wait_entry, &long_ms, sizeof ms, &open)}, 1);
  if (rb_close(plugin, 0, &error) == RB_DEADLINE_EXCEEDED) {
    printf("closing: %.*s\n", (int)error.len, (const char *)error.data);
    rb_response_release(&error);
    check(rb_op_cancel(open.op, &error), &error);
    run_until(&open);
  }
  check(rb_close(plugin, 5000, &error), &error);
  check(rb_queue_close(queue, &error), &error);
  return 0;
}
