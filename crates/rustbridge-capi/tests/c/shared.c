/*
 * Requests that another thread writes to while the call runs, which the entry says. Usage: shared C_PLUGIN HELLO_PLUGIN.
 */
#include "check.h"

enum { LEN = 200, LARGE = 4000, BEFORE = 12, BEHIND = 2 };

/* {"message":"aaaa.."} in which pairs of letters turn into one of two bytes and back. */
typedef struct text {
  volatile uint8_t bytes[BEFORE + LARGE + BEHIND];
  size_t len;
  volatile long over;
} text;

static text changing;

THREAD_FUNCTION(change) {
  text *self = (text *)argument;
  size_t at;
  while (atomic_read(&self->over) == 0) {
    for (at = 0; at < self->len; at += 2) {
      self->bytes[BEFORE + at] = 'a';
      self->bytes[BEFORE + at + 1] = 'a';
    }
    for (at = 0; at < self->len; at += 2) {
      self->bytes[BEFORE + at] = 0xc3;
      self->bytes[BEFORE + at + 1] = 0xa9;
    }
  }
  THREAD_RETURN;
}

static thread begin(size_t len) {
  size_t at;
  const char *before = "{\"message\":\"";
  for (at = 0; at < BEFORE; at++) {
    changing.bytes[at] = (uint8_t)before[at];
  }
  for (at = 0; at < len; at++) {
    changing.bytes[BEFORE + at] = 'a';
  }
  changing.bytes[BEFORE + len] = '"';
  changing.bytes[BEFORE + len + 1] = '}';
  changing.len = len;
  changing.over = 0;
  return start(change, &changing);
}

static void end(thread changer) {
  atomic_add(&changing.over, 1);
  join(changer);
}

static int is_utf8(const uint8_t *bytes, size_t len) {
  size_t at;
  for (at = 0; at < len; at++) {
    if (bytes[at] == 0xc3 && at + 1 < len && bytes[at + 1] == 0xa9) {
      at++;
    } else if (bytes[at] >= 0x80) {
      return 0;
    }
  }
  return 1;
}

/* By each of the functions in turn. */
static rb_status call(int way, rb_instance instance, uint32_t entry, const uint8_t *request, size_t len, rb_response *response) {
  rb_call_args args;
  rb_call_result *outcome;
  int64_t result;
  rb_status status;
  switch (way % 3) {
    case 0:
      return rb_call(instance, entry, request, len, response);
    case 1:
      memset(&args, 0, sizeof args);
      args.instance = instance;
      args.entry = entry;
      args.request = request;
      args.request_len = len;
      args.response = *response;
      status = rb_call_block(&args);
      *response = args.response;
      return status;
    default:
      result = rb_call_into(instance, entry, request, len, response->data, response->capacity);
      outcome = rb_call_result_of(result);
      if (outcome == NULL) {
        response->len = (size_t)result;
        return RB_OK;
      }
      status = outcome->status;
      CHECK(outcome->response.release == NULL);
      response->len = outcome->response.len;
      rb_call_result_release(outcome);
      return status;
  }
}

static void look_twice(rb_instance c, size_t len, int calls, uint32_t flags) {
  uint32_t entry = entry_of(c, "look_twice", RB_ENCODING_RAW) | RB_ENTRY_SHARED | flags;
  thread changer = begin(len);
  int good = 0;
  int index;
  for (index = 0; index < calls; index++) {
    rb_response response = no_storage();
    rb_status status = call(index, c, entry, (const uint8_t *)changing.bytes + BEFORE, len, &response);
    CHECK(status == RB_OK || status == RB_INVALID_ARGUMENT);
    good += status == RB_OK;
  }
  end(changer);
  CHECK(good > 0);
}

static void echo(rb_instance hello, size_t len, int calls) {
  static uint8_t storage[2 * LARGE];
  uint32_t entry = entry_of(hello, "echo", RB_ENCODING_JSON) | RB_ENTRY_SHARED;
  thread changer = begin(len);
  int good = 0;
  int index;
  for (index = 0; index < calls; index++) {
    rb_response response = with_buffer(storage, sizeof storage);
    rb_status status = call(index, hello, entry, (const uint8_t *)changing.bytes, BEFORE + len + BEHIND, &response);
    CHECK(status == RB_OK || status == RB_INVALID_ARGUMENT);
    CHECK(response.release == NULL && is_utf8(response.data, response.len));
    good += status == RB_OK;
  }
  end(changer);
  CHECK(good > 0);
}

/* What's copied is what the plugin gets, from any address and with any length. */
static void all_lengths(rb_instance c) {
  static uint8_t request[3000];
  static uint8_t storage[3000];
  uint32_t entry = entry_of(c, "echo", RB_ENCODING_RAW) | RB_ENTRY_SHARED;
  size_t len;
  for (len = 0; len < sizeof request; len++) {
    request[len] = (uint8_t)(len * 7);
  }
  for (len = 0; len + 16 < sizeof request; len += len < 600 ? 1 : 97) {
    rb_response response = with_buffer(storage, sizeof storage);
    CHECK_STATUS(RB_OK, call((int)len, c, entry, request + len % 16, len, &response), &response);
    CHECK(response.len == len && memcmp(storage, request + len % 16, len) == 0);
  }
}

int main(int argc, char **argv) {
  rb_instance c;
  rb_instance hello;
  CHECK(argc == 3);
  c = load(argv[1]);
  hello = load(argv[2]);
  all_lengths(c);
  look_twice(c, LEN, 100000, 0);
  look_twice(c, LEN, 10000, RB_ENTRY_LEAF);
  look_twice(c, LARGE, 5000, 0);
  echo(hello, LEN, 5000);
  echo(hello, LARGE, 300);
  close_now(hello);
  close_now(c);
  printf("shared: ok\n");
  return 0;
}
