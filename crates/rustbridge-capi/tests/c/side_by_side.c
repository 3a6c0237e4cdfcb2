/*
 * What the guides that go side by side show of C: `cargo xtask tidy` looks for it here.
 * Usage: side_by_side HELLO OPERATIONS CONFORMANCE, the paths of three plugins.
 */
#include "check.h"

static rb_method prepared(rb_instance plugin, const char *name, rb_encoding encoding) {
  rb_method method = {.size = sizeof method};
  rb_response error = {0};
  CHECK_STATUS(RB_OK, rb_prepare(plugin, rb_text_of(name), encoding, &method, &error), &error);
  return method;
}

static void a_call_that_fails(rb_instance hello) {
  rb_method add = prepared(hello, "math.add", RB_ENCODING_JSON);
  const char request[] = "{\"a\":9223372036854775807,\"b\":1}";
  rb_response answer = {0};
  rb_status status = rb_call(hello, add.entry, (const uint8_t *)request, sizeof request - 1, &answer);
  if (status == RB_OUT_OF_RANGE) { /* the payload is JSON: code, message, type, details */
    printf("%s: %.*s\n", rb_status_name(status), (int)answer.len, (const char *)answer.data);
  }
  CHECK(status == RB_OUT_OF_RANGE && contains(&answer, "MathError.Overflow"));
  rb_response_release(&answer);
}

static void a_stream_that_breaks(rb_instance plugin) {
  rb_method numbers = prepared(plugin, "stream.numbers", RB_ENCODING_JSON);
  const char request[] = "{\"from\":0,\"to\":5,\"fail_at\":3}";
  rb_queue queue = 0;
  int count = 0, ended = 0;
  CHECK(rb_queue_new(&queue, NULL) == RB_OK);
  rb_submission stream = {.size = sizeof stream, .instance = plugin, .entry = numbers.entry,
                          .request = (const uint8_t *)request, .request_len = sizeof request - 1,
                          .demand_items = 100, .demand_bytes = 100000};
  rb_submit(queue, &stream, 1);
  CHECK(stream.status == RB_PENDING);
  while (!ended) {
    rb_event event = {.size = sizeof event};
    size_t events = 0;
    CHECK(rb_queue_poll(queue, &event, 1, NULL, 0, 60000, &events, NULL) == RB_OK && events == 1);
    if (event.kind == RB_EVENT_ITEMS) {
      count += (int)event.count;
    } else if (event.kind == RB_EVENT_DONE) { /* any status but OK: the sequence is incomplete */
      printf("%d items, then %s\n", count, rb_status_name(event.status));
      ended = 1;
      CHECK(event.status == RB_DATA_LOSS);
    }
    rb_response_release(&event.response);
  }
  CHECK(count == 3);
  rb_queue_close(queue, NULL);
}

static int told;

static void log_record(void *user_data, const rb_log_record *record) {
  fprintf((FILE *)user_data, "%.*s %.*s\n", (int)record->message.len, record->message.data, (int)record->fields.len,
          record->fields.data);
  told++; /* the library calls one at a time, and `rb_log_flush` waits for the last */
}

static void records(const char *path) {
  rb_instance users;
  rb_response error = {0};
  rb_log_sink sink = {.size = sizeof sink, .log = log_record, .user_data = stdout};
  rb_load_options options = {.size = sizeof options, .path = rb_text_of(path), .name = rb_text_of("users"),
                             .log = &sink, .log_level = RB_LOG_DEBUG};
  CHECK_STATUS(RB_OK, rb_load(&options, &users, &error), &error);
  rb_method create = prepared(users, "user.create", RB_ENCODING_JSON);
  const char request[] = "{\"username\":\"ada\",\"email\":\"b\"}";
  uint8_t storage[256];
  rb_response answer = {.data = storage, .capacity = sizeof storage};
  CHECK(rb_call(users, create.entry, (const uint8_t *)request, sizeof request - 1, &answer) == RB_OK);
  rb_log_flush(users, 1000, NULL);                /* waits until all so far was delivered */
  rb_log_set_level(users, RB_LOG_WARN, NULL);     /* takes effect at once */
  CHECK(told == 1);
  rb_response_release(&answer);
  CHECK(rb_close(users, 60000, NULL) == RB_OK);
}

static void without_copies(rb_instance hello, rb_instance plugin) {
  rb_method add = prepared(hello, "math.add", RB_ENCODING_POD);
  struct { int64_t a, b; } numbers = {40, 2};
  int64_t sum = 0;
  rb_response answer = {.data = (uint8_t *)&sum, .capacity = sizeof sum};
  rb_call(hello, add.entry | RB_ENTRY_LEAF, (const uint8_t *)&numbers, sizeof numbers, &answer);
  CHECK(sum == 42);
  rb_response_release(&answer);

  rb_method fill = prepared(plugin, "raw.fill", RB_ENCODING_RAW);
  rb_response lent = {0}; /* no storage: whatever the answer's size, it stays in the plugin */
  if (rb_call(plugin, fill.entry, (const uint8_t *)"100000", 6, &lent) == RB_OK) {
    fwrite(lent.data + lent.len - 10, 1, 0, stdout); /* as long as it isn't released */
  }
  CHECK(lent.len == 100000 && lent.release != NULL && lent.data[251] == 0);
  rb_response_release(&lent);
}

int main(int argc, char **argv) {
  CHECK(argc == 4);
  rb_instance hello = load(argv[1]), operations = load(argv[2]);
  rb_load_options options = options_for(argv[3]);
  static const char config[] = "{\"label\":\"c\"}";
  options.config = (const uint8_t *)config;
  options.config_len = sizeof config - 1;
  rb_instance conformance = load_with(&options);
  a_call_that_fails(hello);
  a_stream_that_breaks(operations);
  records(argv[1]);
  without_copies(hello, conformance);
  close_now(hello);
  close_now(operations);
  close_now(conformance);
  printf("side by side: ok\n");
  return 0;
}
