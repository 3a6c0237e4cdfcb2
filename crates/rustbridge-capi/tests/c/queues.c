/* Queues: every argument that makes no sense, arenas of every size, bells, and who fetches. Usage: queues PUPPET. */
#include "operations.h"

#if !defined(_WIN32)
#include <poll.h>
#endif

static void arguments(rb_queue queue) {
  rb_queue wrong[] = {0, 1, 12345, UINT64_MAX, 0};
  rb_event events[2];
  rb_event *misaligned = (rb_event *)(void *)((char *)events + 4);
  uint8_t arena[64];
  rb_response error = no_storage();
  ptrdiff_t descriptor = 99;
  size_t count = 99, i;
  uint32_t size;
  wrong[4] = new_queue();
  close_queue(wrong[4]);
  memset(events, 0, sizeof events);
  events[0].size = sizeof events[0];
  for (i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    CHECK_ERROR(RB_INVALID_ARGUMENT, rb_queue_close(wrong[i], &error), &error, "rustbridge.InvalidQueue");
    CHECK_ERROR(RB_INVALID_ARGUMENT, rb_queue_wake(wrong[i], &error), &error, "rustbridge.InvalidQueue");
    CHECK_ERROR(RB_INVALID_ARGUMENT, rb_queue_fd(wrong[i], &descriptor, &error), &error, "rustbridge.InvalidQueue");
    CHECK(descriptor == -1);
    CHECK_ERROR(RB_INVALID_ARGUMENT, rb_queue_poll(wrong[i], events, 1, NULL, 0, UINT64_MAX, &count, &error), &error,
                "rustbridge.InvalidQueue");
    CHECK(count == 0);
    CHECK(rb_queue_close(wrong[i], NULL) == RB_INVALID_ARGUMENT && rb_queue_wake(wrong[i], NULL) == RB_INVALID_ARGUMENT);
    CHECK(rb_queue_fd(wrong[i], &descriptor, NULL) == RB_INVALID_ARGUMENT);
    CHECK(rb_queue_poll(wrong[i], events, 1, NULL, 0, 0, &count, NULL) == RB_INVALID_ARGUMENT);
  }
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_queue_new(NULL, &error), &error, "queue is null");
  CHECK(rb_queue_new(NULL, NULL) == RB_INVALID_ARGUMENT);
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_queue_fd(queue, NULL, &error), &error, "descriptor is null");

#define REFUSED(events, capacity, arena, len, count, text) \
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_queue_poll(queue, events, capacity, arena, len, UINT64_MAX, count, &error), &error, text)
  REFUSED(events, 2, arena, sizeof arena, NULL, "count is null");
  REFUSED(NULL, 2, arena, sizeof arena, &count, "events is null");
  REFUSED(misaligned, 1, arena, sizeof arena, &count, "aligned");
  REFUSED(events, 2, NULL, 1, &count, "arena is null");
  REFUSED(events, 2, arena, SIZE_MAX, &count, "PTRDIFF_MAX");
  for (size = 0; size < EVENT_1_0; size += 25) {
    events[0].size = size;
    REFUSED(events, 1, arena, sizeof arena, &count, "sizeof(rb_event)");
  }
  events[0].size = EVENT_1_0 - 1;
  REFUSED(events, 1, arena, sizeof arena, &count, "sizeof(rb_event)");
  events[0].size = sizeof events[0] + 4; /* The next one would lie where none can. */
  REFUSED(events, 1, arena, sizeof arena, &count, "sizeof(rb_event)");
  CHECK(count == 0);
}

static void arenas(rb_instance puppet, rb_queue queue) {
  static uint8_t arena[4096];
  rb_event events[4];
  size_t count, i;
  rb_op ops[4];
  /* No room for an event fetches none, and doesn't wait. */
  ops[0] = begin(queue, puppet, "begin", 0);
  CHECK(finish(puppet, ops[0], RB_OK, 0, 0) == RB_OK);
  CHECK(rb_queue_poll(queue, NULL, 0, NULL, 0, UINT64_MAX, &count, NULL) == RB_OK && count == 0);
  ends_with(queue, ops[0], RB_OK);

#define FOUR(len)                                             \
  for (i = 0; i < 4; i++) {                                   \
    ops[i] = begin(queue, puppet, "begin", i);                \
    CHECK(finish(puppet, ops[i], RB_OK, len, i % 2) == RB_OK); \
  }
#define IN_ARENA(event) ((event).response.release == NULL && (event).response.data >= arena && \
                         (event).response.data + (event).response.len <= arena + sizeof arena)
  /* Whatever fits is in there, each where a number may be. */
  FOUR(300)
  CHECK(fetch(queue, events, 4, arena, sizeof arena) == 4);
  for (i = 0; i < 4; i++) {
    CHECK(IN_ARENA(events[i]) && events[i].response.len == 300 && events[i].user_data == i);
    CHECK((events[i].response.data - arena) % 8 == 0 && events[i].response.data[299] == 'x');
    CHECK(i == 0 || events[i].response.data >= events[i - 1].response.data + 300);
  }
  CHECK(seen_by(puppet).leases == 0);
  /* What doesn't fit ends the batch, and comes first the next time. */
  FOUR(300)
  CHECK(fetch(queue, events, 4, arena, 700) == 2 && IN_ARENA(events[0]) && IN_ARENA(events[1]));
  CHECK(fetch(queue, events, 4, arena, 603) == 1 && IN_ARENA(events[0])); /* 300 and 4 to the next number leave 299 */
  CHECK(fetch(queue, events, 4, arena, 300) == 1 && IN_ARENA(events[0]) && events[0].user_data == 3);
  /* What would fit nowhere is handed over, one for each time; so nobody has to have room for the largest. */
  FOUR(300)
  for (i = 0; i < 4; i++) {
    CHECK(fetch(queue, events, 4, arena, 299) == 1);
    CHECK(events[0].response.release != NULL && events[0].response.len == 300 && events[0].user_data == i);
    release_event(&events[0]);
  }
  CHECK(seen_by(puppet).leases == 0);
  /* Without an arena all are handed over, small ones too. */
  FOUR(3)
  CHECK(fetch(queue, events, 4, NULL, 0) == 4);
  for (i = 0; i < 4; i++) {
    CHECK(events[i].response.release != NULL && events[i].response.len == 3);
    release_event(&events[i]);
  }
  FOUR(0)
  CHECK(fetch(queue, events, 4, NULL, 0) == 4 && events[3].response.release == NULL);
  nothing_left(puppet);
}

/* Events of a later version are longer. What this library doesn't know of them is zero, and what it does isn't ours to know. */
static void longer_events(rb_instance puppet, rb_queue queue) {
  struct {
    rb_event known;
    uint64_t later;
  } longer[3];
  rb_op op = begin(queue, puppet, "begin", 0), other = begin(queue, puppet, "begin", 1);
  size_t count;
  CHECK(finish(puppet, op, RB_OK, 0, 0) == RB_OK && finish(puppet, other, RB_OK, 0, 0) == RB_OK);
  memset(longer, 0xff, sizeof longer);
  longer[0].known.size = sizeof longer[0];
  CHECK(rb_queue_poll(queue, &longer[0].known, 3, NULL, 0, UINT64_MAX, &count, NULL) == RB_OK && count == 2);
  CHECK(longer[0].known.size == sizeof longer[0] && longer[1].known.size == sizeof longer[0]);
  CHECK(longer[0].known.op == op && longer[1].known.op == other && longer[0].later == longer[1].later);
  CHECK(longer[0].later != UINT64_MAX && longer[2].later == UINT64_MAX);
}

/* Whether the queue's bell rings. */
static int rings(rb_queue queue) {
  ptrdiff_t descriptor = -1;
  CHECK(rb_queue_fd(queue, &descriptor, NULL) == RB_OK && descriptor != -1);
#if defined(_WIN32)
  return WaitForSingleObject((HANDLE)descriptor, 0) == WAIT_OBJECT_0;
#else
  {
    struct pollfd watched;
    watched.fd = (int)descriptor;
    watched.events = POLLIN;
    return poll(&watched, 1, 0) == 1;
  }
#endif
}

static void bells(rb_instance puppet) {
  rb_queue queue = new_queue();
  rb_op first = begin(queue, puppet, "begin", 0), second = begin(queue, puppet, "begin", 1);
  rb_event events[1];
  rb_op late;
  size_t count;
  CHECK(!rings(queue));
  CHECK(finish(puppet, first, RB_OK, 0, 0) == RB_OK && rings(queue) && rings(queue));
  CHECK(finish(puppet, second, RB_OK, 0, 0) == RB_OK);
  /* As long as there's more it rings, and not after. */
  CHECK(fetch(queue, events, 1, NULL, 0) == 1 && rings(queue));
  CHECK(fetch(queue, events, 1, NULL, 0) == 1);
  no_event(queue);
  CHECK(!rings(queue));
  late = begin(queue, puppet, "begin", 2);
  CHECK(!rings(queue) && finish(puppet, late, RB_OK, 0, 0) == RB_OK && rings(queue));
  ends_with(queue, late, RB_OK);
  no_event(queue);
  /* Woken: rings, and returns once without an event, also where it would wait for good. */
  CHECK(rb_queue_wake(queue, NULL) == RB_OK && rings(queue));
  CHECK(rb_queue_poll(queue, events, 1, NULL, 0, UINT64_MAX, &count, NULL) == RB_OK && count == 0);
  CHECK(!rings(queue));
  CHECK(rb_queue_poll(queue, events, 1, NULL, 0, 5, &count, NULL) == RB_OK && count == 0);
  close_queue(queue);
  /* One whose first look at its bell comes late. */
  queue = new_queue();
  late = begin(queue, puppet, "begin", 3);
  CHECK(finish(puppet, late, RB_OK, 0, 0) == RB_OK && rings(queue));
  close_queue(queue);
  nothing_left(puppet);
}

typedef struct drainer {
  rb_queue queue;
  uint64_t timeout;
  volatile long begun;
  rb_status status;
  size_t count;
} drainer;

THREAD_FUNCTION(drain) {
  drainer *self = (drainer *)argument;
  rb_event events[1];
  events[0].size = sizeof events[0];
  atomic_add(&self->begun, 1);
  do {
    /* Who looks whether we are in may be in itself for a moment. */
    self->status = rb_queue_poll(self->queue, events, 1, NULL, 0, self->timeout, &self->count, NULL);
  } while (self->status == RB_ABORTED);
  THREAD_RETURN;
}

/* Until the other thread is in there, as it's said of it. */
static void wait_for_drainer(drainer *other) {
  rb_event events[1];
  size_t count;
  while (atomic_read(&other->begun) == 0) {
    sleep_ms(1);
  }
  events[0].size = sizeof events[0];
  while (rb_queue_poll(other->queue, events, 1, NULL, 0, 0, &count, NULL) != RB_ABORTED) {
    sleep_ms(1);
  }
}

static void drainers(rb_instance puppet) {
  static const uint64_t timeouts[] = {UINT64_MAX, UINT64_MAX - 1, UINT64_MAX / 1000, 3600000};
  size_t i;
  for (i = 0; i < sizeof timeouts / sizeof timeouts[0]; i++) {
    drainer other;
    thread running;
    rb_op op;
    rb_event events[1];
    rb_response error = no_storage();
    size_t count = 99;
    memset(&other, 0, sizeof other);
    other.queue = new_queue();
    other.timeout = timeouts[i];
    op = begin(other.queue, puppet, "begin", 0);

    running = start(drain, &other);
    wait_for_drainer(&other);
    events[0].size = sizeof events[0];
    CHECK_ERROR(RB_ABORTED, rb_queue_poll(other.queue, events, 1, NULL, 0, UINT64_MAX, &count, &error), &error,
                "rustbridge.ConcurrentPoll");
    CHECK(count == 0);
    CHECK(finish(puppet, op, RB_OK, 0, 0) == RB_OK);
    join(running);
    CHECK(other.status == RB_OK && other.count == 1);

    other.begun = 0;
    running = start(drain, &other);
    wait_for_drainer(&other);
    CHECK(rb_queue_wake(other.queue, NULL) == RB_OK);
    join(running);
    CHECK(other.status == RB_OK && other.count == 0);

    other.begun = 0;
    running = start(drain, &other);
    wait_for_drainer(&other);
    close_queue(other.queue);
    join(running);
    CHECK(other.status == RB_INVALID_ARGUMENT && other.count == 0);
  }
}

/* Who fetches may close the instance that it has fetched of. */
static void closed_by_its_drainer(const char *path) {
  rb_instance puppet = load(path);
  rb_queue queue = new_queue();
  rb_op op = begin(queue, puppet, "begin", 0);
  CHECK(finish(puppet, op, RB_OK, 1000, 1) == RB_OK);
  {
    rb_event event = one_event(queue, RB_EVENT_DONE, op);
    close_now(puppet);
    CHECK(event.response.data[999] == 'x');
    release_event(&event);
  }
  close_queue(queue);
}

/* Numbers aren't used twice, and what is closed makes room. */
static void many(void) {
  rb_queue first = new_queue(), last = first;
  int i;
  close_queue(first);
  for (i = 0; i < 70000; i++) {
    last = new_queue();
    CHECK(last != first);
    close_queue(last);
  }
}

int main(int argc, char **argv) {
  rb_instance puppet;
  rb_queue queue;
  CHECK(argc == 2);
  puppet = load(argv[1]);
  queue = new_queue();
  arguments(queue);
  arenas(puppet, queue);
  longer_events(puppet, queue);
  no_event(queue);
  close_queue(queue);
  bells(puppet);
  drainers(puppet);
  nothing_left(puppet);
  close_now(puppet);
  closed_by_its_drainer(argv[1]);
  many();
  printf("queues: ok\n");
  return 0;
}
