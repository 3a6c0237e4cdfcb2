/* What the hosts of puppet.c share. */
#ifndef TEST_OPERATIONS_H
#define TEST_OPERATIONS_H

#include "check.h"
#include "puppet.h"

/* A plain method of the puppet's, called with one struct; what it answers goes into another one. */
static inline void puppet_call(rb_instance puppet, const char *method, const void *request, size_t len, void *answer,
                               size_t answer_len) {
  rb_response response = with_buffer(answer, answer_len);
  CHECK_STATUS(RB_OK, rb_call(puppet, entry_of(puppet, method, RB_ENCODING_RAW), (const uint8_t *)request, len, &response),
               &response);
  CHECK(response.len == answer_len && response.release == NULL);
}

static inline puppet_seen seen_by(rb_instance puppet) {
  puppet_seen seen;
  puppet_call(puppet, "seen", NULL, 0, &seen, sizeof seen);
  return seen;
}

/* Has the puppet complete an operation; `puppet` is any instance of it, since an operation is found by its number. */
static inline rb_status finish(rb_instance puppet, rb_op op, rb_status status, size_t len, int hands_over) {
  puppet_completion asked;
  rb_status said = 99;
  memset(&asked, 0, sizeof asked);
  asked.op = op;
  asked.status = status;
  asked.fill = 'x';
  asked.len = len;
  asked.hands_over = (uint32_t)hands_over;
  puppet_call(puppet, "complete", &asked, sizeof asked, &said, sizeof said);
  return said;
}

static inline rb_status emit(rb_instance puppet, rb_op op, const rb_batch *batch) {
  puppet_batch asked;
  rb_status said = 99;
  asked.op = op;
  asked.batch = batch;
  puppet_call(puppet, "emit", &asked, sizeof asked, &said, sizeof said);
  return said;
}

static inline rb_status want(rb_instance puppet, rb_op op, uint64_t items, uint64_t bytes) {
  puppet_demand asked;
  rb_status said = 99;
  asked.op = op;
  asked.items = items;
  asked.bytes = bytes;
  puppet_call(puppet, "want", &asked, sizeof asked, &said, sizeof said);
  return said;
}

static inline rb_batch batch_of(const void *data, size_t len, uint32_t count, uint32_t flags) {
  rb_batch batch;
  memset(&batch, 0, sizeof batch);
  batch.size = sizeof batch;
  batch.flags = flags;
  batch.data = (const uint8_t *)data;
  batch.len = len;
  batch.count = count;
  return batch;
}

static inline rb_submission submission_of(rb_instance instance, uint32_t entry, const void *request, size_t len,
                                          uint64_t user_data) {
  rb_submission submission;
  memset(&submission, 0, sizeof submission);
  submission.size = sizeof submission;
  submission.instance = instance;
  submission.entry = entry;
  submission.request = (const uint8_t *)request;
  submission.request_len = len;
  submission.user_data = user_data;
  submission.op = 77;
  return submission;
}

static inline rb_queue new_queue(void) {
  rb_queue queue = 0;
  rb_response error = no_storage();
  CHECK_STATUS(RB_OK, rb_queue_new(&queue, &error), &error);
  CHECK(queue != 0);
  return queue;
}

/* Begins a method that doesn't end by itself. */
static inline rb_op begin_with(rb_queue queue, rb_instance puppet, const char *method, uint64_t user_data, uint64_t items,
                               uint64_t bytes) {
  rb_submission submission = submission_of(puppet, entry_of(puppet, method, RB_ENCODING_RAW), NULL, 0, user_data);
  submission.demand_items = items;
  submission.demand_bytes = bytes;
  CHECK(rb_submit(queue, &submission, 1) == RB_OK);
  CHECK_STATUS(RB_PENDING, submission.status, &submission.response);
  CHECK(submission.op != 0 && submission.response.len == 0 && submission.response.release == NULL);
  return submission.op;
}

static inline rb_op begin(rb_queue queue, rb_instance puppet, const char *method, uint64_t user_data) {
  return begin_with(queue, puppet, method, user_data, 0, 0);
}

/* Fetches up to so many events without waiting, and gives how many there were. */
static inline size_t fetch(rb_queue queue, rb_event *events, size_t capacity, void *arena, size_t arena_len) {
  size_t count = 99;
  rb_response error = no_storage();
  if (capacity > 0) {
    events[0].size = sizeof events[0];
  }
  CHECK_STATUS(RB_OK, rb_queue_poll(queue, events, capacity, (uint8_t *)arena, arena_len, 0, &count, &error), &error);
  CHECK(count <= capacity);
  return count;
}

static inline void release_event(rb_event *event) {
  rb_response_release(&event->response);
  rb_response_release(&event->reply.trailers);
  rb_response_release(&event->reply.objects);
}

/* Fetches the one event that there is. */
static inline rb_event one_event(rb_queue queue, uint32_t kind, rb_op op) {
  rb_event events[2];
  memset(events, 0xff, sizeof events);
  CHECK(fetch(queue, events, 2, NULL, 0) == 1);
  CHECK(events[0].size == sizeof events[0] && events[0].kind == kind && events[0].op == op);
  return events[0];
}

static inline void no_event(rb_queue queue) {
  rb_event events[1];
  CHECK(fetch(queue, events, 1, NULL, 0) == 0);
}

static inline void ends_with(rb_queue queue, rb_op op, rb_status status) {
  rb_event event = one_event(queue, RB_EVENT_DONE, op);
  CHECK_STATUS(status, event.status, &event.response);
  release_event(&event);
}

static inline void close_queue(rb_queue queue) {
  rb_response error = no_storage();
  CHECK_STATUS(RB_OK, rb_queue_close(queue, &error), &error);
}

/* Nothing of the puppet's is left over. */
static inline void nothing_left(rb_instance puppet) {
  puppet_seen seen = seen_by(puppet);
  CHECK(seen.tasks == 0);
  CHECK(seen.leases == 0);
}

#endif
