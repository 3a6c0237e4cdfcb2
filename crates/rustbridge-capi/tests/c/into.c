/* Calls whose storage is an argument. Usage: into C_PLUGIN HELLO_PLUGIN. */
#include "check.h"


/* Checks that a result is an outcome of that status whose payload says `text`, where it has to be, and releases it. */
#define CHECK_OUTCOME(expected, result, storage, text) check_outcome(expected, result, storage, text, __LINE__)

static void check_outcome(rb_status expected, int64_t result, const uint8_t *storage, const char *text, int line) {
  rb_call_result *outcome = rb_call_result_of(result);
  rb_response payload;
  if (outcome == NULL) {
    fprintf(stderr, "%s:%d: expected an outcome, got length %" PRId64 "\n", __FILE__, line, result);
    exit(1);
  }
  CHECK(result < 0 && (uintptr_t)outcome % 16 == 0 && (int64_t)((uintptr_t)outcome >> 4) == -result);
  payload = outcome->response;
  if (payload.release == NULL) {
    CHECK(payload.data == NULL);
    payload.data = (uint8_t *)(uintptr_t)storage;
  }
  check_status(expected, outcome->status, &payload, __FILE__, line);
  if (!contains(&payload, text)) {
    fprintf(stderr, "%s:%d: no \"%s\" in %.*s\n", __FILE__, line, text, (int)payload.len, (const char *)payload.data);
    exit(1);
  }
  rb_call_result_release(outcome);
}

static void lengths(rb_instance c) {
  uint32_t echo = entry_of(c, "echo", RB_ENCODING_RAW);
  uint32_t handover = entry_of(c, "handover", RB_ENCODING_RAW);
  uint8_t request[40];
  uint8_t storage[33];
  size_t len;
  size_t index;
  for (index = 0; index < sizeof request; index++) {
    request[index] = (uint8_t)(index + 1);
  }
  for (len = 0; len <= sizeof request; len++) {
    int64_t result;
    memset(storage, 0x5a, sizeof storage);
    /* One byte less than there is, so that a byte too far would be seen. */
    result = rb_call_into(c, echo, request, len, storage, 32);
    CHECK(storage[32] == 0x5a);
    if (len <= 32) {
      CHECK(result == (int64_t)len && memcmp(storage, request, len) == 0);
      CHECK(rb_call_result_of(result) == NULL);
    } else {
      rb_call_result *outcome = rb_call_result_of(result);
      CHECK(outcome != NULL && outcome->status == RB_OK && outcome->response.release != NULL);
      CHECK(outcome->response.len == len && memcmp(outcome->response.data, request, len) == 0);
      rb_call_result_release(outcome);
    }
    /* A plugin may hand over what would have fitted. */
    {
      rb_call_result *outcome = rb_call_result_of(rb_call_into(c, handover, request, len, storage, 32));
      CHECK(outcome != NULL && outcome->status == RB_OK && outcome->response.release != NULL);
      CHECK(outcome->response.len == len && memcmp(outcome->response.data, request, len) == 0);
      rb_call_result_release(outcome);
    }
  }
  /* No storage at all. */
  CHECK(rb_call_into(c, echo, NULL, 0, NULL, 0) == 0);
  CHECK(rb_call_into(c, echo, request, 0, storage, 0) == 0);
  CHECK_OUTCOME(RB_OK, rb_call_into(c, echo, (const uint8_t *)"text", 4, NULL, 0), NULL, "text");
  CHECK_OUTCOME(RB_OK, rb_call_into(c, echo, (const uint8_t *)"text", 4, storage, 0), NULL, "text");
}

static void failures(rb_instance c, rb_instance hello) {
  uint32_t fail = entry_of(c, "fail", RB_ENCODING_RAW);
  uint32_t status = entry_of(c, "status", RB_ENCODING_RAW);
  uint32_t add = entry_of(hello, "math.add", RB_ENCODING_POD);
  uint8_t storage[300];
  int64_t numbers[2];
  int64_t sum = 0;
  int32_t wanted;
  rb_call_result *outcome;
  /* In the storage; handed over for want of it. */
  outcome = rb_call_result_of(rb_call_into(c, fail, NULL, 0, storage, sizeof storage));
  CHECK(outcome != NULL && outcome->response.release == NULL && outcome->response.data == NULL);
  CHECK(outcome->response.len > 0 && outcome->response.len <= sizeof storage);
  rb_call_result_release(outcome);
  CHECK_OUTCOME(RB_NOT_FOUND, rb_call_into(c, fail, NULL, 0, storage, sizeof storage), storage, "\"details\":{\"id\":7}");
  outcome = rb_call_result_of(rb_call_into(c, fail, NULL, 0, NULL, 0));
  CHECK(outcome != NULL && outcome->response.release != NULL && outcome->response.data != NULL);
  rb_call_result_release(outcome);
  CHECK_OUTCOME(RB_NOT_FOUND, rb_call_into(c, fail, NULL, 0, NULL, 0), NULL, "\"details\":{\"id\":7}");
  /* Every status, without a payload. */
  for (wanted = RB_OK + 1; wanted <= RB_UNAUTHENTICATED; wanted++) {
    CHECK_OUTCOME(wanted, rb_call_into(c, status, (const uint8_t *)&wanted, sizeof wanted, storage, sizeof storage), NULL,
                  "");
  }
  wanted = RB_OK;
  CHECK(rb_call_into(c, status, (const uint8_t *)&wanted, sizeof wanted, storage, sizeof storage) == 0);
  wanted = RB_INTERNAL | RB_PANICKED;
  CHECK_OUTCOME(RB_INTERNAL, rb_call_into(c, status, (const uint8_t *)&wanted, sizeof wanted, NULL, 0), NULL, "");
  wanted = -1;
  CHECK_OUTCOME(RB_UNKNOWN, rb_call_into(c, status, (const uint8_t *)&wanted, sizeof wanted, NULL, 0), NULL, "");

  numbers[0] = 40;
  numbers[1] = 2;
  CHECK(rb_call_into(hello, add | RB_ENTRY_LEAF, (const uint8_t *)numbers, sizeof numbers, (uint8_t *)&sum, sizeof sum) == 8);
  CHECK(sum == 42);
  numbers[0] = INT64_MAX;
  CHECK_OUTCOME(RB_OUT_OF_RANGE,
                rb_call_into(hello, add | RB_ENTRY_LEAF, (const uint8_t *)numbers, sizeof numbers, storage, sizeof storage), storage,
                "OUT_OF_RANGE");
  CHECK_OUTCOME(RB_INVALID_ARGUMENT, rb_call_into(hello, add | RB_ENTRY_LEAF, storage, 15, storage + 100, 200), storage + 100, "16");
}

static void arguments(rb_instance c) {
  uint32_t echo = entry_of(c, "echo", RB_ENCODING_RAW);
  uint32_t length = entry_of(c, "length", RB_ENCODING_RAW);
  uint8_t storage[300];
  uint64_t counted = 0;
  size_t index;
  for (index = 0; index < 2; index++) {
    uint32_t leaf = index == 0 ? 0 : RB_ENTRY_LEAF;
    CHECK_OUTCOME(RB_INVALID_ARGUMENT, rb_call_into(c, length | leaf, NULL, 1, storage, sizeof storage), storage, "request is null");
    CHECK_OUTCOME(RB_INVALID_ARGUMENT, rb_call_into(c, length | leaf, storage, SIZE_MAX, NULL, 0), NULL, "length");
    CHECK_OUTCOME(RB_INVALID_ARGUMENT, rb_call_into(c, length | leaf, storage, (size_t)1 << 63, NULL, 0), NULL, "length");
    CHECK_OUTCOME(RB_INVALID_ARGUMENT, rb_call_into(c, length | leaf, NULL, 0, NULL, 8), NULL, "buffer is null");
    CHECK_OUTCOME(RB_INVALID_ARGUMENT, rb_call_into(c, length | leaf, NULL, 0, NULL, SIZE_MAX), NULL, "capacity");
    CHECK_OUTCOME(RB_INVALID_ARGUMENT, rb_call_into(c, length | leaf, NULL, 0, storage, SIZE_MAX), NULL, "capacity");
    CHECK_OUTCOME(RB_INVALID_ARGUMENT, rb_call_into(c, length | leaf, NULL, 0, storage, (size_t)1 << 63), NULL, "capacity");
    CHECK_OUTCOME(RB_INVALID_ARGUMENT, rb_call_into(0, length | leaf, NULL, 0, storage, sizeof storage), storage, "rustbridge.");
    CHECK_OUTCOME(RB_INVALID_ARGUMENT, rb_call_into(UINT64_MAX, length | leaf, NULL, 0, NULL, 0), NULL, "rustbridge.");
    CHECK_OUTCOME(RB_NOT_FOUND, rb_call_into(c, UINT32_MAX, NULL, 0, storage, sizeof storage), storage, "entry");
    CHECK(rb_call_into(c, length | leaf, storage, 17, (uint8_t *)&counted, sizeof counted) == 8 && counted == 17);
    CHECK(rb_call_into(c, length | leaf, NULL, 0, (uint8_t *)&counted, sizeof counted) == 8 && counted == 0);
  }
  CHECK_OUTCOME(RB_FAILED_PRECONDITION, rb_call_into(c, echo | RB_ENTRY_LEAF, NULL, 0, storage, sizeof storage), storage, "leaf");
  rb_call_result_release(NULL);
  CHECK(rb_call_result_of(0) == NULL && rb_call_result_of(INT64_MAX) == NULL);
  CHECK(rb_call_result_of(-1) == (rb_call_result *)(uintptr_t)16);
  /* An address with every bit that it can have. */
  CHECK((uintptr_t)rb_call_result_of(-(int64_t)(UINT64_MAX >> 4)) == (uintptr_t)(UINT64_MAX << 4));
}

/* What the ABI forbids a plugin and a plugin may do all the same. */
static void odd_answers(rb_instance c) {
  uint32_t constant = entry_of(c, "constant", RB_ENCODING_RAW);
  uint32_t claim = entry_of(c, "claim", RB_ENCODING_RAW);
  uint8_t storage[16];
  uint64_t claimed;
  /* Its bytes are in a place of its own and nothing frees them. */
  memset(storage, 0x5a, sizeof storage);
  CHECK_OUTCOME(RB_INTERNAL, rb_call_into(c, constant, NULL, 0, storage, sizeof storage), storage, "without a release");
  CHECK_OUTCOME(RB_INTERNAL, rb_call_into(c, constant, NULL, 0, NULL, 0), NULL, "`constant (raw)` of plugin `c`");
  /* It says that it has written more than there was room for. */
  claimed = 16;
  CHECK(rb_call_into(c, claim, (const uint8_t *)&claimed, 8, storage, sizeof storage) == 16);
  claimed = 17;
  CHECK_OUTCOME(RB_INTERNAL, rb_call_into(c, claim, (const uint8_t *)&claimed, 8, storage, sizeof storage), storage,
                "17 bytes in a buffer of 16");
  claimed = UINT64_MAX;
  CHECK_OUTCOME(RB_INTERNAL, rb_call_into(c, claim, (const uint8_t *)&claimed, 8, storage, sizeof storage), storage,
                "18446744073709551615 bytes");
}

static void closed(const char *path) {
  rb_instance instance = load(path);
  uint32_t echo = entry_of(instance, "echo", RB_ENCODING_RAW);
  uint32_t length = entry_of(instance, "length", RB_ENCODING_RAW);
  uint8_t storage[300];
  rb_call_result *outcome = rb_call_result_of(rb_call_into(instance, echo, (const uint8_t *)"later", 5, storage, 2));
  CHECK(outcome != NULL && outcome->status == RB_OK);
  close_now(instance);
  CHECK_OUTCOME(RB_UNAVAILABLE, rb_call_into(instance, echo, NULL, 0, storage, sizeof storage), storage, "rustbridge.");
  CHECK_OUTCOME(RB_UNAVAILABLE, rb_call_into(instance, length | RB_ENTRY_LEAF, NULL, 0, NULL, 0), NULL, "rustbridge.");
  /* An outcome outlives its instance. */
  CHECK(outcome->response.len == 5 && memcmp(outcome->response.data, "later", 5) == 0);
  rb_call_result_release(outcome);
}

THREAD_FUNCTION(release_there) {
  rb_call_result_release((rb_call_result *)argument);
  THREAD_RETURN;
}

static void on_another_thread(rb_instance c) {
  uint32_t echo = entry_of(c, "echo", RB_ENCODING_RAW);
  join(start(release_there, rb_call_result_of(rb_call_into(c, echo, (const uint8_t *)"there", 5, NULL, 0))));
}

/* What leaks is the memory checker's to find. */
static void often(rb_instance c) {
  uint32_t echo = entry_of(c, "echo", RB_ENCODING_RAW);
  uint32_t fail = entry_of(c, "fail", RB_ENCODING_RAW);
  uint8_t storage[300];
  long round;
  for (round = 0; round < 100000; round++) {
    uint32_t entry = round % 10 == 0 ? fail : echo;
    size_t capacity = round % 7 == 0 ? 0 : sizeof storage;
    rb_call_result *outcome =
        rb_call_result_of(rb_call_into(c, entry, (const uint8_t *)"hello", 5, capacity == 0 ? NULL : storage, capacity));
    CHECK((outcome == NULL) == (entry == echo && capacity != 0));
    rb_call_result_release(outcome);
  }
}

int main(int argc, char **argv) {
  rb_instance c;
  rb_instance hello;
  CHECK(argc == 3);
  c = load(argv[1]);
  hello = load(argv[2]);
  lengths(c);
  failures(c, hello);
  arguments(c);
  odd_answers(c);
  closed(argv[1]);
  on_another_thread(c);
  often(c);
  close_now(hello);
  close_now(c);
  printf("into: ok\n");
  return 0;
}
