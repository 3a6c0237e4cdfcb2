/* Threads that the host's own system made come, call and end, and what was kept for each is used again. Usage: threads PLUGIN. */
#include "check.h"

typedef struct caller {
  rb_instance instance;
  uint32_t entry;
} caller;

THREAD_FUNCTION(call_twice_and_end) {
  caller *self = (caller *)argument;
  int32_t numbers[2];
  int32_t sum[2];
  rb_response response;
  int call;
  for (call = 0; call < 2; call++) {
    numbers[0] = 20;
    numbers[1] = 22;
    response = with_buffer(sum, sizeof sum);
    CHECK_STATUS(RB_OK, rb_call(self->instance, self->entry, (const uint8_t *)numbers, sizeof numbers, &response),
                 &response);
    CHECK(sum[0] == 42);
  }
  THREAD_RETURN;
}

/* The most threads that ever called at the same time, as the ledger says. */
static long threads_at_once(void) {
  rb_response response = no_storage();
  const char *text = "\"threads\":";
  size_t at;
  long found = -1;
  CHECK(rb_inspect(&response) == RB_OK);
  for (at = 0; at + strlen(text) < response.len; at++) {
    if (memcmp(response.data + at, text, strlen(text)) == 0) {
      found = strtol((const char *)response.data + at + strlen(text), NULL, 10);
    }
  }
  rb_response_release(&response);
  return found;
}

int main(int argc, char **argv) {
  caller self;
  int round;
  CHECK(argc == 2);
  self.instance = load(argv[1]);
  self.entry = entry_of(self.instance, "add", RB_ENCODING_POD);
  for (round = 0; round < 500; round++) {
    thread threads[4];
    int index;
    for (index = 0; index < 4; index++) {
      threads[index] = start(call_twice_and_end, &self);
    }
    for (index = 0; index < 4; index++) {
      join(threads[index]);
    }
  }
  /* Four at once, and this one. A thread that was waited for may still be at its very end. */
  CHECK(threads_at_once() >= 1 && threads_at_once() <= 16);
  close_now(self.instance);
  printf("threads: ok\n");
  return 0;
}
