/*
 * The testee in C: does what the judge of the conformance cases tells it on the standard input, and says on the standard
 * output what came of it. `conformance/protocol.md` has both sides of that.
 *
 * Requests and storage are allocated at exactly their size, so that a memory checker sees one byte too far. With the
 * argument `guard` a few bytes more behind the storage are watched instead.
 */
#include "testee_operations.h"

#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#endif

#define LEVELS 6

static rb_instance instances[INSTANCES];
static buffer records[INSTANCES];
static size_t guard;

enum way { BY_CALL, BY_CALL_INTO, BY_CALL_BLOCK };

/* C has no JSON, so errors are given as they are. */
static const char hello[] = "protocol 1\n"
                            "host c/librustbridge\n"
                            "offers c-abi\n"
                            "offers header\n"
                            "offers operations\n"
                            "offers services\n"
                            "offers objects\n"
                            "offers offload\n"
                            "offers callbacks\n"
                            "offers queues\n"
                            "errors payload\n"
                            "way call storage=256 misalign\n"
                            "way call_into storage=256 misalign\n"
                            "way call_block storage=256 misalign\n";

static const char *const levels[LEVELS] = {"OFF", "ERROR", "WARN", "INFO", "DEBUG", "TRACE"};
static const char *const states[] = {"", "active", "poisoned", "closing", "closed", "forked"};

static uint8_t read_instance(void) {
  uint8_t instance = read_u8();
  CHECK(instance < INSTANCES);
  return instance;
}

/* The level's number, which is its place. */
static uint32_t read_level(void) {
  uint8_t *memory;
  size_t len;
  const uint8_t *name = read_bytes(0, &memory, &len);
  uint32_t level;
  for (level = 0; level < LEVELS; level++) {
    if (strlen(levels[level]) == len && memcmp(levels[level], name, len) == 0) {
      break;
    }
  }
  CHECK(level < LEVELS);
  free(memory);
  return level;
}

static void take(void *user_data, const rb_log_record *record) {
  buffer *to = (buffer *)user_data;
  if (record->kind != RB_RECORD_EVENT) {
    return;
  }
  CHECK(record->level < LEVELS);
  append_word(to, levels[record->level]);
  append_text(to, record->target);
  append_text(to, record->message);
  append_text(to, record->fields);
  append_text(to, record->spans);
}

static void do_load(void) {
  uint8_t instance = read_instance();
  uint8_t *path_memory;
  uint8_t *config_memory;
  uint8_t with_config;
  size_t len;
  rb_load_options options;
  rb_service services[SERVICES];
  rb_log_sink sink = no_sink();
  rb_response error = no_storage();
  rb_status status;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.path.data = (const char *)read_bytes(0, &path_memory, &len);
  options.path.len = len;
  with_config = read_u8();
  options.config = read_bytes(0, &config_memory, &len);
  options.config_len = len;
  if (!with_config) {
    options.config = NULL;
  }
  options.flags = read_u8() ? RB_LOAD_POISON : 0;
  options.log_level = read_level();
  if (read_u8()) {
    sink.log = take;
    sink.user_data = &records[instance];
    options.log = &sink;
  }
  CHECK(instances[instance] == 0);
  add_services(instance, services, &options);
  status = rb_load(&options, &instances[instance], &error);
  CHECK((status == RB_OK) == (instances[instance] != 0));
  free(path_memory);
  free(config_memory);
  give_and_release('L', status, &error);
}

static void do_prepare(char command) {
  uint8_t instance = read_instance();
  uint8_t *memory = NULL;
  uint8_t *unused;
  size_t len;
  rb_text name = {NULL, 0};
  uint32_t id = 0;
  rb_encoding encoding;
  rb_method method = no_method();
  rb_response error = no_storage();
  rb_status status;
  if (command == 'P') {
    name.data = (const char *)read_bytes(0, &memory, &name.len);
  } else {
    id = read_u32();
  }
  encoding = read_u32();
  free(read_bytes(0, &unused, &len));
  status = command == 'P' ? rb_prepare(instances[instance], name, encoding, &method, &error)
                          : rb_prepare_id(instances[instance], id, encoding, &method, &error);
  free(memory);
  if (status == RB_OK) {
    give(command, status, &method.entry, sizeof method.entry);
  } else {
    give_and_release(command, status, &error);
  }
}

static rb_call_result *call_into(rb_instance instance, uint32_t entry, const uint8_t *request, size_t len,
                             rb_response *response, rb_status *status) {
  int64_t result = rb_call_into(instance, entry, request, len, response->data, response->capacity);
  rb_call_result *outcome = rb_call_result_of(result);
  if (outcome == NULL) {
    *status = RB_OK;
    response->len = (size_t)result;
    return NULL;
  }
  *status = outcome->status;
  if (outcome->response.release == NULL) {
    CHECK(outcome->response.data == NULL);
    response->len = outcome->response.len;
  } else {
    /* Released by the caller, so that the outcome has nothing left of it. */
    *response = outcome->response;
    memset(&outcome->response, 0, sizeof outcome->response);
  }
  return outcome;
}

static rb_status call_block(rb_instance instance, uint32_t entry, const uint8_t *request, size_t len,
                            rb_response *response) {
  rb_call_args args;
  rb_status status;
  memset(&args, 0, sizeof args);
  args.instance = instance;
  args.entry = entry;
  args.request = request;
  args.request_len = len;
  args.response = *response;
  status = rb_call_block(&args);
  CHECK(args.status == status);
  *response = args.response;
  return status;
}

static void do_call(void) {
  uint8_t instance = read_instance();
  uint32_t entry = read_u32();
  uint8_t way = read_u8();
  uint32_t flag = read_u8() ? RB_ENTRY_LEAF : 0;
  size_t capacity = (size_t)read_u64();
  uint8_t misalign = read_u8();
  uint8_t *memory;
  size_t len;
  size_t at;
  uint8_t *request = read_bytes(misalign, &memory, &len);
  uint8_t *storage = NULL;
  rb_response response = no_storage();
  rb_call_result *outcome = NULL;
  rb_status status;
  if (capacity > 0) {
    storage = (uint8_t *)malloc(capacity + guard == 0 ? 1 : capacity + guard);
    CHECK(storage != NULL);
    memset(storage + capacity, 0xa5, guard);
    response.data = storage;
    response.capacity = capacity;
  }
  entry |= flag;
  switch (way) {
    case BY_CALL:
      status = rb_call(instances[instance], entry, request, len, &response);
      break;
    case BY_CALL_INTO: outcome = call_into(instances[instance], entry, request, len, &response, &status); break;
    default: CHECK(way == BY_CALL_BLOCK); status = call_block(instances[instance], entry, request, len, &response);
  }
  for (at = 0; at < guard && storage != NULL; at++) {
    CHECK(storage[capacity + at] == 0xa5);
  }
  if (response.release == NULL && response.len > 0) {
    CHECK(response.len <= capacity && response.data == storage);
  }
  give_and_release('C', status, &response);
  rb_call_result_release(outcome);
  free(storage);
  free(memory);
}

static void do_close(void) {
  uint8_t instance = read_instance();
  uint64_t timeout_ms = read_u64();
  rb_response report = no_storage();
  rb_status status = rb_close(instances[instance], timeout_ms, &report);
  give_and_release('X', status, &report);
}

static void do_close_with(void) {
  uint8_t instance = read_instance();
  rb_close_options options;
  rb_response report = no_storage();
  rb_status status;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.flags = RB_CLOSE_CANCEL;
  options.timeout_ms = read_u64();
  options.cancel_after_ms = read_u64();
  status = rb_close_with(instances[instance], &options, &report);
  give_and_release('Y', status, &report);
}

static void do_state(void) {
  uint8_t instance = read_instance();
  uint32_t state = 0;
  rb_response error = no_storage();
  rb_status status = rb_state(instances[instance], &state, &error);
  if (status == RB_OK) {
    CHECK(state < sizeof states / sizeof states[0]);
    give('S', status, states[state], strlen(states[state]));
  } else {
    give_and_release('S', status, &error);
  }
}

static void do_level(void) {
  uint8_t instance = read_instance();
  rb_response error = no_storage();
  rb_status status = rb_log_set_level(instances[instance], read_level(), &error);
  give_and_release('V', status, &error);
}

static void do_flush(void) {
  uint8_t instance = read_instance();
  rb_response error = no_storage();
  rb_status status = rb_log_flush(instances[instance], 10000, &error);
  if (status == RB_OK || state_of(instances[instance]) == RB_STATE_CLOSED) {
    /* The sink is quiet after a flush, and nobody calls meanwhile. A closed instance has delivered everything. */
    give('F', RB_OK, records[instance].data, records[instance].len);
    rb_response_release(&error);
  } else {
    give_and_release('F', status, &error);
  }
}

static void do_drop(void) {
  uint8_t instance = read_instance();
  if (instances[instance] != 0 && state_of(instances[instance]) != RB_STATE_CLOSED) {
    rb_close(instances[instance], 10000, NULL);
    CHECK(state_of(instances[instance]) == RB_STATE_CLOSED);
  }
  instances[instance] = 0;
  free_buffer(&records[instance]);
  drop_services(instance);
  give('D', RB_OK, NULL, 0);
}

int main(int argc, char **argv) {
  int command;
  if (argc > 1) {
    if (argc > 2 || strcmp(argv[1], "guard") != 0) {
      fprintf(stderr, "usage: conformance [guard]\n");
      return 2;
    }
    guard = 64;
  }
#if defined(_WIN32)
  _setmode(_fileno(stdin), _O_BINARY);
  _setmode(_fileno(stdout), _O_BINARY);
#endif
  while ((command = fgetc(stdin)) != EOF) {
    switch (command) {
      case 'H': give('H', RB_OK, hello, sizeof hello - 1); break;
      case 'L': do_load(); break;
      case 'P':
      case 'I': do_prepare((char)command); break;
      case 'C': do_call(); break;
      case 'X': do_close(); break;
      case 'Y': do_close_with(); break;
      case 'Q': read_instance(); do_abandon(); break;
      case 'S': do_state(); break;
      case 'V': do_level(); break;
      case 'F': do_flush(); break;
      case 'D': do_drop(); break;
      case 'W': do_begin(instances[read_instance()]); break;
      case 'E': read_instance(); do_event(); break;
      case 'K':
      case 'G':
      case 'N':
      case 'T':
      case 'Z': read_instance(); do_act((char)command); break;
      case 'O': read_instance(); do_release(); break;
      case 'R': do_register(read_instance()); break;
      case 'A': do_asked(read_instance()); break;
      default:
        fprintf(stderr, "unknown command %d\n", command);
        return 1;
    }
    CHECK(fflush(stdout) == 0);
  }
  end_operations();
  return 0;
}
