/* Streams both ways: credit, batches that can't be, and ends. Usage: streams PUPPET. */
#include "operations.h"

/* A batch with its ends behind its bytes: three items, `ab`, nothing, and `c`. */
typedef struct with_ends {
  uint8_t bytes[3 + 12];
} with_ends;

static with_ends ended(uint32_t first, uint32_t second, uint32_t third) {
  uint32_t ends[3];
  with_ends made;
  ends[0] = first;
  ends[1] = second;
  ends[2] = third;
  memcpy(made.bytes, "abc", 3);
  memcpy(made.bytes + 3, ends, sizeof ends);
  return made;
}

/* What one side sends to the other must be able to be, whichever side it is. `send` gives the status. */
static void malformed(rb_status (*send)(void *context, const rb_batch *batch), void *context) {
  with_ends good = ended(2, 2, 3), backwards = ended(2, 1, 3), beyond = ended(2, 2, 4), incomplete = ended(1, 2, 2);
  uint64_t objects[2] = {1, 2};
  uint64_t memory[sizeof(rb_batch) / 8 + 1];
  rb_batch batch = batch_of("abc", 3, 3, 0);
  CHECK(send(context, NULL) == RB_INVALID_ARGUMENT);
  memcpy((char *)memory + 4, &batch, sizeof batch);
  CHECK(send(context, (const rb_batch *)(void *)((char *)memory + 4)) == RB_INVALID_ARGUMENT);
  batch.size = BATCH_1_0 - 1;
  CHECK(send(context, &batch) == RB_INVALID_ARGUMENT);
  batch.size = 0;
  CHECK(send(context, &batch) == RB_INVALID_ARGUMENT);
#define REFUSED(data, len, count, flags)              \
  batch = batch_of(data, len, count, flags);          \
  CHECK(send(context, &batch) == RB_INVALID_ARGUMENT)
  REFUSED("abc", 3, 2, 0);
  REFUSED("abc", 3, 0, 0);
  REFUSED(NULL, 3, 3, 0);
  REFUSED("abc", SIZE_MAX, 1, 0);
  REFUSED("abc", 3, 3, 2);
  REFUSED("abc", 3, 3, RB_BATCH_ENDS);
  REFUSED("abc", 3, UINT32_MAX, RB_BATCH_ENDS);
  REFUSED(backwards.bytes, sizeof backwards, 3, RB_BATCH_ENDS);
  REFUSED(beyond.bytes, sizeof beyond, 3, RB_BATCH_ENDS);
  REFUSED(incomplete.bytes, sizeof incomplete, 3, RB_BATCH_ENDS);
  REFUSED(good.bytes, sizeof good, 2, RB_BATCH_ENDS);
  /* Objects that can't be divided among the items, or aren't where they are said to be. */
  batch = batch_of("abc", 3, 3, 0);
  batch.objects = objects;
  batch.object_count = 2;
  CHECK(send(context, &batch) == RB_INVALID_ARGUMENT);
  batch.object_count = 3;
  batch.objects = NULL;
  CHECK(send(context, &batch) == RB_INVALID_ARGUMENT);
  batch = batch_of(NULL, 0, 0, 0);
  batch.objects = objects;
  batch.object_count = 2;
  CHECK(send(context, &batch) == RB_INVALID_ARGUMENT);
}

typedef struct side {
  rb_instance puppet;
  rb_op op;
} side;

static rb_status emitted(void *context, const rb_batch *batch) {
  const side *self = (const side *)context;
  return emit(self->puppet, self->op, batch);
}

static rb_status written(void *context, const rb_batch *batch) {
  const side *self = (const side *)context;
  rb_response error = no_storage();
  rb_status status = rb_op_write(self->op, batch, &error);
  if (status != RB_OK) {
    CHECK(contains(&error, "rustbridge.Invalid"));
  }
  rb_response_release(&error);
  CHECK(rb_op_write(self->op, batch, NULL) == status);
  return status;
}

/* From the plugin: as much as was asked for, merged while it waits, and nothing after the end. */
static void out(rb_instance puppet, rb_queue queue) {
  puppet_seen before = seen_by(puppet);
  rb_op op = begin_with(queue, puppet, "items", 9, 3, 2);
  side self;
  rb_batch batch = batch_of("abcdef", 6, 3, 0);
  with_ends good = ended(2, 2, 3);
  uint32_t ends[3];
  rb_event event;
  self.puppet = puppet;
  self.op = op;
  CHECK(seen_by(puppet).demanded_items == before.demanded_items + 3);
  CHECK(seen_by(puppet).demanded_bytes == before.demanded_bytes + 2);
  malformed(emitted, &self);

  /* Four items aren't three; three of two bytes are more than two bytes before the last one; one of six overdraws. */
  batch.count = 6;
  CHECK(emit(puppet, op, &batch) == RB_RESOURCE_EXHAUSTED);
  batch.count = 3;
  CHECK(emit(puppet, op, &batch) == RB_RESOURCE_EXHAUSTED);
  no_event(queue);
  batch.count = 1;
  CHECK(emit(puppet, op, &batch) == RB_OK);
  CHECK(emit(puppet, op, &batch) == RB_RESOURCE_EXHAUSTED);
  event = one_event(queue, RB_EVENT_ITEMS, op);
  CHECK(event.user_data == 9 && event.count == 1 && event.flags == 0 && event.response.len == 6);
  release_event(&event);

  /* No items are no items, and several batches are one by the time they are fetched. */
  CHECK(rb_op_demand(op, 100, 100, NULL) == RB_OK);
  batch = batch_of(NULL, 0, 0, 0);
  CHECK(emit(puppet, op, &batch) == RB_OK);
  no_event(queue);
  batch = batch_of("xyz", 3, 3, 0);
  CHECK(emit(puppet, op, &batch) == RB_OK);
  batch = batch_of(good.bytes, sizeof good, 3, RB_BATCH_ENDS);
  CHECK(emit(puppet, op, &batch) == RB_OK);
  event = one_event(queue, RB_EVENT_ITEMS, op);
  CHECK(event.count == 6 && event.flags == RB_BATCH_ENDS && event.response.len == 6 + 24);
  CHECK(memcmp(event.response.data, "xyzabc", 6) == 0);
  memcpy(ends, event.response.data + 6 + 12, sizeof ends);
  CHECK(ends[0] == 5 && ends[1] == 5 && ends[2] == 6);
  release_event(&event);

  /* More than there is of anything is all there is; it's no stream the other way. */
  CHECK(rb_op_demand(op, UINT64_MAX, UINT64_MAX, NULL) == RB_OK && rb_op_demand(op, UINT64_MAX, UINT64_MAX, NULL) == RB_OK);
  CHECK(rb_op_write(op, &batch, NULL) == RB_UNIMPLEMENTED && rb_op_end(op, RB_OK, NULL, 0, NULL) == RB_UNIMPLEMENTED);
  CHECK(want(puppet, op, 1, 1) == RB_UNIMPLEMENTED);
  batch = batch_of("last", 4, 1, 0);
  CHECK(emit(puppet, op, &batch) == RB_OK);
  CHECK(finish(puppet, op, RB_DATA_LOSS, 3, 0) == RB_OK);
  CHECK(emit(puppet, op, &batch) == RB_FAILED_PRECONDITION);
  CHECK(rb_op_demand(op, 1, 1, NULL) == RB_OK);
  {
    rb_event both[3];
    CHECK(fetch(queue, both, 3, NULL, 0) == 2);
    CHECK(both[0].kind == RB_EVENT_ITEMS && both[0].count == 1);
    CHECK(both[1].kind == RB_EVENT_DONE && both[1].status == RB_DATA_LOSS && both[1].response.len == 3);
    release_event(&both[0]);
    release_event(&both[1]);
  }

  /* A consumer that has cancelled wants nothing more. */
  op = begin_with(queue, puppet, "items", 9, 100, 100);
  CHECK(rb_op_cancel(op, NULL) == RB_OK);
  CHECK(emit(puppet, op, &batch) != RB_OK);
  ends_with(queue, op, RB_CANCELLED);
  nothing_left(puppet);
}

/* To the plugin: as much as it has asked for, and one end. */
static void in(rb_instance puppet, rb_queue queue) {
  rb_op op = begin(queue, puppet, "take", 4);
  puppet_seen before = seen_by(puppet);
  rb_batch batch = batch_of("abcdef", 6, 3, 0);
  rb_response error = no_storage();
  with_ends good = ended(2, 2, 3);
  side self;
  rb_event event;
  struct {
    rb_batch known;
    uint64_t later;
  } longer;
  self.puppet = puppet;
  self.op = op;
  malformed(written, &self);
  CHECK_ERROR(RB_RESOURCE_EXHAUSTED, rb_op_write(op, &batch, &error), &error, "rustbridge.NoDemand");
  CHECK(want(puppet, op, 2, 100) == RB_OK);
  CHECK_ERROR(RB_RESOURCE_EXHAUSTED, rb_op_write(op, &batch, &error), &error, "2 more items");
  CHECK(want(puppet, op, 2, 0) == RB_OK);
  event = one_event(queue, RB_EVENT_DEMAND, op);
  CHECK(event.user_data == 4 && event.items == 4 && event.bytes == 100 && event.response.len == 0);

  CHECK(rb_op_write(op, &batch, &error) == RB_OK && error.len == 0);
  CHECK(seen_by(puppet).pushed_items == before.pushed_items + 3 && seen_by(puppet).pushed_bytes == before.pushed_bytes + 6);
  CHECK(rb_op_write(op, &batch, NULL) == RB_RESOURCE_EXHAUSTED);
  CHECK(want(puppet, op, UINT64_MAX, UINT64_MAX) == RB_OK);
  event = one_event(queue, RB_EVENT_DEMAND, op);
  CHECK(event.items == UINT64_MAX && event.bytes >= INT64_MAX);
  /* The plugin gets a batch of its own version's size, whatever ours is. */
  longer.known = batch_of(good.bytes, sizeof good, 3, RB_BATCH_ENDS);
  longer.known.size = sizeof longer;
  longer.later = UINT64_MAX;
  CHECK(rb_op_write(op, &longer.known, NULL) == RB_OK);
  CHECK(seen_by(puppet).pushed_flags == RB_BATCH_ENDS);
  batch = batch_of(NULL, 0, 0, 0);
  CHECK(rb_op_write(op, &batch, NULL) == RB_OK);
  CHECK(rb_op_demand(op, 1, 1, NULL) == RB_UNIMPLEMENTED);
  batch = batch_of("a", 1, 1, 0);
  CHECK(emit(puppet, op, &batch) == RB_UNIMPLEMENTED);

  /* How it ends must be a status, and its payload be there. */
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_op_end(op, 17, NULL, 0, &error), &error, "status is 17");
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_op_end(op, RB_PENDING, NULL, 0, &error), &error, "status is -1");
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_op_end(op, RB_INTERNAL | RB_PANICKED, NULL, 0, &error), &error, "status is");
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_op_end(op, RB_ABORTED, NULL, 1, &error), &error, "payload is null");
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_op_end(op, RB_ABORTED, (const uint8_t *)"{}", SIZE_MAX, &error), &error, "PTRDIFF_MAX");
  CHECK(seen_by(puppet).ends == before.ends);
  CHECK(rb_op_end(op, RB_ABORTED, (const uint8_t *)"{}", 2, &error) == RB_OK);
  CHECK(seen_by(puppet).ends == before.ends + 1 && seen_by(puppet).end_status == RB_ABORTED);
  CHECK_ERROR(RB_FAILED_PRECONDITION, rb_op_end(op, RB_OK, NULL, 0, &error), &error, "rustbridge.StreamEnded");
  CHECK_ERROR(RB_FAILED_PRECONDITION, rb_op_write(op, &batch, &error), &error, "rustbridge.StreamEnded");
  CHECK(finish(puppet, op, RB_OK, 0, 0) == RB_OK);
  CHECK_ERROR(RB_FAILED_PRECONDITION, rb_op_write(op, &batch, &error), &error, "rustbridge.CallOver");
  CHECK(rb_op_end(op, RB_OK, NULL, 0, NULL) == RB_FAILED_PRECONDITION && want(puppet, op, 1, 1) == RB_FAILED_PRECONDITION);
  ends_with(queue, op, RB_OK);
  nothing_left(puppet);
}

/* A call without streams has none: its plugin isn't told of any. */
static void neither(rb_instance puppet, rb_queue queue) {
  puppet_seen before = seen_by(puppet);
  rb_op op = begin_with(queue, puppet, "begin", 0, 10, 10);
  rb_batch batch = batch_of("a", 1, 1, 0);
  rb_response error = no_storage();
  CHECK_ERROR(RB_UNIMPLEMENTED, rb_op_demand(op, 1, 1, &error), &error, "rustbridge.NoStream");
  CHECK_ERROR(RB_UNIMPLEMENTED, rb_op_write(op, &batch, &error), &error, "rustbridge.NoStream");
  CHECK_ERROR(RB_UNIMPLEMENTED, rb_op_end(op, RB_OK, NULL, 0, &error), &error, "rustbridge.NoStream");
  CHECK(emit(puppet, op, &batch) == RB_UNIMPLEMENTED && want(puppet, op, 1, 1) == RB_UNIMPLEMENTED);
  CHECK(seen_by(puppet).demanded_items == before.demanded_items && seen_by(puppet).ends == before.ends);
  CHECK(finish(puppet, op, RB_OK, 0, 0) == RB_OK);
  ends_with(queue, op, RB_OK);
}

int main(int argc, char **argv) {
  rb_instance puppet;
  rb_queue queue;
  CHECK(argc == 2);
  puppet = load(argv[1]);
  queue = new_queue();
  out(puppet, queue);
  in(puppet, queue);
  neither(puppet, queue);
  no_event(queue);
  close_queue(queue);
  close_now(puppet);
  printf("streams: ok\n");
  return 0;
}
