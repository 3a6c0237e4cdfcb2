/* Calls that are begun, by queues and by functions, rightly and in every wrong way. Usage: operations PUPPET. */
#include "operations.h"

static void arguments(rb_instance puppet, rb_queue queue) {
  rb_submission submission = submission_of(puppet, entry_of(puppet, "begin", RB_ENCODING_RAW), NULL, 0, 1);
  uint64_t memory[sizeof(rb_submission) / 8 + 1];
  rb_submission *misaligned = (rb_submission *)(void *)((char *)memory + 4);
  rb_callback callback;
  uint32_t size;

  CHECK(rb_submit(queue, NULL, 0) == RB_OK);
  CHECK(rb_submit(queue, NULL, 1) == RB_INVALID_ARGUMENT);
  memcpy((void *)misaligned, &submission, sizeof submission);
  CHECK(rb_submit(queue, misaligned, 1) == RB_INVALID_ARGUMENT);
  for (size = 0; size < SUBMISSION_1_0; size += size < 112 ? 16 : 1) {
    submission.size = size;
    CHECK(rb_submit(queue, &submission, 1) == RB_INVALID_ARGUMENT);
  }
  submission.size = sizeof submission + 4; /* The next one would lie where none can. */
  CHECK(rb_submit(queue, &submission, 1) == RB_INVALID_ARGUMENT);
  submission.size = sizeof submission;

  memset(&callback, 0, sizeof callback);
  callback.size = sizeof callback;
  CHECK(rb_submit_callback(&callback, &submission, 1) == RB_INVALID_ARGUMENT); /* without a function */
  CHECK(rb_submit_callback(NULL, &submission, 1) == RB_INVALID_ARGUMENT);
  memcpy((void *)misaligned, &callback, sizeof callback);
  CHECK(rb_submit_callback((const rb_callback *)(void *)misaligned, &submission, 1) == RB_INVALID_ARGUMENT);
  callback.size = CALLBACK_1_0 - 1;
  CHECK(rb_submit_callback(&callback, &submission, 1) == RB_INVALID_ARGUMENT);
  CHECK(submission.op == 77 && submission.status == 0);
  nothing_left(puppet);
}

static void every_function_with_a_wrong_operation(rb_instance puppet, rb_queue queue) {
  rb_op stale = begin(queue, puppet, "begin", 0);
  rb_op wrong[] = {0, 1, 12345, UINT64_MAX, UINT64_MAX >> 1, 0};
  rb_batch batch = batch_of("x", 1, 1, 0);
  rb_response error = no_storage();
  size_t i;
  CHECK(finish(puppet, stale, RB_OK, 0, 0) == RB_OK);
  ends_with(queue, stale, RB_OK);
  wrong[5] = stale;
  for (i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    rb_op op = wrong[i];
    CHECK_ERROR(RB_NOT_FOUND, rb_op_cancel(op, &error), &error, "rustbridge.NoSuchOperation");
    CHECK_ERROR(RB_NOT_FOUND, rb_op_detach(op, &error), &error, "rustbridge.NoSuchOperation");
    CHECK_ERROR(RB_NOT_FOUND, rb_op_write(op, &batch, &error), &error, "rustbridge.NoSuchOperation");
    CHECK_ERROR(RB_NOT_FOUND, rb_op_end(op, RB_OK, NULL, 0, &error), &error, "rustbridge.NoSuchOperation");
    CHECK(rb_op_cancel(op, NULL) == RB_NOT_FOUND && rb_op_detach(op, NULL) == RB_NOT_FOUND);
    CHECK(rb_op_write(op, &batch, NULL) == RB_NOT_FOUND && rb_op_end(op, RB_OK, NULL, 0, NULL) == RB_NOT_FOUND);
    /* What the plugin says of it isn't believed either. */
    CHECK(finish(puppet, op, RB_OK, 1000, 1) == RB_NOT_FOUND);
    CHECK(emit(puppet, op, &batch) == RB_NOT_FOUND);
    CHECK(want(puppet, op, 1, 1) == RB_NOT_FOUND);
    if (op != stale) {
      CHECK_ERROR(RB_NOT_FOUND, rb_op_demand(op, 1, 1, &error), &error, "rustbridge.NoSuchOperation");
    }
  }
  /* To take more of one that's over isn't wrong: its end may be fetched and not looked at. */
  CHECK(rb_op_demand(stale, 1, 1, &error) == RB_OK && error.len == 0);
  nothing_left(puppet);
}

/* Of several, each has its own end, and a bad one in the midst keeps none from being begun. */
static void several_at_once(rb_instance puppet, rb_queue queue, rb_instance closed) {
  enum { COUNT = 16 };
  rb_submission all[COUNT];
  uint32_t pending = entry_of(puppet, "begin", RB_ENCODING_RAW);
  uint32_t now = entry_of(puppet, "now", RB_ENCODING_RAW);
  uint32_t echo = entry_of(puppet, "echo", RB_ENCODING_RAW);
  rb_call_context short_header, late, of_later;
  uint8_t storage[8], tiny[2];
  rb_event events[3];
  int i;
  memset(&short_header, 0, sizeof short_header);
  of_later = late = short_header;
  short_header.size = HEADER_1_0 - 1;
  late.size = of_later.size = sizeof late;
  late.flags = RB_CONTEXT_TIMEOUT;
  of_later.flags = 0x80000000U;
  for (i = 0; i < COUNT; i++) {
    all[i] = submission_of(puppet, pending, NULL, 0, (uint64_t)i);
  }
  all[1].entry ^= 0x00010000U;
  all[2].instance = 12345;
  all[3].instance = closed;
  all[4].request_len = 1;
  all[5].request_len = SIZE_MAX;
  all[6].response.capacity = 100;
  all[7].call_context = &short_header;
  all[8].call_context = &late;
  all[9].call_context = &of_later;
  all[10].entry = entry_of(puppet, "four", RB_ENCODING_POD);
  all[10].request = (const uint8_t *)"abc";
  all[10].request_len = 3;
  all[11].entry |= RB_ENTRY_LEAF;
  all[12] = submission_of(puppet, now, "at once", 7, 12);
  all[12].response = with_buffer(storage, sizeof storage);
  all[13] = submission_of(puppet, echo | RB_ENTRY_SHARED, "echoed", 6, 13);
  all[13].response = with_buffer(tiny, sizeof tiny);
  all[14].entry |= RB_ENTRY_SHARED;
  CHECK(rb_submit(queue, all, COUNT) == RB_OK);

  for (i = 0; i < COUNT; i++) {
    int begun = i == 0 || i == 14 || i == 15;
    CHECK((all[i].status == RB_PENDING) == begun && (all[i].op != 0) == begun);
    CHECK(all[i].size == sizeof all[i] && all[i].user_data == (uint64_t)i);
  }
  CHECK_ERROR(RB_NOT_FOUND, all[1].status, &all[1].response, "entry");
  CHECK_ERROR(RB_INVALID_ARGUMENT, all[2].status, &all[2].response, "rustbridge.");
  CHECK_ERROR(RB_UNAVAILABLE, all[3].status, &all[3].response, "rustbridge.");
  CHECK_ERROR(RB_INVALID_ARGUMENT, all[4].status, &all[4].response, "null");
  CHECK_ERROR(RB_INVALID_ARGUMENT, all[5].status, &all[5].response, "length");
  CHECK_ERROR(RB_INVALID_ARGUMENT, all[6].status, &all[6].response, "response.data is null");
  CHECK_ERROR(RB_INVALID_ARGUMENT, all[7].status, &all[7].response, "rustbridge.InvalidContext");
  CHECK_ERROR(RB_DEADLINE_EXCEEDED, all[8].status, &all[8].response, "rustbridge.DeadlineExceeded");
  CHECK_ERROR(RB_INVALID_ARGUMENT, all[9].status, &all[9].response, "rustbridge.InvalidContext");
  CHECK_ERROR(RB_INVALID_ARGUMENT, all[10].status, &all[10].response, "4 bytes");
  CHECK_ERROR(RB_FAILED_PRECONDITION, all[11].status, &all[11].response, "leaf");
  CHECK_STATUS(RB_OK, all[12].status, &all[12].response);
  CHECK(all[12].response.len == 7 && all[12].response.data == storage && memcmp(storage, "at once", 7) == 0);
  CHECK_STATUS(RB_OK, all[13].status, &all[13].response);
  CHECK(all[13].response.len == 6 && memcmp(all[13].response.data, "echoed", 6) == 0);
  rb_response_release(&all[13].response);

  /* Their ends come in the order in which they end, and say what the submission said. */
  no_event(queue);
  CHECK(finish(puppet, all[15].op, RB_NOT_FOUND, 5, 1) == RB_OK);
  CHECK(finish(puppet, all[0].op, RB_OK, 300, 0) == RB_OK);
  CHECK(finish(puppet, all[14].op, RB_OK, 0, 0) == RB_OK);
  CHECK(finish(puppet, all[14].op, RB_OK, 0, 0) == RB_FAILED_PRECONDITION); /* not again */
  CHECK(fetch(queue, events, 3, NULL, 0) == 3);
  CHECK(events[0].user_data == 15 && events[0].status == RB_NOT_FOUND && events[0].response.len == 5);
  CHECK(events[1].user_data == 0 && events[1].status == RB_OK && events[1].response.len == 300);
  CHECK(events[1].response.data[299] == 'x' && events[2].user_data == 14 && events[2].response.len == 0);
  for (i = 0; i < 3; i++) {
    CHECK(events[i].kind == RB_EVENT_DONE && events[i].size == sizeof events[i]);
    release_event(&events[i]);
  }
  nothing_left(puppet);
}

/* Structs of a later version are longer: what is known of them is used, and the rest is left alone. */
static void longer_submissions(rb_instance puppet, rb_queue queue) {
  struct {
    rb_submission known;
    uint64_t later;
  } longer[3];
  int i;
  for (i = 0; i < 3; i++) {
    longer[i].known = submission_of(puppet, entry_of(puppet, "begin", RB_ENCODING_RAW), NULL, 0, (uint64_t)i);
    longer[i].known.size = sizeof longer[i];
    longer[i].later = UINT64_MAX;
  }
  CHECK(rb_submit(queue, &longer[0].known, 3) == RB_OK);
  for (i = 0; i < 3; i++) {
    CHECK(longer[i].known.status == RB_PENDING && longer[i].later == UINT64_MAX);
    CHECK(finish(puppet, longer[i].known.op, RB_OK, 0, 0) == RB_OK);
    ends_with(queue, longer[i].known.op, RB_OK);
  }
}

static void wrong_queues(rb_instance puppet) {
  rb_queue queues[] = {0, 1, UINT64_MAX, 0};
  rb_submission submission;
  size_t i;
  queues[3] = new_queue();
  close_queue(queues[3]);
  for (i = 0; i < 4; i++) {
    submission = submission_of(puppet, entry_of(puppet, "begin", RB_ENCODING_RAW), NULL, 0, 0);
    CHECK(rb_submit(queues[i], &submission, 1) == RB_OK);
    CHECK(submission.op == 0);
    CHECK_ERROR(RB_INVALID_ARGUMENT, submission.status, &submission.response, "rustbridge.InvalidQueue");
  }
  nothing_left(puppet);
}

static void ending_early(rb_instance puppet, rb_queue queue) {
  rb_response error = no_storage();
  int64_t told = seen_by(puppet).cancels;
  rb_op op = begin(queue, puppet, "deaf", 0);

  /* The plugin is told once, however often it's asked. */
  CHECK(rb_op_cancel(op, &error) == RB_OK && rb_op_cancel(op, &error) == RB_OK);
  CHECK(seen_by(puppet).cancels == told + 1);
  no_event(queue);
  CHECK(finish(puppet, op, RB_OK, 300, 1) == RB_OK);
  CHECK_ERROR(RB_FAILED_PRECONDITION, rb_op_cancel(op, &error), &error, "rustbridge.CallOver");
  ends_with(queue, op, RB_OK);
  CHECK_ERROR(RB_NOT_FOUND, rb_op_cancel(op, &error), &error, "over");

  op = begin(queue, puppet, "begin", 0);
  CHECK(rb_op_cancel(op, &error) == RB_OK);
  ends_with(queue, op, RB_CANCELLED);

  /* Given up: before it ends, after, and twice. */
  op = begin(queue, puppet, "deaf", 0);
  CHECK(rb_op_detach(op, &error) == RB_OK && rb_op_detach(op, &error) == RB_OK);
  CHECK(seen_by(puppet).tasks == 1);
  CHECK(finish(puppet, op, RB_OK, 1000, 1) == RB_OK);
  CHECK_ERROR(RB_NOT_FOUND, rb_op_detach(op, &error), &error, "over");
  op = begin(queue, puppet, "begin", 0);
  CHECK(finish(puppet, op, RB_OK, 1000, 1) == RB_OK);
  CHECK(seen_by(puppet).leases == 1);
  CHECK(rb_op_detach(op, &error) == RB_OK);
  no_event(queue);
  nothing_left(puppet);

  /* A queue that's closed gives all of its own up. */
  {
    rb_queue other = new_queue();
    rb_op deaf = begin(other, puppet, "deaf", 0);
    begin(other, puppet, "begin", 0);
    CHECK(finish(puppet, begin(other, puppet, "begin", 0), RB_OK, 1000, 1) == RB_OK);
    op = begin(queue, puppet, "begin", 0);
    close_queue(other);
    CHECK(seen_by(puppet).tasks == 2 && seen_by(puppet).leases == 0);
    CHECK(finish(puppet, deaf, RB_OK, 1000, 1) == RB_OK);
    CHECK(finish(puppet, op, RB_OK, 0, 0) == RB_OK);
    ends_with(queue, op, RB_OK);
    nothing_left(puppet);
  }
}

typedef struct told {
  rb_instance puppet;
  int items;
  int done;
  int detaches;
  rb_status status;
  rb_response taken;
  rb_op op;
} told;

static void tell(void *user_data, rb_event *event) {
  told *self = (told *)user_data;
  rb_response error = no_storage();
  CHECK(event->size >= EVENT_1_0 && event->user_data == 5 && self->done == 0);
  self->op = event->op;
  /* Closing would wait for what we are in. Anything else may be done. */
  CHECK_ERROR(RB_FAILED_PRECONDITION, rb_close(self->puppet, UINT64_MAX, &error), &error, "rustbridge.CloseInsideCall");
  CHECK(call_and_release(self->puppet, entry_of(self->puppet, "echo", RB_ENCODING_RAW), "hi", 2) == RB_OK);
  if (event->kind == RB_EVENT_ITEMS) {
    self->items += (int)event->count;
    if (self->detaches) {
      CHECK(rb_op_detach(event->op, NULL) == RB_OK);
    }
    return;
  }
  CHECK(event->kind == RB_EVENT_DONE);
  self->done++;
  self->status = event->status;
  if (event->response.len == 1000) {
    /* Kept beyond this function. What isn't taken out is released when it returns. */
    self->taken = event->response;
    event->response.release = NULL;
  }
}

static void by_functions(rb_instance puppet) {
  told self;
  rb_callback callback;
  rb_submission submission;
  rb_batch batch = batch_of("ab", 2, 2, 0);
  struct {
    rb_callback known;
    uint64_t later;
  } longer;
  memset(&self, 0, sizeof self);
  self.puppet = puppet;
  memset(&callback, 0, sizeof callback);
  callback.size = sizeof callback;
  callback.notify = tell;
  callback.user_data = &self;

  submission = submission_of(puppet, entry_of(puppet, "now", RB_ENCODING_RAW), "now", 3, 5);
  CHECK(rb_submit_callback(&callback, &submission, 1) == RB_OK);
  CHECK(submission.status == RB_OK && submission.op == 0 && submission.response.len == 3 && self.done == 0);
  rb_response_release(&submission.response);

  submission = submission_of(puppet, entry_of(puppet, "begin", RB_ENCODING_RAW), NULL, 0, 5);
  CHECK(rb_submit_callback(&callback, &submission, 1) == RB_OK && submission.status == RB_PENDING);
  CHECK(finish(puppet, submission.op, RB_OK, 1000, 1) == RB_OK);
  CHECK(self.done == 1 && self.op == submission.op && seen_by(puppet).leases == 1);
  CHECK(self.taken.data[999] == 'x');
  rb_response_release(&self.taken);
  nothing_left(puppet);

  /* A callback of a later version; what it leaves is released for it. */
  self.done = 0;
  longer.known = callback;
  longer.known.size = sizeof longer;
  longer.later = UINT64_MAX;
  submission = submission_of(puppet, entry_of(puppet, "begin", RB_ENCODING_RAW), NULL, 0, 5);
  CHECK(rb_submit_callback(&longer.known, &submission, 1) == RB_OK && submission.status == RB_PENDING);
  CHECK(finish(puppet, submission.op, RB_OK, 1001, 1) == RB_OK);
  CHECK(self.done == 1);
  nothing_left(puppet);

  self.done = 0;
  submission = submission_of(puppet, entry_of(puppet, "items", RB_ENCODING_RAW), NULL, 0, 5);
  submission.demand_items = submission.demand_bytes = 10;
  CHECK(rb_submit_callback(&callback, &submission, 1) == RB_OK && submission.status == RB_PENDING);
  CHECK(emit(puppet, submission.op, &batch) == RB_OK && self.items == 2);
  CHECK(rb_op_cancel(submission.op, NULL) == RB_OK);
  CHECK(self.done == 1 && self.status == RB_CANCELLED);

  /* Given up from inside: nothing is told any more. */
  self.done = self.items = 0;
  self.detaches = 1;
  submission = submission_of(puppet, entry_of(puppet, "items", RB_ENCODING_RAW), NULL, 0, 5);
  submission.demand_items = submission.demand_bytes = 10;
  CHECK(rb_submit_callback(&callback, &submission, 1) == RB_OK && submission.status == RB_PENDING);
  emit(puppet, submission.op, &batch);
  CHECK(self.items == 2 && self.done == 0);
  nothing_left(puppet);
}

/* Plain methods that run on another thread, of the core's since the puppet has none for that. */
static void offloaded(rb_instance puppet, rb_queue queue) {
  char request[] = "echoed";
  rb_submission submission = submission_of(puppet, entry_of(puppet, "echo", RB_ENCODING_RAW), request, 6, 9);
  rb_event event;
  rb_response error = no_storage();
  size_t count = 0;
  submission.flags = 4;
  CHECK(rb_submit(queue, &submission, 1) == RB_OK && submission.op == 0);
  CHECK_ERROR(RB_INVALID_ARGUMENT, submission.status, &submission.response, "RB_SUBMIT_");
  submission.flags = RB_SUBMIT_OFFLOAD;
  CHECK(rb_submit(queue, &submission, 1) == RB_OK && submission.op != 0);
  CHECK_STATUS(RB_PENDING, submission.status, &submission.response);
  /* The request was copied. */
  memset(request, 'x', sizeof request);
  memset(&event, 0, sizeof event);
  event.size = sizeof event;
  CHECK_STATUS(RB_OK, rb_queue_poll(queue, &event, 1, NULL, 0, UINT64_MAX, &count, &error), &error);
  CHECK(count == 1 && event.kind == RB_EVENT_DONE && event.op == submission.op && event.user_data == 9);
  CHECK(event.instance == submission.instance);
  CHECK(event.status == RB_OK && event.response.len == 6 && memcmp(event.response.data, "echoed", 6) == 0);
  release_event(&event);
  /* What has no thread of its own isn't different for that. */
  submission = submission_of(puppet, entry_of(puppet, "begin", RB_ENCODING_RAW), NULL, 0, 9);
  submission.flags = RB_SUBMIT_OFFLOAD;
  CHECK(rb_submit(queue, &submission, 1) == RB_OK && submission.status == RB_PENDING);
  CHECK(finish(puppet, submission.op, RB_OK, 0, 0) == RB_OK);
  ends_with(queue, submission.op, RB_OK);
  /* Its queue is closed meanwhile. */
  submission = submission_of(puppet, entry_of(puppet, "echo", RB_ENCODING_RAW), "gone", 4, 9);
  submission.flags = RB_SUBMIT_OFFLOAD;
  queue = new_queue();
  CHECK(rb_submit(queue, &submission, 1) == RB_OK && submission.status == RB_PENDING);
  close_queue(queue);
}

static rb_close_options close_options(uint64_t timeout_ms, uint64_t cancel_after_ms) {
  rb_close_options options;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.flags = RB_CLOSE_CANCEL;
  options.timeout_ms = timeout_ms;
  options.cancel_after_ms = cancel_after_ms;
  return options;
}

static void closing_with(const char *path) {
  rb_instance other = load(path);
  rb_instance puppet = load(path);
  rb_queue queue = new_queue();
  rb_op ends = begin(queue, puppet, "begin", 1);
  rb_op deaf = begin(queue, puppet, "deaf", 2);
  rb_close_options options = close_options(0, 0);
  rb_response report = no_storage();
  options.size = 8;
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_close_with(puppet, &options, &report), &report, "size");
  options.size = sizeof options;
  options.flags = 2;
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_close_with(puppet, &options, &report), &report, "RB_CLOSE_");
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_close_with(puppet, NULL, &report), &report, "null");
  CHECK(state_of(puppet) == RB_STATE_ACTIVE);

  /* Without the flag it's as without options; with a time that doesn't come nothing is cancelled. */
  options.flags = 0;
  CHECK_ERROR(RB_DEADLINE_EXCEEDED, rb_close_with(puppet, &options, &report), &report, "\"begin (raw)\"");
  options = close_options(0, 1000);
  CHECK_ERROR(RB_DEADLINE_EXCEEDED, rb_close_with(puppet, &options, &report), &report, "\"begin (raw)\"");
  no_event(queue);
  CHECK(state_of(puppet) == RB_STATE_CLOSING);

  /* One ends when it's asked to, and the other one is named. */
  options = close_options(1, 0);
  CHECK_ERROR(RB_DEADLINE_EXCEEDED, rb_close_with(puppet, &options, &report), &report, "\"pending\":[{\"count\":1,\"method\":\"deaf (raw)\"}]");
  ends_with(queue, ends, RB_CANCELLED);
  CHECK(finish(other, deaf, RB_OK, 0, 0) == RB_OK);
  options = close_options(UINT64_MAX, UINT64_MAX);
  CHECK_STATUS(RB_OK, rb_close_with(puppet, &options, &report), &report);
  CHECK_ERROR(RB_UNAVAILABLE, rb_close_with(puppet, &options, &report), &report, "rustbridge.");
  ends_with(queue, deaf, RB_OK);
  close_queue(queue);
  nothing_left(other);
  close_now(other);
}

static void closing(const char *path) {
  rb_instance other = load(path);
  rb_instance puppet = load(path);
  rb_queue queue = new_queue();
  rb_op deaf = begin(queue, puppet, "deaf", 1);
  rb_op items = begin_with(queue, puppet, "items", 2, 10, 10);
  rb_batch batch = batch_of("ab", 2, 2, 0);
  rb_submission submission = submission_of(puppet, entry_of(puppet, "begin", RB_ENCODING_RAW), NULL, 0, 0);
  rb_response report = no_storage();
  rb_event events[3];
  CHECK(emit(puppet, items, &batch) == RB_OK);

  /* Streams are ended; what has been emitted still comes. Calls are waited for, and named. */
  CHECK_ERROR(RB_DEADLINE_EXCEEDED, rb_close(puppet, 0, &report), &report, "\"pending\":[{\"count\":1,\"method\":\"deaf (raw)\"}]");
  CHECK(state_of(puppet) == RB_STATE_CLOSING);
  CHECK(rb_submit(queue, &submission, 1) == RB_OK && submission.op == 0);
  CHECK_ERROR(RB_UNAVAILABLE, submission.status, &submission.response, "rustbridge.");
  CHECK(fetch(queue, events, 3, NULL, 0) == 2);
  CHECK(events[0].kind == RB_EVENT_ITEMS && events[0].op == items && events[0].count == 2 && events[0].response.len == 2);
  CHECK(events[0].instance == puppet && events[1].instance == puppet);
  CHECK(events[1].kind == RB_EVENT_DONE && events[1].op == items && events[1].status == RB_UNAVAILABLE);
  release_event(&events[0]);
  release_event(&events[1]);

  /* Its event is ours to fetch, also when it is closed. */
  CHECK(finish(other, deaf, RB_OK, 1000, 1) == RB_OK);
  close_now(puppet);
  ends_with(queue, deaf, RB_OK);
  no_event(queue);
  close_queue(queue);
  nothing_left(other);
  close_now(other);
}

/* One pair, as it crosses the boundary. */
typedef struct pair {
  uint32_t count, key_len, value_len;
  char text[4];
} pair;

static rb_status head(rb_instance puppet, rb_op op, const void *pairs, size_t len) {
  puppet_headers asked;
  rb_status said = 99;
  asked.op = op;
  asked.pairs = pairs;
  asked.len = len;
  puppet_call(puppet, "head", &asked, sizeof asked, &said, sizeof said);
  return said;
}

static rb_op begin_headed(rb_queue queue, rb_instance puppet, const char *method, uint32_t flags) {
  rb_submission submission = submission_of(puppet, entry_of(puppet, method, RB_ENCODING_RAW), NULL, 0, 5);
  rb_call_context header;
  rb_reply_headers place;
  memset(&header, 0, sizeof header);
  memset(&place, 0, sizeof place);
  header.size = sizeof header;
  header.flags = flags;
  header.reply = &place.reply;
  submission.call_context = &header;
  submission.demand_items = 9;
  submission.demand_bytes = 99;
  CHECK(rb_submit(queue, &submission, 1) == RB_OK);
  CHECK_STATUS(RB_PENDING, submission.status, &submission.response);
  CHECK(place.headers.len == 0 && place.headers.release == NULL);
  return submission.op;
}

/* They come once, right before what comes first, and only to who asks for them. */
static void headers(rb_instance puppet, rb_queue queue) {
  const pair one = {1, 2, 2, {'k', '1', 'v', '1'}};
  const rb_batch batch = batch_of("item", 4, 1, 0);
  uint64_t arena[2];
  rb_event events[3], event;
  rb_op op = begin_headed(queue, puppet, "begin", RB_CONTEXT_HEADERS);
  CHECK(head(puppet, op, &one, sizeof one) == RB_OK && head(puppet, op, &one, sizeof one) == RB_OK);
  CHECK(head(puppet, op, NULL, 0) == RB_OK);
  CHECK(head(puppet, op, &one, sizeof one - 1) == RB_INVALID_ARGUMENT);
  CHECK(head(puppet, op, NULL, 4) == RB_INVALID_ARGUMENT);
  CHECK(head(puppet, op, &one, SIZE_MAX) == RB_INVALID_ARGUMENT);
  no_event(queue);
  CHECK(finish(puppet, op, RB_OK, 0, 0) == RB_OK);
  CHECK(head(puppet, op, &one, sizeof one) == RB_FAILED_PRECONDITION);
  /* The first that doesn't fit is handed over. */
  CHECK(fetch(queue, events, 1, arena, sizeof arena) == 1);
  event = events[0];
  CHECK(event.kind == RB_EVENT_HEADERS && event.op == op && event.user_data == 5);
  CHECK(event.response.len == 4 + 2 * (sizeof one - 4) && event.response.release != NULL);
  release_event(&event);
  ends_with(queue, op, RB_OK);
  CHECK(head(puppet, op, &one, sizeof one) == RB_NOT_FOUND);

  op = begin_headed(queue, puppet, "items", RB_CONTEXT_HEADERS);
  CHECK(head(puppet, op, &one, sizeof one) == RB_OK && emit(puppet, op, &batch) == RB_OK);
  CHECK(head(puppet, op, &one, sizeof one) == RB_FAILED_PRECONDITION);
  CHECK(fetch(queue, events, 3, NULL, 0) == 2);
  CHECK(events[0].kind == RB_EVENT_HEADERS && events[0].response.len == sizeof one);
  CHECK(memcmp(events[0].response.data, &one, sizeof one) == 0);
  CHECK(events[1].kind == RB_EVENT_ITEMS && events[1].count == 1);
  release_event(&events[0]);
  release_event(&events[1]);
  CHECK(finish(puppet, op, RB_OK, 0, 0) == RB_OK);
  ends_with(queue, op, RB_OK);

  op = begin_headed(queue, puppet, "items", 0);
  CHECK(head(puppet, op, &one, sizeof one) == RB_OK);
  CHECK(finish(puppet, op, RB_ABORTED, 0, 0) == RB_OK);
  ends_with(queue, op, RB_ABORTED);

  /* Given up with headers that nobody got. */
  op = begin_headed(queue, puppet, "deaf", RB_CONTEXT_HEADERS);
  CHECK(head(puppet, op, &one, sizeof one) == RB_OK && rb_op_detach(op, NULL) == RB_OK);
  CHECK(finish(puppet, op, RB_OK, 0, 0) == RB_OK);
  nothing_left(puppet);
}

int main(int argc, char **argv) {
  rb_instance puppet, closed;
  rb_queue queue;
  CHECK(argc == 2);
  puppet = load(argv[1]);
  closed = load(argv[1]);
  close_now(closed);
  queue = new_queue();
  arguments(puppet, queue);
  every_function_with_a_wrong_operation(puppet, queue);
  several_at_once(puppet, queue, closed);
  longer_submissions(puppet, queue);
  wrong_queues(puppet);
  ending_early(puppet, queue);
  by_functions(puppet);
  offloaded(puppet, queue);
  headers(puppet, queue);
  no_event(queue);
  close_queue(queue);
  close_now(puppet);
  closing(argv[1]);
  closing_with(argv[1]);
  printf("operations: ok\n");
  return 0;
}
