/* Calls with a header: what they carry, what comes back beside the response, and cancelling them. Usage: with C_PLUGIN. */
#include "check.h"

/* Metadata as it's put together: the pairs so far, and how long they are. */
typedef struct metadata {
  uint8_t bytes[256];
  size_t len;
} metadata;

static void add(metadata *to, const char *key, const char *value) {
  uint32_t lens[2];
  uint32_t count = 0;
  lens[0] = (uint32_t)strlen(key);
  lens[1] = (uint32_t)strlen(value);
  CHECK(to->len + 12 + lens[0] + lens[1] <= sizeof to->bytes);
  if (to->len == 0) {
    to->len = sizeof count;
  } else {
    memcpy(&count, to->bytes, sizeof count);
  }
  count++;
  memcpy(to->bytes, &count, sizeof count);
  memcpy(to->bytes + to->len, lens, sizeof lens);
  memcpy(to->bytes + to->len + sizeof lens, key, lens[0]);
  memcpy(to->bytes + to->len + sizeof lens + lens[0], value, lens[1]);
  to->len += sizeof lens + lens[0] + lens[1];
}

static rb_call_context no_header(void) {
  rb_call_context header;
  memset(&header, 0, sizeof header);
  header.size = sizeof header;
  return header;
}

static rb_reply no_reply(void) {
  rb_reply reply;
  memset(&reply, 0, sizeof reply);
  return reply;
}

/* Calls `carried`, and checks what the plugin says it saw. */
static void sees(rb_instance c, const rb_call_context *header, const char *expected) {
  uint32_t entry = entry_of(c, "carried", RB_ENCODING_RAW);
  uint8_t storage[128];
  rb_response response = with_buffer(storage, sizeof storage);
  CHECK_STATUS(RB_OK, rb_call_with(c, entry, header, NULL, NULL, 0, &response), &response);
  if (!contains(&response, expected)) {
    fprintf(stderr, "no \"%s\" in %.*s\n", expected, (int)response.len, (const char *)response.data);
  }
  CHECK(contains(&response, expected));
  rb_response_release(&response);
}

static void carries(rb_instance c) {
  struct {
    rb_call_context header;
    uint64_t more[3];
  } later;
  rb_call_context header = no_header();
  metadata sent = {{0}, 0};
  CHECK(call_and_release(c, entry_of(c, "carried", RB_ENCODING_RAW), NULL, 0) == RB_OK);
  /* Without one it's as by `rb_call`, and the plugin sees none. */
  sees(c, NULL, "");
  sees(c, &header, "size 1 time 0 op 0 trace 00-00-00 state 0 metadata 0 reply 0");
  add(&sent, "user", "ada");
  header.flags = RB_CONTEXT_TIMEOUT | RB_CONTEXT_TRACE;
  header.timeout_ns = UINT64_MAX;
  header.trace_id[0] = 0xab;
  header.span_id[7] = 0xcd;
  header.trace_flags = 1;
  header.trace_state = rb_text_of("a=b");
  header.metadata = sent.bytes;
  header.metadata_len = sent.len;
  /* Both are the library's to say. */
  header.op = 77;
  header.cancelled = &header.size;
  sees(c, &header, "size 1 time 1 op 0 trace ab-cd-01 state 3 metadata 19 reply 0");
  memset(&later, 0xff, sizeof later);
  later.header = header;
  later.header.size = sizeof later;
  sees(c, &later.header, "size 1 time 1 op 0 trace ab-cd-01 state 3 metadata 19 reply 0");
}

static void trailers(rb_instance c) {
  uint32_t entry = entry_of(c, "carried", RB_ENCODING_RAW);
  rb_call_context header = no_header();
  metadata sent = {{0}, 0};
  uint8_t storage[256];
  size_t room;
  add(&sent, "user", "ada");
  add(&sent, "empty", "");
  header.metadata = sent.bytes;
  header.metadata_len = sent.len;
  for (room = 0; room < sizeof storage; room += sizeof storage - 1) {
    rb_reply reply = no_reply();
    rb_response response = no_storage();
    reply.trailers = with_buffer(room == 0 ? NULL : storage, room);
    reply.objects.len = 7;
    header.reply = &reply;
    CHECK_STATUS(RB_OK, rb_call_with(c, entry, &header, NULL, NULL, 0, &response), &response);
    CHECK(reply.trailers.len == sent.len && memcmp(reply.trailers.data, sent.bytes, sent.len) == 0);
    CHECK((reply.trailers.release == NULL) == (room != 0));
    CHECK(reply.objects.len == 0);
    rb_response_release(&reply.trailers);
    rb_response_release(&reply.objects);
    rb_response_release(&response);
  }
}

static void refused(rb_instance c, const rb_call_context *header, rb_status status, const char *why) {
  rb_response response = no_storage();
  rb_op op = 99;
  rb_status found = rb_call_with(c, entry_of(c, "carried", RB_ENCODING_RAW), header, &op, NULL, 0, &response);
  CHECK_ERROR(status, found, &response, why);
  CHECK(op == 0);
}

static void refusals(rb_instance c) {
  metadata sent = {{0}, 0};
  uint8_t limit[65537];
  rb_call_context header = no_header();
  size_t len;
  header.size = sizeof header - 1;
  refused(c, &header, RB_INVALID_ARGUMENT, "size is 111");
  header.size = 0;
  refused(c, &header, RB_INVALID_ARGUMENT, "size is 0");
  refused(c, (const rb_call_context *)((uintptr_t)&header + 4), RB_INVALID_ARGUMENT, "aligned");
  header = no_header();
  header.flags = 0x80000000;
  refused(c, &header, RB_INVALID_ARGUMENT, "flags");
  header.flags = RB_CONTEXT_TIMEOUT;
  refused(c, &header, RB_DEADLINE_EXCEEDED, "before the call started");
  header.flags = RB_CONTEXT_TRACE;
  refused(c, &header, RB_INVALID_ARGUMENT, "all zero");
  header = no_header();
  header.metadata_len = 1;
  refused(c, &header, RB_INVALID_ARGUMENT, "the metadata has 1 bytes at");
  add(&sent, "user", "ada");
  header.metadata = sent.bytes;
  for (len = 1; len < sent.len; len++) {
    header.metadata_len = len;
    refused(c, &header, RB_INVALID_ARGUMENT, "truncated in pair 0");
  }
  header.metadata_len = sent.len + 1;
  refused(c, &header, RB_INVALID_ARGUMENT, "followed by 1 bytes");
  sent.bytes[12] = 'U';
  header.metadata_len = sent.len;
  refused(c, &header, RB_INVALID_ARGUMENT, "key of pair 0");
  memset(limit, 0, sizeof limit);
  header.metadata = limit;
  header.metadata_len = sizeof limit;
  refused(c, &header, RB_INVALID_ARGUMENT, "65537 bytes long");
  header = no_header();
  header.object_count = 1;
  refused(c, &header, RB_INVALID_ARGUMENT, "null");
  CHECK(rb_call_with(c, 0, NULL, NULL, NULL, 0, NULL) == RB_INVALID_ARGUMENT);
}

/* What a plugin says of its trailers and can't be true takes the answer with it. */
static void lies(rb_instance c) {
  uint32_t entry = entry_of(c, "beside", RB_ENCODING_RAW);
  int32_t lie;
  for (lie = 0; lie <= 4; lie++) {
    uint8_t storage[16];
    rb_reply reply = no_reply();
    rb_response response = no_storage();
    rb_call_context header = no_header();
    reply.trailers = with_buffer(storage, sizeof storage);
    header.reply = &reply;
    CHECK_ERROR(RB_INTERNAL,
                rb_call_with(c, entry, &header, NULL, (const uint8_t *)&lie, sizeof lie, &response), &response,
                "rustbridge.InvalidResponse");
    CHECK(reply.trailers.len == 0 && reply.trailers.release == NULL);
    CHECK(reply.trailers.data == storage && reply.trailers.capacity == sizeof storage);
  }
}

THREAD_FUNCTION(cancels) {
  volatile rb_op *op = (volatile rb_op *)argument;
  rb_op found;
  while ((found = *op) == 0) {
    sleep_ms(1);
  }
  CHECK(rb_op_cancel(found, NULL) == RB_OK);
  THREAD_RETURN;
}

static void cancelled(rb_instance c) {
  static volatile rb_op op;
  rb_response response = no_storage();
  thread canceller = start(cancels, (void *)(uintptr_t)&op);
  CHECK(rb_call_with(c, entry_of(c, "until_cancelled", RB_ENCODING_RAW), NULL, (rb_op *)(uintptr_t)&op, NULL, 0,
                     &response) == RB_CANCELLED);
  join(canceller);
  /* It's over, and its number stale. */
  CHECK_ERROR(RB_NOT_FOUND, rb_op_cancel(op, &response), &response, "NoSuchOperation");
}

static void asked_from_inside(rb_instance c) {
  uint32_t entry = entry_of(c, "current", RB_ENCODING_RAW);
  rb_call_context header = no_header();
  uint8_t seen = 0;
  rb_response response = with_buffer(&seen, 1);
  CHECK(rb_call(c, entry, NULL, 0, &response) == RB_NOT_FOUND);
  header.flags = RB_CONTEXT_TRACE;
  header.trace_id[0] = 0x7a;
  header.span_id[0] = 1;
  CHECK(rb_call_with(c, entry, &header, NULL, NULL, 0, &response) == RB_OK);
  CHECK(response.len == 1 && seen == 0x7a);
}

static void shared_and_leaf(rb_instance c) {
  uint32_t echo = entry_of(c, "echo", RB_ENCODING_RAW);
  uint8_t storage[8];
  rb_response response = with_buffer(storage, sizeof storage);
  CHECK(rb_call_with(c, echo | RB_ENTRY_SHARED, NULL, NULL, (const uint8_t *)"shared", 6, &response) == RB_OK);
  CHECK(response.len == 6 && memcmp(storage, "shared", 6) == 0);
  CHECK(rb_call_with(c, entry_of(c, "length", RB_ENCODING_RAW) | RB_ENTRY_LEAF, NULL, NULL, NULL, 0, &response) == RB_OK);
  CHECK(response.len == 8);
  response = no_storage();
  CHECK_ERROR(RB_FAILED_PRECONDITION, rb_call_with(c, echo | RB_ENTRY_LEAF, NULL, NULL, NULL, 0, &response), &response,
              "NotLeaf");
}

int main(int argc, char **argv) {
  rb_instance c;
  rb_response response = no_storage();
  CHECK(argc == 2);
  c = load(argv[1]);
  carries(c);
  trailers(c);
  refusals(c);
  lies(c);
  cancelled(c);
  asked_from_inside(c);
  shared_and_leaf(c);
  close_now(c);
  CHECK_ERROR(RB_UNAVAILABLE, rb_call_with(c, 0, NULL, NULL, NULL, 0, &response), &response, "Closed");
  printf("with: ok\n");
  return 0;
}
