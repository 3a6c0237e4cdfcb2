/*
 * Requests of every size and kind of wrongness. Usage: requests C_PLUGIN HELLO_PLUGIN [small].
 * `small` leaves out what a memory checker would take minutes for.
 */
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "check.h"

#if !defined(_WIN32)
#include <sys/mman.h>
#endif

static rb_status json_call(rb_instance instance, const char *method, const void *request, size_t len,
                           rb_response *response) {
  return rb_call(instance, entry_of(instance, method, RB_ENCODING_JSON), (const uint8_t *)request, len, response);
}

static void pods(rb_instance hello, rb_instance c) {
  /* 16 for the offsets, 16 for the struct. */
  uint8_t memory[48];
  uint8_t *aligned = memory + (16 - (uintptr_t)memory % 16) % 16;
  uint32_t add = entry_of(hello, "math.add", RB_ENCODING_POD);
  int64_t numbers[2];
  int64_t sum;
  size_t offset;
  size_t len;
  rb_response response;
  numbers[0] = INT64_C(1) << 40;
  numbers[1] = -5;
  for (offset = 0; offset < 16; offset++) {
    uint8_t out[24];
    memcpy(aligned + offset, numbers, sizeof numbers);
    /* Storage as misaligned as the request. */
    response = with_buffer(out + offset, 8);
    CHECK_STATUS(RB_OK, rb_call(hello, add | RB_ENTRY_LEAF, aligned + offset, sizeof numbers, &response), &response);
    CHECK(response.len == 8 && response.release == NULL);
    memcpy(&sum, out + offset, sizeof sum);
    CHECK(sum == (INT64_C(1) << 40) - 5);
  }
  for (len = 0; len <= 32; len++) {
    response = no_storage();
    if (len != 16) {
      CHECK_ERROR(RB_INVALID_ARGUMENT, rb_call(hello, add, memory, len, &response), &response, "16");
    }
    if (len != 8) {
      uint32_t entry = entry_of(c, "add", RB_ENCODING_POD);
      CHECK_ERROR(RB_INVALID_ARGUMENT, rb_call(c, entry, memory, len, &response), &response, "`add (pod)` must be 8 bytes");
    }
  }
  numbers[0] = INT64_MAX;
  numbers[1] = 1;
  response = no_storage();
  CHECK_ERROR(RB_OUT_OF_RANGE, rb_call(hello, add, (const uint8_t *)numbers, 16, &response), &response, "");
  /* Storage of one byte too few: handed over, and nothing behind the storage is touched. */
  numbers[0] = 2;
  memset(memory, 0x5a, sizeof memory);
  response = with_buffer(memory, 7);
  CHECK(rb_call(hello, add, (const uint8_t *)numbers, 16, &response) == RB_OK);
  CHECK(response.release != NULL && response.data != memory && response.len == 8);
  memcpy(&sum, response.data, sizeof sum);
  CHECK(sum == 3);
  rb_response_release(&response);
  for (len = 7; len < sizeof memory; len++) {
    CHECK(memory[len] == 0x5a);
  }
}

static void json(rb_instance hello) {
  rb_response response = no_storage();
  char *nested;
  size_t depth = 1000000;
  CHECK_STATUS(RB_OK, json_call(hello, "echo", "{\"message\":\"h\xc3\xa9\"}", 17, &response), &response);
  CHECK(contains(&response, "\"length\":3"));
  rb_response_release(&response);
  CHECK_ERROR(RB_INVALID_ARGUMENT, json_call(hello, "echo", NULL, 0, &response), &response, "");
  CHECK_ERROR(RB_INVALID_ARGUMENT, json_call(hello, "echo", "{", 1, &response), &response, "");
  CHECK_ERROR(RB_INVALID_ARGUMENT, json_call(hello, "echo", "\0\0", 2, &response), &response, "");
  CHECK_ERROR(RB_INVALID_ARGUMENT, json_call(hello, "echo", "{\"message\":\"\xff\xfe\"}", 16, &response), &response, "");
  CHECK_ERROR(RB_INVALID_ARGUMENT, json_call(hello, "echo", "{\"message\":\"\xed\xa0\x80\"}", 17, &response), &response, "");
  CHECK_ERROR(RB_INVALID_ARGUMENT, json_call(hello, "echo", "{\"massage\":\"a\"}", 15, &response), &response, "message");
  /* Nested deeper than any stack: {"message":[[[[... */
  nested = (char *)malloc(depth + 11);
  CHECK(nested != NULL);
  memcpy(nested, "{\"message\":", 11);
  memset(nested + 11, '[', depth);
  CHECK_ERROR(RB_INVALID_ARGUMENT, json_call(hello, "echo", nested, depth + 11, &response), &response, "");
  memset(nested, '[', depth + 11);
  CHECK_ERROR(RB_INVALID_ARGUMENT, json_call(hello, "echo", nested, depth + 11, &response), &response, "");
  free(nested);
  CHECK(state_of(hello) == RB_STATE_ACTIVE);
}

static void raw(rb_instance c) {
  uint32_t echo = entry_of(c, "echo", RB_ENCODING_RAW);
  uint32_t handover = entry_of(c, "handover", RB_ENCODING_RAW);
  uint8_t storage[64];
  rb_response response = with_buffer(storage, sizeof storage);
  size_t len;
  CHECK(rb_call(c, echo, NULL, 0, &response) == RB_OK);
  CHECK(response.len == 0 && response.release == NULL);
  CHECK(rb_call(c, echo, (const uint8_t *)"\xff\x00\xfe", 3, &response) == RB_OK);
  CHECK(response.len == 3 && memcmp(storage, "\xff\x00\xfe", 3) == 0);
  for (len = 0; len <= 200; len++) {
    uint8_t request[200];
    memset(request, (int)len, sizeof request);
    response = with_buffer(storage, sizeof storage);
    CHECK(rb_call(c, echo, request, len, &response) == RB_OK);
    CHECK(response.len == len && (response.release == NULL) == (len <= sizeof storage));
    CHECK(len == 0 || memcmp(response.data, request, len) == 0);
    rb_response_release(&response);
    response = with_buffer(storage, sizeof storage);
    CHECK(rb_call(c, handover, request, len, &response) == RB_OK);
    CHECK(response.len == len && response.release != NULL && response.data != storage);
    rb_response_release(&response);
  }
}

/* What a plugin says of its answer and can't be true; `conformance/cases/lies.json` has all kinds. */
static void lies(rb_instance c) {
  uint32_t constant = entry_of(c, "constant", RB_ENCODING_RAW);
  uint32_t claim = entry_of(c, "claim", RB_ENCODING_RAW);
  static const uint64_t claimed[] = {301, (uint64_t)1 << 63, UINT64_MAX};
  uint8_t storage[300];
  size_t index;
  rb_response response;
  for (index = 0; index < sizeof claimed / sizeof claimed[0]; index++) {
    response = with_buffer(storage, sizeof storage);
    CHECK_ERROR(RB_INTERNAL, rb_call(c, claim, (const uint8_t *)&claimed[index], 8, &response), &response,
                "`claim (raw)` of plugin `c`");
    response = no_storage();
    CHECK_ERROR(RB_INTERNAL, rb_call(c, claim, (const uint8_t *)&claimed[index], 8, &response), &response, "InvalidResponse");
  }
  response = with_buffer(storage, sizeof storage);
  CHECK_ERROR(RB_INTERNAL, rb_call(c, constant, NULL, 0, &response), &response, "outside the caller's buffer");
  /* The storage is the caller's again, whatever the plugin did to the struct. */
  CHECK(response.data == NULL || response.data == storage);
}

/* What a plugin that isn't ours may answer. */
static void odd_answers(rb_instance c) {
  uint32_t status = entry_of(c, "status", RB_ENCODING_RAW);
  static const int32_t odd[] = {17, 255, -1, INT32_MIN, INT32_MAX & ~0x100, 0x200};
  size_t index;
  int32_t wanted;
  rb_response response;
  for (wanted = RB_OK; wanted <= RB_UNAUTHENTICATED; wanted++) {
    CHECK(call_and_release(c, status, &wanted, sizeof wanted) == wanted);
  }
  for (index = 0; index < sizeof odd / sizeof odd[0]; index++) {
    CHECK(call_and_release(c, status, &odd[index], sizeof odd[0]) == RB_UNKNOWN);
  }
  /* The panic bit never reaches a host; without RB_LOAD_POISON the instance goes on. */
  wanted = RB_INTERNAL | RB_PANICKED;
  CHECK(call_and_release(c, status, &wanted, sizeof wanted) == RB_INTERNAL);
  CHECK(state_of(c) == RB_STATE_ACTIVE);
  lies(c);
  response = no_storage();
  CHECK_ERROR(RB_NOT_FOUND, rb_call(c, entry_of(c, "fail", RB_ENCODING_RAW), NULL, 0, &response), &response,
              "\"details\":{\"id\":7}");
}

static void poison(const char *path) {
  rb_load_options options = options_for(path);
  rb_instance poisoned;
  rb_instance other = load(path);
  int32_t panicked = RB_INTERNAL | RB_PANICKED;
  uint32_t status;
  rb_method method = no_method();
  rb_response response = no_storage();
  options.flags = RB_LOAD_POISON;
  poisoned = load_with(&options);
  status = entry_of(poisoned, "status", RB_ENCODING_RAW);
  CHECK(call_and_release(poisoned, status, &panicked, sizeof panicked) == RB_INTERNAL);
  CHECK(state_of(poisoned) == RB_STATE_POISONED);
  CHECK_ERROR(RB_FAILED_PRECONDITION, rb_call(poisoned, status, NULL, 0, &response), &response, "rustbridge.");
  CHECK(rb_prepare(poisoned, rb_text_of("echo"), RB_ENCODING_RAW, &method, NULL) == RB_OK);
  CHECK(state_of(other) == RB_STATE_ACTIVE);
  panicked = RB_OK;
  CHECK(call_and_release(other, status, &panicked, sizeof panicked) == RB_OK);
  close_now(poisoned);
  CHECK(state_of(poisoned) == RB_STATE_CLOSED);
  close_now(other);
}

static void entry_of_another_plugin(rb_instance c, rb_instance hello) {
  rb_response response = no_storage();
  uint32_t of_c = entry_of(c, "echo", RB_ENCODING_RAW);
  uint32_t of_hello = entry_of(hello, "echo", RB_ENCODING_JSON);
  CHECK(of_c != of_hello);
  CHECK_ERROR(RB_NOT_FOUND, rb_call(c, of_hello, NULL, 0, &response), &response, "");
  CHECK_ERROR(RB_NOT_FOUND, rb_call(hello, of_c, NULL, 0, &response), &response, "");
  CHECK_ERROR(RB_NOT_FOUND, rb_call(hello, entry_of(c, "length", RB_ENCODING_RAW) | RB_ENTRY_LEAF, NULL, 0, &response), &response, "");
}

static void block(rb_instance hello) {
  rb_call_args args;
  int64_t numbers[2];
  int64_t sum = 0;
  memset(&args, 0, sizeof args);
  numbers[0] = 40;
  numbers[1] = 2;
  args.instance = hello;
  args.entry = entry_of(hello, "math.add", RB_ENCODING_POD);
  args.request = (const uint8_t *)numbers;
  args.request_len = sizeof numbers;
  args.response = with_buffer(&sum, sizeof sum);
  args.status = 99;
  CHECK(rb_call_block(&args) == RB_OK);
  CHECK(args.status == RB_OK && sum == 42 && args.response.len == 8);
  sum = 0;
  args.status = 99;
  args.entry |= RB_ENTRY_LEAF;
  CHECK(rb_call_block(&args) == RB_OK);
  CHECK(args.status == RB_OK && sum == 42);
  args.request_len = 3;
  CHECK(rb_call_block(&args) == RB_INVALID_ARGUMENT);
  CHECK(args.status == RB_INVALID_ARGUMENT);
  rb_response_release(&args.response);
}

/* A response or a block is ready for the next call, whatever a plugin wrote over the storage that it was offered. */
static void block_again(rb_instance c) {
  uint8_t storage[16];
  uint8_t another[16];
  const uint64_t claims[][2] = {{(uint64_t)(uintptr_t)storage, 1 << 20},
                                {(uint64_t)(uintptr_t)storage, 0},
                                {(uint64_t)(uintptr_t)another, sizeof another},
                                {0, 0}};
  size_t index;
  rb_call_args args;
  memset(&args, 0, sizeof args);
  args.instance = c;
  args.entry = entry_of(c, "offer", RB_ENCODING_RAW);
  args.request_len = sizeof claims[0];
  args.response = with_buffer(storage, sizeof storage);
  for (index = 0; index < sizeof claims / sizeof claims[0]; index++) {
    args.request = (const uint8_t *)claims[index];
    CHECK(rb_call_block(&args) == RB_OK);
    CHECK(args.response.len == 0 && args.response.release == NULL);
    CHECK(args.response.data == storage && args.response.capacity == sizeof storage);
    CHECK(rb_call(c, args.entry, args.request, args.request_len, &args.response) == RB_OK);
    CHECK(args.response.data == storage && args.response.capacity == sizeof storage);
  }
}

static void hundred_megabytes(rb_instance c, rb_instance hello) {
  size_t len = 100U << 20;
  uint8_t *request = (uint8_t *)malloc(len + 14);
  rb_response response = no_storage();
  uint8_t *end;
  CHECK(request != NULL);
  memset(request, 'x', len + 14);
  CHECK_STATUS(RB_OK, rb_call(c, entry_of(c, "echo", RB_ENCODING_RAW), request, len, &response), &response);
  CHECK(response.len == len && memcmp(response.data, request, len) == 0);
  rb_response_release(&response);
  memcpy(request, "{\"message\":\"", 12);
  memcpy(request + 12 + len, "\"}", 2);
  CHECK_STATUS(RB_OK, json_call(hello, "echo", request, len + 14, &response), &response);
  CHECK(response.len == 12 + len + strlen("\",\"length\":104857600}"));
  end = response.data + response.len - strlen("\"length\":104857600}");
  CHECK(memcmp(end, "\"length\":104857600}", strlen("\"length\":104857600}")) == 0);
  rb_response_release(&response);
  free(request);
}

/* Lengths above 4 GiB, both ways, through memory that is only promised. */
static void beyond_32_bits(rb_instance c) {
#if defined(_WIN32)
  (void)c;
#else
  size_t len = ((size_t)1 << 32) + 4099;
  void *promised = mmap(NULL, len, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  uint64_t counted = 0;
  uint64_t wanted = len + 1;
  rb_response response = with_buffer(&counted, sizeof counted);
  rb_call_args args;
  CHECK(promised != MAP_FAILED);
  CHECK(rb_call(c, entry_of(c, "length", RB_ENCODING_RAW), (const uint8_t *)promised, len, &response) == RB_OK);
  CHECK(counted == len);
  memset(&args, 0, sizeof args);
  args.instance = c;
  args.entry = entry_of(c, "length", RB_ENCODING_RAW);
  args.request = (const uint8_t *)promised;
  args.request_len = len;
  counted = 0;
  args.response = with_buffer(&counted, sizeof counted);
  args.entry |= RB_ENTRY_LEAF;
  CHECK(rb_call_block(&args) == RB_OK);
  CHECK(counted == len);
  CHECK(munmap(promised, len) == 0);

  response = no_storage();
  CHECK_STATUS(RB_OK, rb_call(c, entry_of(c, "huge", RB_ENCODING_RAW), (const uint8_t *)&wanted, 8, &response), &response);
  CHECK(response.len == wanted);
  CHECK(response.data[0] == 0 && response.data[wanted - 1] == 0);
  rb_response_release(&response);
  CHECK(response.len == 0 && response.data == NULL);
#endif
}

int main(int argc, char **argv) {
  rb_instance c;
  rb_instance hello;
  CHECK(argc >= 3);
  c = load(argv[1]);
  hello = load(argv[2]);
  pods(hello, c);
  json(hello);
  raw(c);
  odd_answers(c);
  poison(argv[1]);
  entry_of_another_plugin(c, hello);
  block(hello);
  block_again(c);
  if (argc < 4) {
    hundred_megabytes(c, hello);
    beyond_32_bits(c);
  }
  close_now(hello);
  close_now(c);
  printf("requests: ok\n");
  return 0;
}
