/* The program ends while threads call, records wait for the sink and an instance is open: nobody tidies up, and the
 * process ends at once with the status that main returned. Usage: ending PLUGIN [calm]; calm allocates nothing meanwhile. */
#include "check.h"

typedef struct caller {
  rb_instance instance;
  uint32_t entry;
  const uint8_t *request;
  size_t len;
  volatile long calls;
} caller;

THREAD_FUNCTION(call_for_ever) {
  caller *self = (caller *)argument;
  for (;;) {
    call_and_release(self->instance, self->entry, self->request, self->len);
    atomic_add(&self->calls, 1);
  }
  THREAD_RETURN;
}

static void slow_sink(void *user_data, const rb_log_record *record) {
  (void)record;
  atomic_add((volatile long *)user_data, 1);
  sleep_ms(1);
}

static void wait_for_calls(caller *callers, int count) {
  int index;
  for (index = 0; index < count; index++) {
    while (atomic_read(&callers[index].calls) < 100) {
      sleep_ms(1);
    }
  }
}

int main(int argc, char **argv) {
  static caller callers[4];
  static volatile long records;
  static const int32_t numbers[2] = {20, 22};
  rb_load_options options;
  rb_log_sink sink = no_sink();
  rb_instance instance;
  int is_calm;
  int count;
  int index;
  CHECK(argc == 2 || argc == 3);
  is_calm = argc == 3;
  count = is_calm ? 2 : 4;
  options = options_for(argv[1]);
  options.log_level = RB_LOG_TRACE;
  sink.log = slow_sink;
  sink.user_data = (void *)&records;
  options.log = &sink;
  instance = load_with(&options);
  for (index = 0; index < count; index++) {
    callers[index].instance = instance;
  }
  callers[0].entry = callers[1].entry = entry_of(instance, "add", RB_ENCODING_POD);
  callers[0].request = callers[1].request = (const uint8_t *)numbers;
  callers[0].len = callers[1].len = sizeof numbers;
  if (!is_calm) {
    callers[2].entry = entry_of(instance, "handover", RB_ENCODING_RAW);
    callers[2].request = (const uint8_t *)"text";
    callers[2].len = 4;
    callers[3].entry = entry_of(instance, "log", RB_ENCODING_RAW);
    callers[3].request = (const uint8_t *)"\1message";
    callers[3].len = 8;
  }
  for (index = 0; index < count; index++) {
    start(call_for_ever, &callers[index]);
  }
  wait_for_calls(callers, count);
  while (!is_calm && atomic_read(&records) == 0) {
    sleep_ms(1);
  }
  printf("ending: ok\n");
  fflush(stdout);
  return 7;
}
