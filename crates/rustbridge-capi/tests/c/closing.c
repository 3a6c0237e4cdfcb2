/* Closing while others call, from inside calls, and what outlives it. Usage: closing PLUGIN ROUNDS. */
#include "check.h"

typedef struct caller {
  rb_instance instance;
  uint32_t entry;
  volatile long calls;
  volatile long started;
} caller;

/* Calls until it's told that the instance is gone. Every answer is either the right one or UNAVAILABLE. */
THREAD_FUNCTION(call_until_closed) {
  caller *self = (caller *)argument;
  int32_t numbers[2];
  int32_t sum[2];
  rb_response response;
  rb_status status;
  numbers[0] = 20;
  numbers[1] = 22;
  atomic_add(&self->started, 1);
  for (;;) {
    sum[0] = 0;
    response = with_buffer(sum, sizeof sum);
    status = rb_call(self->instance, self->entry, (const uint8_t *)numbers, sizeof numbers, &response);
    if (status != RB_OK) {
      CHECK_STATUS(RB_UNAVAILABLE, status, &response);
      CHECK(response.len == 0 || response.release != NULL || response.data == (uint8_t *)sum);
      rb_response_release(&response);
      THREAD_RETURN;
    }
    CHECK(sum[0] == 42 && response.len == 8 && response.release == NULL);
    atomic_add(&self->calls, 1);
  }
}

static void close_while_two_threads_call(const char *path, unsigned rounds) {
  unsigned round;
  long calls = 0;
  for (round = 0; round < rounds; round++) {
    caller self;
    thread threads[2];
    rb_response report = no_storage();
    memset(&self, 0, sizeof self);
    self.instance = load(path);
    self.entry = entry_of(self.instance, "add", RB_ENCODING_POD);
    threads[0] = start(call_until_closed, &self);
    threads[1] = start(call_until_closed, &self);
    /* Half the rounds meet both threads in full swing, the others whatever they're doing. */
    while (round % 2 == 0 && (atomic_read(&self.started) < 2 || atomic_read(&self.calls) < 10)) {
      sleep_ms(0);
    }
    CHECK_STATUS(RB_OK, rb_close(self.instance, 60000, &report), &report);
    join(threads[0]);
    join(threads[1]);
    CHECK(state_of(self.instance) == RB_STATE_CLOSED);
    CHECK(rb_close(self.instance, 0, NULL) == RB_UNAVAILABLE);
    calls += self.calls;
  }
  CHECK(calls >= (long)rounds);
}

typedef struct two_closers {
  rb_instance instance;
  volatile long closed;
} two_closers;

THREAD_FUNCTION(close_it) {
  two_closers *self = (two_closers *)argument;
  rb_status status = rb_close(self->instance, 60000, NULL);
  CHECK(status == RB_OK || status == RB_UNAVAILABLE);
  if (status == RB_OK) {
    atomic_add(&self->closed, 1);
  }
  CHECK(state_of(self->instance) == RB_STATE_CLOSED);
  THREAD_RETURN;
}

static void two_threads_close(const char *path, unsigned rounds) {
  unsigned round;
  for (round = 0; round < rounds; round++) {
    two_closers self;
    thread threads[2];
    memset(&self, 0, sizeof self);
    self.instance = load(path);
    threads[0] = start(close_it, &self);
    threads[1] = start(close_it, &self);
    join(threads[0]);
    join(threads[1]);
    CHECK(self.closed == 1);
  }
}

typedef struct sleeper {
  rb_instance instance;
  uint32_t entry;
  uint32_t ms;
  rb_status status;
} sleeper;

THREAD_FUNCTION(sleep_inside) {
  sleeper *self = (sleeper *)argument;
  self->status = call_and_release(self->instance, self->entry, &self->ms, sizeof self->ms);
  THREAD_RETURN;
}

static void a_timeout_says_what_runs(const char *path) {
  sleeper self;
  thread running;
  rb_response report = no_storage();
  self.instance = load(path);
  self.entry = entry_of(self.instance, "sleep", RB_ENCODING_RAW);
  self.ms = 400;
  self.status = 99;
  running = start(sleep_inside, &self);
  sleep_ms(100);
  CHECK_ERROR(RB_DEADLINE_EXCEEDED, rb_close(self.instance, 10, &report), &report, "sleep");
  CHECK(state_of(self.instance) == RB_STATE_CLOSING);
  CHECK(call_and_release(self.instance, self.entry, NULL, 0) == RB_UNAVAILABLE);
  CHECK(rb_close(self.instance, 0, NULL) == RB_DEADLINE_EXCEEDED);
  CHECK_STATUS(RB_OK, rb_close(self.instance, UINT64_MAX, &report), &report);
  CHECK(state_of(self.instance) == RB_STATE_CLOSED);
  join(running);
  /* The call that ran was let finish. */
  CHECK(self.status == RB_OK);
}

typedef struct inside {
  rb_instance outer;
  rb_instance other;
  uint32_t length;
  int depth;
  int reached;
} inside;

static void from_inside(void *user_data) {
  inside *self = (inside *)user_data;
  rb_response response = no_storage();
  plugin_callback again;
  uint64_t counted = 0;
  self->reached++;
  /* Closing itself would wait for itself. */
  CHECK_ERROR(RB_FAILED_PRECONDITION, rb_close(self->outer, 1000, &response), &response, "");
  CHECK(state_of(self->outer) == RB_STATE_ACTIVE);
  response = with_buffer(&counted, sizeof counted);
  CHECK(rb_call(self->outer, self->length, NULL, 0, &response) == RB_OK);
  CHECK(rb_call(self->other, self->length | RB_ENTRY_LEAF, (const uint8_t *)self, 5, &response) == RB_OK);
  CHECK(counted == 5);
  if (self->depth-- > 0) {
    again.function = from_inside;
    again.user_data = self;
    CHECK(call_and_release(self->depth % 2 ? self->outer : self->other, entry_of(self->outer, "callback", RB_ENCODING_RAW),
                           &again, sizeof again) == RB_OK);
  }
}

static void calls_inside_calls(const char *path) {
  inside self;
  plugin_callback callback;
  memset(&self, 0, sizeof self);
  self.outer = load(path);
  self.other = load(path);
  self.length = entry_of(self.outer, "length", RB_ENCODING_RAW);
  self.depth = 50;
  callback.function = from_inside;
  callback.user_data = &self;
  CHECK(call_and_release(self.outer, entry_of(self.outer, "callback", RB_ENCODING_RAW), &callback, sizeof callback) == RB_OK);
  CHECK(self.reached == 51);
  close_now(self.outer);
  close_now(self.other);
}

static void close_the_other(void *user_data) {
  inside *self = (inside *)user_data;
  close_now(self->other);
  self->reached++;
}

static void one_may_close_another_from_inside(const char *path) {
  inside self;
  plugin_callback callback;
  memset(&self, 0, sizeof self);
  self.outer = load(path);
  self.other = load(path);
  callback.function = close_the_other;
  callback.user_data = &self;
  CHECK(call_and_release(self.outer, entry_of(self.outer, "callback", RB_ENCODING_RAW), &callback, sizeof callback) == RB_OK);
  CHECK(self.reached == 1 && state_of(self.other) == RB_STATE_CLOSED);
  close_now(self.outer);
}

THREAD_FUNCTION(release_it) {
  rb_response_release((rb_response *)argument);
  THREAD_RETURN;
}

static void leases_outlive_the_instance(const char *path) {
  rb_instance instance = load(path);
  rb_response lease = no_storage();
  rb_response description = no_storage();
  CHECK(rb_call(instance, entry_of(instance, "handover", RB_ENCODING_RAW), (const uint8_t *)"kept", 4, &lease) == RB_OK);
  CHECK(rb_describe(instance, &description) == RB_OK);
  CHECK(lease.release != NULL && description.release != NULL);
  close_now(instance);
  CHECK(lease.len == 4 && memcmp(lease.data, "kept", 4) == 0);
  CHECK(contains(&description, "handover"));
  join(start(release_it, &lease));
  CHECK(lease.release == NULL && lease.data == NULL);
  rb_response_release(&description);
}

int main(int argc, char **argv) {
  unsigned rounds;
  CHECK(argc == 3);
  rounds = (unsigned)strtoul(argv[2], NULL, 10);
  close_while_two_threads_call(argv[1], rounds);
  two_threads_close(argv[1], rounds / 10);
  a_timeout_says_what_runs(argv[1]);
  calls_inside_calls(argv[1]);
  one_may_close_another_from_inside(argv[1]);
  leases_outlive_the_instance(argv[1]);
  printf("closing: ok\n");
  return 0;
}
