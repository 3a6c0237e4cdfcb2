/*
 * What is timed of calls that end later, of streams, and of handlers that ask their host. Ours and the floor's differ in the
 * call alone, and wait in the same way.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "calls.h"
#include "os.h"

enum {
  MOST_CALLS = 128,
  /* How many items a stream has, and how many of them may be on their way. */
  ITEMS = 100000,
  WINDOW = 1024,
  WINDOW_BYTES = 1 << 20,
};

/* What all questions and answers of this file are. */
static const int32_t question = 23;
enum { ANSWER = 64 };

/* One per process, which has one thread that fetches; never closed. */
static rb_queue the_queue(void) {
  static rb_queue queue;
  if (queue == 0 && rb.queue_new(&queue, NULL) != RB_OK) {
    die("rb_queue_new", "there's no queue");
  }
  return queue;
}

/* The smaller of both: the last group of operations may have fewer than the others. */
static inline uint64_t at_most(uint64_t left, uint64_t most) {
  return left < most ? left : most;
}

static rb_submission of(const work *work, uint32_t entry, const void *request, size_t len) {
  rb_submission call;
  memset(&call, 0, sizeof call);
  call.size = sizeof call;
  call.instance = work->instance;
  call.entry = entry;
  call.request = request;
  call.request_len = len;
  return call;
}

/* ---- answered at once ---- */

/* So many at a time, in one crossing; each answer goes into the call's own storage. */
static void begin_ready(const work *work, uint32_t entry, uint64_t iterations, uint64_t most) {
  rb_queue queue = the_queue();
  rb_submission calls[MOST_CALLS];
  int32_t answers[MOST_CALLS];
  for (uint64_t i = 0; i < most; i++) {
    calls[i] = of(work, entry, &question, sizeof question);
    calls[i].response.data = (uint8_t *)&answers[i];
    calls[i].response.capacity = sizeof answers[i];
  }
  for (uint64_t left = iterations, count; left > 0; left -= count) {
    count = at_most(left, most);
    rb_status status = rb.submit(queue, calls, (size_t)count);
    for (uint64_t i = 0; i < count; i++) {
      CONSUME(&answers[i]);
      if (status != RB_OK || calls[i].status != RB_OK || answers[i] != ANSWER) {
        failed(work, status != RB_OK ? status : calls[i].status);
      }
      answers[i] = 0;
    }
  }
}

uint64_t ready_ours(work *work, uint64_t iterations) {
  begin_ready(work, work->entry, iterations, 1);
  return 0;
}

uint64_t batch_ours(work *work, uint64_t iterations) {
  begin_ready(work, work->entry, iterations, work->scenario->size);
  return 0;
}

/* The method that asks by hand; finding it isn't timed. */
static uint32_t by_hand_entry(const work *work, uint64_t *other) {
  char name[64];
  const char *later = strstr(work->scenario->method, "_later");
  uint64_t began = os_now();
  snprintf(name, sizeof name, "ask_by_hand%s", later != NULL ? later : "");
  uint32_t entry = prepare(work->instance, name, RB_ENCODING_POD);
  *other = os_now() - began;
  return entry;
}

uint64_t ready_by_hand(work *work, uint64_t iterations) {
  uint64_t other;
  begin_ready(work, by_hand_entry(work, &other), iterations, 1);
  return other;
}

uint64_t asks_by_hand(work *work, uint64_t iterations) {
  uint64_t other;
  struct work by_hand = *work;
  by_hand.entry = by_hand_entry(work, &other);
  answer_ours(&by_hand, iterations);
  return other;
}

/* ---- told later ---- */

/* What a thread waits for: so many ends, each as expected. */
typedef struct ends {
  atomic_uint left;
  atomic_bool is_wrong;
  rb_status expected;
  os_gate *gate;
} ends;

static void ended(ends *ends, bool is_right) {
  if (!is_right) {
    atomic_store(&ends->is_wrong, true);
  }
  if (atomic_fetch_sub(&ends->left, 1) == 1) {
    os_gate_open(ends->gate);
  }
}

static bool is_answer(const rb_response *response) {
  int32_t answer = 0;
  if (response->len == sizeof answer) {
    memcpy(&answer, response->data, sizeof answer);
  }
  return answer == ANSWER;
}

static void tell(void *user_data, rb_event *event) {
  ends *ends = user_data;
  if (event->kind == RB_EVENT_DONE) {
    ended(ends, event->status == ends->expected && (event->status != RB_OK || is_answer(&event->response)));
  }
}

static void wait_for(const work *work, ends *ends) {
  os_gate_pass(ends->gate);
  if (atomic_load(&ends->is_wrong)) {
    failed(work, RB_OK);
  }
}

uint64_t pending_ours(work *work, uint64_t iterations) {
  ends ends = {0, false, RB_OK, os_gate_get()};
  rb_callback callback = {sizeof callback, 0, tell, &ends};
  rb_submission call = of(work, work->entry, &question, sizeof question);
  for (uint64_t left = iterations, count; left > 0; left -= count) {
    count = at_most(left, work->scenario->size);
    atomic_store(&ends.left, (unsigned)count);
    for (uint64_t i = 0; i < count; i++) {
      rb_status status = rb.start(&callback, &call, 1);
      if (status != RB_OK || call.status != RB_PENDING) {
        failed(work, status != RB_OK ? status : call.status);
      }
    }
    wait_for(work, &ends);
  }
  return 0;
}

/* What the floor is given as its handle. */
typedef struct callback {
  void (*done)(void *data, int32_t status, int32_t value);
  void *data;
} callback;

static void told_by_hand(void *data, int32_t status, int32_t value) {
  ends *ends = data;
  ended(ends, ends->expected == RB_OK ? status == 0 && value == ANSWER : status == 1);
}

uint64_t pending_floor(work *work, uint64_t iterations) {
  ends ends = {0, false, RB_OK, os_gate_get()};
  callback callback = {told_by_hand, &ends};
  for (uint64_t left = iterations, count; left > 0; left -= count) {
    count = at_most(left, work->scenario->size);
    atomic_store(&ends.left, (unsigned)count);
    for (uint64_t i = 0; i < count; i++) {
      if (work->floor(&callback, 1, (const uint8_t *)&question, sizeof question, NULL, 0, NULL) != 0) {
        failed(work, RB_INTERNAL);
      }
    }
    wait_for(work, &ends);
  }
  return 0;
}

uint64_t pending_queue(work *work, uint64_t iterations) {
  rb_queue queue = the_queue();
  rb_submission calls[MOST_CALLS];
  rb_event events[MOST_CALLS] = {{.size = sizeof events[0]}};
  uint8_t arena[4096];
  for (uint64_t i = 0; i < work->scenario->size; i++) {
    calls[i] = of(work, work->entry, &question, sizeof question);
  }
  for (uint64_t left = iterations, count; left > 0; left -= count) {
    count = at_most(left, work->scenario->size);
    rb_status status = rb.submit(queue, calls, (size_t)count);
    for (uint64_t ends = 0; ends < count;) {
      size_t fetched = 0;
      if (status == RB_OK) {
        status = rb.queue_poll(queue, events, MOST_CALLS, arena, sizeof arena, UINT64_MAX, &fetched, NULL);
      }
      for (size_t i = 0; i < fetched; i++) {
        if (events[i].kind != RB_EVENT_DONE || events[i].status != RB_OK || !is_answer(&events[i].response)) {
          failed(work, events[i].status);
        }
        rb.release(&events[i].response);
      }
      if (status != RB_OK) {
        failed(work, status);
      }
      ends += fetched;
    }
  }
  return 0;
}

/* ---- cancelled ---- */

uint64_t cancel_ours(work *work, uint64_t iterations) {
  ends ends = {0, false, RB_CANCELLED, os_gate_get()};
  rb_callback callback = {sizeof callback, 0, tell, &ends};
  rb_submission call = of(work, work->entry, NULL, 0);
  REPEAT(iterations) {
    atomic_store(&ends.left, 1);
    rb_status status = rb.start(&callback, &call, 1);
    if (status == RB_OK && call.status == RB_PENDING) {
      status = rb.cancel(call.op, NULL);
    }
    if (status != RB_OK) {
      failed(work, status);
    }
    wait_for(work, &ends);
  }
  return 0;
}

uint64_t cancel_floor(work *work, uint64_t iterations) {
  floor_function *abort_task = find_floor("abort");
  ends ends = {0, false, RB_CANCELLED, os_gate_get()};
  callback callback = {told_by_hand, &ends};
  REPEAT(iterations) {
    void *task = NULL;
    atomic_store(&ends.left, 1);
    if (work->floor(&callback, 1, NULL, 0, (uint8_t *)&task, sizeof task, NULL) != 0) {
      failed(work, RB_INTERNAL);
    }
    abort_task(task, 1, NULL, 0, NULL, 0, NULL);
    wait_for(work, &ends);
  }
  return 0;
}

/* ---- streams ---- */

/* Looks at a batch of items, whose first has that number; returns how many there are. */
typedef uint64_t look(const work *work, const rb_event *batch, uint64_t first);

static void stream(const work *work, const void *request, size_t len, uint64_t count, look *look) {
  rb_queue queue = the_queue();
  rb_submission call = of(work, work->entry, request, len);
  call.demand_items = WINDOW;
  call.demand_bytes = WINDOW_BYTES;
  rb_status status = rb.submit(queue, &call, 1);
  if (status != RB_OK || call.status != RB_PENDING) {
    failed(work, status != RB_OK ? status : call.status);
  }
  for (uint64_t seen = 0;;) {
    rb_event event = {.size = sizeof event};
    size_t fetched = 0;
    status = rb.queue_poll(queue, &event, 1, NULL, 0, UINT64_MAX, &fetched, NULL);
    if (status != RB_OK) {
      failed(work, status);
    }
    if (fetched == 1 && event.kind == RB_EVENT_DONE) {
      if (event.status != RB_OK || seen != count) {
        failed(work, event.status);
      }
      rb.release(&event.response);
      return;
    }
    if (fetched == 1) {
      uint64_t taken = look(work, &event, seen);
      uint64_t bytes = event.response.len;
      seen += taken;
      rb.release(&event.response);
      rb.demand(call.op, taken, bytes, NULL);
    }
  }
}

static uint64_t look_at_numbers(const work *work, const rb_event *batch, uint64_t first) {
  for (uint64_t i = 0; i < batch->count; i++) {
    uint64_t number;
    memcpy(&number, batch->response.data + i * sizeof number, sizeof number);
    if (number != first + i) {
      failed(work, RB_OK);
    }
  }
  return batch->count;
}

uint64_t count_ours(work *work, uint64_t iterations) {
  for (uint64_t left = iterations, count; left > 0; left -= count) {
    count = at_most(left, ITEMS);
    stream(work, &count, sizeof count, count, look_at_numbers);
  }
  return 0;
}

/* A batch a call, of as many items as ours may be on their way. */
uint64_t count_floor(work *work, uint64_t iterations) {
  uint64_t numbers[WINDOW];
  for (uint64_t left = iterations, count; left > 0; left -= count) {
    count = at_most(left, ITEMS);
    for (uint64_t range[2] = {0, count}; range[0] < count;) {
      size_t len = by_floor(work, range, sizeof range, numbers, sizeof numbers);
      for (size_t i = 0; i < len / sizeof numbers[0]; i++, range[0]++) {
        if (numbers[i] != range[0]) {
          failed(work, RB_OK);
        }
      }
    }
  }
  return 0;
}

/* A small object, of which a program in C knows that it's one. */
static inline bool is_tick(const uint8_t *item, size_t len) {
  return len > 11 && memcmp(item, "{\"number\":", 10) == 0 && item[len - 1] == '}';
}

static uint64_t look_at_ticks(const work *work, const rb_event *batch, uint64_t first) {
  const uint8_t *data = batch->response.data, *ends = data + batch->response.len - 4 * (size_t)batch->count;
  uint32_t start = 0, end = 0;
  (void)first;
  for (uint32_t i = 0; i < batch->count; i++, start = end) {
    if ((batch->flags & RB_BATCH_ENDS) != 0) {
      memcpy(&end, ends + 4 * (size_t)i, sizeof end);
    } else {
      end = start + (uint32_t)(batch->response.len / batch->count);
    }
    if (!is_tick(data + start, end - start)) {
      failed(work, RB_OK);
    }
  }
  return batch->count;
}

uint64_t ticks_ours(work *work, uint64_t iterations) {
  for (uint64_t left = iterations, count; left > 0; left -= count) {
    char request[32];
    count = at_most(left, ITEMS);
    int len = snprintf(request, sizeof request, "%llu", (unsigned long long)count);
    stream(work, request, (size_t)len, count, look_at_ticks);
  }
  return 0;
}

/* An item a call. */
uint64_t ticks_floor(work *work, uint64_t iterations) {
  for (uint64_t left = iterations, count; left > 0; left -= count) {
    count = at_most(left, ITEMS);
    for (uint64_t range[2] = {0, count}; range[0] < count; range[0]++) {
      uint8_t item[128];
      size_t len = by_floor(work, range, sizeof range, item, sizeof item);
      if (!is_tick(item, len)) {
        failed(work, RB_OK);
      }
    }
  }
  return 0;
}
