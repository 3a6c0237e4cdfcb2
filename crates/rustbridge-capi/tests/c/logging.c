/* Records reach the sink in order, and a sink may do what it likes. Usage: logging PLUGIN. */
#include "check.h"

typedef struct sink {
  rb_instance instance;
  uint32_t log;
  int records;
  volatile long drops;
  char seen[4096];
  void (*react)(struct sink *self);
} sink;

static void take(void *user_data, const rb_log_record *record) {
  sink *self = (sink *)user_data;
  size_t len = strlen(self->seen);
  CHECK(self->drops == 0);
  CHECK(record->size >= sizeof *record);
  CHECK(len + record->message.len + 2 < sizeof self->seen);
  memcpy(self->seen + len, record->message.data, record->message.len);
  memcpy(self->seen + len + record->message.len, ";", 2);
  self->records++;
  if (self->react != NULL) {
    void (*react)(struct sink *) = self->react;
    self->react = NULL;
    react(self);
  }
}

static void dropped(void *user_data) {
  atomic_add(&((sink *)user_data)->drops, 1);
}

static rb_log_sink as_sink(sink *self) {
  rb_log_sink made = no_sink();
  made.log = take;
  made.user_data = self;
  made.drop = dropped;
  return made;
}

static void load_logging(const char *path, sink *self, rb_level level) {
  rb_load_options options = options_for(path);
  rb_log_sink taking = as_sink(self);
  memset(self, 0, sizeof *self);
  options.log_level = level;
  options.log = &taking;
  self->instance = load_with(&options);
  self->log = entry_of(self->instance, "log", RB_ENCODING_RAW);
}

static void say(sink *self, rb_level level, const char *message) {
  char request[64];
  request[0] = (char)level;
  strcpy(request + 1, message);
  CHECK(call_and_release(self->instance, self->log, request, 1 + strlen(message)) == RB_OK);
}

static void check_first(void *user_data, const rb_log_record *record) {
  sink *self = (sink *)user_data;
  CHECK(record->level == RB_LOG_WARN && record->kind == RB_RECORD_EVENT && record->line == 42);
  CHECK(record->time_unix_ns == 1700000000000000000U && record->duration_ns == 0);
  CHECK(record->target.len == 9 && memcmp(record->target.data, "c::plugin", 9) == 0);
  CHECK(record->message.len == 5 && memcmp(record->message.data, "hello", 5) == 0);
  CHECK(record->fields.len == 13 && memcmp(record->fields.data, "{\"answer\":42}", 13) == 0);
  CHECK(record->file.len == 0 && record->spans.len == 0);
  CHECK(record->instance.len == 5 && memcmp(record->instance.data, "named", 5) == 0);
  self->records++;
}

static void a_record_arrives_whole(const char *path) {
  sink self;
  rb_log_sink sink_of = no_sink();
  rb_load_options options = options_for(path);
  memset(&self, 0, sizeof self);
  options.name = rb_text_of("named");
  options.log_level = RB_LOG_TRACE;
  sink_of.log = check_first;
  sink_of.user_data = &self;
  options.log = &sink_of;
  self.instance = load_with(&options);
  self.log = entry_of(self.instance, "log", RB_ENCODING_RAW);
  say(&self, RB_LOG_WARN, "hello");
  CHECK(rb_log_flush(self.instance, 10000, NULL) == RB_OK);
  CHECK(self.records == 1);
  close_now(self.instance);
}

static void levels_and_order(const char *path) {
  sink self;
  sink second;
  rb_log_sink next;
  load_logging(path, &self, RB_LOG_INFO);
  say(&self, RB_LOG_DEBUG, "no");
  say(&self, RB_LOG_INFO, "a");
  say(&self, RB_LOG_ERROR, "b");
  CHECK(rb_log_set_level(self.instance, RB_LOG_ERROR, NULL) == RB_OK);
  say(&self, RB_LOG_INFO, "no");
  say(&self, RB_LOG_ERROR, "c");
  CHECK(rb_log_set_level(self.instance, RB_LOG_OFF, NULL) == RB_OK);
  say(&self, RB_LOG_ERROR, "no");
  CHECK(rb_log_set_level(self.instance, RB_LOG_TRACE, NULL) == RB_OK);
  say(&self, RB_LOG_TRACE, "d");
  CHECK(rb_log_flush(self.instance, 10000, NULL) == RB_OK);
  CHECK(strcmp(self.seen, "a;b;c;d;") == 0);

  memset(&second, 0, sizeof second);
  next = as_sink(&second);
  CHECK(rb_log_set_sink(self.instance, &next, 10000, NULL) == RB_OK);
  CHECK(self.drops == 1 && second.drops == 0);
  say(&self, RB_LOG_INFO, "e");
  CHECK(rb_log_set_sink(self.instance, NULL, 10000, NULL) == RB_OK);
  CHECK(second.drops == 1);
  say(&self, RB_LOG_INFO, "nobody hears");
  /* Closing delivers what is still waiting, then drops the sink. */
  memset(&second.seen, 0, sizeof second.seen);
  second.drops = 0;
  CHECK(rb_log_set_sink(self.instance, &next, 10000, NULL) == RB_OK);
  say(&self, RB_LOG_INFO, "last");
  close_now(self.instance);
  CHECK(second.drops == 1);
  CHECK(strstr(second.seen, "last;") != NULL);
}

static void call_from_sink(sink *self) {
  rb_response response = no_storage();
  say(self, RB_LOG_INFO, "from the sink");
  CHECK(rb_describe(self->instance, &response) == RB_OK);
  rb_response_release(&response);
  CHECK(rb_log_set_level(self->instance, RB_LOG_DEBUG, NULL) == RB_OK);
  CHECK(rb_log_flush(self->instance, 10000, NULL) == RB_DEADLINE_EXCEEDED);
}

static void replace_from_sink(sink *self) {
  CHECK(rb_log_set_sink(self->instance, NULL, 10000, NULL) == RB_OK);
  CHECK(self->drops == 0);
}

static volatile long gate;

static void wait_for_gate(void) {
  while (atomic_read(&gate) == 0) {
    sleep_ms(1);
  }
}

static void close_from_sink(sink *self) {
  wait_for_gate();
  close_now(self->instance);
  CHECK(self->drops == 0);
}

static void wait_for_drop(sink *self) {
  int waited;
  for (waited = 0; waited < 10000 && atomic_read(&self->drops) == 0; waited++) {
    sleep_ms(1);
  }
  CHECK(atomic_read(&self->drops) == 1);
}

static void sinks_may_come_back(const char *path) {
  sink self;
  load_logging(path, &self, RB_LOG_INFO);
  self.react = call_from_sink;
  say(&self, RB_LOG_INFO, "first");
  CHECK(rb_log_flush(self.instance, 10000, NULL) == RB_OK);
  CHECK(rb_log_flush(self.instance, 10000, NULL) == RB_OK);
  CHECK(strcmp(self.seen, "first;from the sink;") == 0);
  self.react = replace_from_sink;
  say(&self, RB_LOG_INFO, "bye");
  CHECK(rb_log_flush(self.instance, 10000, NULL) == RB_OK);
  wait_for_drop(&self);
  close_now(self.instance);

  /* What waits behind the record that closes is not delivered any more. */
  gate = 0;
  load_logging(path, &self, RB_LOG_INFO);
  self.react = close_from_sink;
  say(&self, RB_LOG_INFO, "close");
  say(&self, RB_LOG_INFO, "waits");
  atomic_add(&gate, 1);
  wait_for_drop(&self);
  CHECK(strcmp(self.seen, "close;") == 0);
  CHECK(state_of(self.instance) == RB_STATE_CLOSED);
}

static void slow(void *user_data, const rb_log_record *record) {
  (void)record;
  wait_for_gate();
  ((sink *)user_data)->records++;
}

static void a_sink_that_does_not_return_is_replaced_in_time(const char *path) {
  sink old;
  sink next;
  rb_log_sink sink_of = no_sink();
  rb_log_sink next_of;
  rb_load_options options = options_for(path);
  rb_response error = no_storage();
  rb_instance instance;
  uint32_t log;
  memset(&old, 0, sizeof old);
  memset(&next, 0, sizeof next);
  gate = 0;
  options.log_level = RB_LOG_INFO;
  sink_of.log = slow;
  sink_of.user_data = &old;
  sink_of.drop = dropped;
  options.log = &sink_of;
  instance = load_with(&options);
  log = entry_of(instance, "log", RB_ENCODING_RAW);
  CHECK(call_and_release(instance, log, "\003first", 6) == RB_OK);
  CHECK(rb_log_flush(instance, 100, NULL) == RB_DEADLINE_EXCEEDED);
  next_of = as_sink(&next);
  CHECK_ERROR(RB_DEADLINE_EXCEEDED, rb_log_set_sink(instance, &next_of, 1, &error), &error, "log sink");
  CHECK(call_and_release(instance, log, "\003second", 7) == RB_OK);
  CHECK(old.drops == 0 && next.drops == 0 && next.records == 0);
  CHECK_ERROR(RB_DEADLINE_EXCEEDED, rb_log_set_sink(instance, NULL, 0, &error), &error, "log sink");
  CHECK(next.drops == 1 && next.records == 0);
  CHECK(rb_close(instance, 1, NULL) == RB_DEADLINE_EXCEEDED);
  atomic_add(&gate, 1);
  close_now(instance);
  CHECK(old.drops == 1 && old.records == 1);
}

static void a_full_queue_drops_and_says_so(const char *path) {
  sink self;
  rb_log_sink sink_of = no_sink();
  rb_load_options options = options_for(path);
  rb_response response = no_storage();
  int sent;
  memset(&self, 0, sizeof self);
  gate = 0;
  options.log_level = RB_LOG_INFO;
  options.log_capacity = 8;
  sink_of.log = slow;
  sink_of.user_data = &self;
  options.log = &sink_of;
  self.instance = load_with(&options);
  self.log = entry_of(self.instance, "log", RB_ENCODING_RAW);
  for (sent = 0; sent < 1000; sent++) {
    say(&self, RB_LOG_INFO, "flood");
  }
  CHECK(rb_log_flush(self.instance, 1, NULL) == RB_DEADLINE_EXCEEDED);
  CHECK(rb_inspect(&response) == RB_OK);
  CHECK(contains(&response, "dropped"));
  rb_response_release(&response);
  atomic_add(&gate, 1);
  CHECK(rb_log_flush(self.instance, 10000, NULL) == RB_OK);
  /* Eight waited, one or two were on their way, and one says how many are missing. */
  CHECK(self.records >= 8 && self.records < 100);
  close_now(self.instance);
}

static void a_level_is_remembered_for_the_sink_that_comes(const char *path) {
  sink self;
  rb_log_sink late;
  rb_load_options options = options_for(path);
  memset(&self, 0, sizeof self);
  options.log_level = RB_LOG_WARN;
  self.instance = load_with(&options);
  self.log = entry_of(self.instance, "log", RB_ENCODING_RAW);
  say(&self, RB_LOG_ERROR, "nobody hears");
  late = as_sink(&self);
  CHECK(rb_log_set_sink(self.instance, &late, 10000, NULL) == RB_OK);
  say(&self, RB_LOG_INFO, "no");
  say(&self, RB_LOG_WARN, "yes");
  close_now(self.instance);
  CHECK(strcmp(self.seen, "yes;") == 0 && self.drops == 1);
}

static void instances_are_apart(const char *path) {
  sink one;
  sink two;
  load_logging(path, &one, RB_LOG_INFO);
  load_logging(path, &two, RB_LOG_ERROR);
  say(&one, RB_LOG_INFO, "one");
  say(&two, RB_LOG_INFO, "no");
  say(&two, RB_LOG_ERROR, "two");
  close_now(one.instance);
  close_now(two.instance);
  CHECK(strcmp(one.seen, "one;") == 0 && strcmp(two.seen, "two;") == 0);
  CHECK(one.drops == 1 && two.drops == 1);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  a_record_arrives_whole(argv[1]);
  levels_and_order(argv[1]);
  sinks_may_come_back(argv[1]);
  a_full_queue_drops_and_says_so(argv[1]);
  a_sink_that_does_not_return_is_replaced_in_time(argv[1]);
  a_level_is_remembered_for_the_sink_that_comes(argv[1]);
  instances_are_apart(argv[1]);
  printf("logging: ok\n");
  return 0;
}
