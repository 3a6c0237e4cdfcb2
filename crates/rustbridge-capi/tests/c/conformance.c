/*
 * Does what it's told on the standard input and says on the standard output what came of it.
 *
 * C has no JSON, so a Rust test reads the cases and judges the answers; in between is nothing but a C host. Both ways
 * are little-endian: a command is one letter and its arguments, `bytes` are a u64 length and the bytes. Each command
 * gives one result: its letter, the status as i32, and bytes. Requests and storage are allocated at exactly their size,
 * so that a memory checker sees one byte too far. Usage: conformance [guard] [into]. With `guard` a few bytes more behind
 * the storage are watched; with `into` calls are made by rb_call_into.
 *
 *   L instance:u8 path:bytes with_config:u8 config:bytes flags:u32 level:u32 with_sink:u8      gives an error
 *   P instance:u8 name:bytes encoding:u32                                  gives the entry as u32, or an error
 *   I instance:u8 id:u32 encoding:u32                                      gives the entry as u32, or an error
 *   C instance:u8 entry:u32 leaf:u8 with_storage:u8 capacity:u64 misalign:u32 request:bytes    gives the response
 *   X instance:u8 timeout_ms:u64                                                               gives the report
 *   S instance:u8                                                                              gives the state as u32
 *   V instance:u8 level:u32                                                                    gives nothing
 *   F instance:u8                                          flushes; gives the records seen, each
 *                                                          level:u32 kind:u32 target message fields spans:bytes
 *   D instance:u8                                          closes it if need be; gives nothing, the number is free
 */
#include "check.h"

#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#endif

#define INSTANCES 200

typedef struct buffer {
  uint8_t *data;
  size_t len;
  size_t capacity;
} buffer;

static rb_instance instances[INSTANCES];
static buffer records[INSTANCES];
static size_t guard;
static int by_call_into;

static void append(buffer *to, const void *bytes, size_t len) {
  if (to->len + len > to->capacity) {
    to->capacity = (to->len + len) * 2;
    to->data = (uint8_t *)realloc(to->data, to->capacity);
    CHECK(to->data != NULL);
  }
  if (len > 0) {
    memcpy(to->data + to->len, bytes, len);
    to->len += len;
  }
}

static void append_text(buffer *to, rb_text text) {
  uint64_t len = text.len;
  append(to, &len, sizeof len);
  append(to, text.data, text.len);
}

static void read_exactly(void *to, size_t len) {
  CHECK(len == 0 || fread(to, len, 1, stdin) == 1);
}

static uint8_t read_u8(void) {
  uint8_t value;
  read_exactly(&value, sizeof value);
  return value;
}

static uint32_t read_u32(void) {
  uint32_t value;
  read_exactly(&value, sizeof value);
  return value;
}

static uint64_t read_u64(void) {
  uint64_t value;
  read_exactly(&value, sizeof value);
  return value;
}

static uint8_t read_instance(void) {
  uint8_t instance = read_u8();
  CHECK(instance < INSTANCES);
  return instance;
}

/* The bytes begin `misalign` bytes into the memory, which ends where they end. To be freed with `free(memory)`. */
static uint8_t *read_bytes(size_t misalign, uint8_t **memory, size_t *len) {
  *len = (size_t)read_u64();
  *memory = (uint8_t *)malloc(misalign + *len == 0 ? 1 : misalign + *len);
  CHECK(*memory != NULL);
  read_exactly(*memory + misalign, *len);
  return *memory + misalign;
}

static void give(char command, rb_status status, const void *bytes, size_t len) {
  uint64_t wide = len;
  int32_t code = status;
  CHECK(fputc(command, stdout) != EOF);
  CHECK(fwrite(&code, sizeof code, 1, stdout) == 1);
  CHECK(fwrite(&wide, sizeof wide, 1, stdout) == 1);
  CHECK(len == 0 || fwrite(bytes, len, 1, stdout) == 1);
}

static void give_and_release(char command, rb_status status, rb_response *response) {
  give(command, status, response->data, response->len);
  rb_response_release(response);
}

static void take(void *user_data, const rb_log_record *record) {
  buffer *to = (buffer *)user_data;
  append(to, &record->level, sizeof record->level);
  append(to, &record->kind, sizeof record->kind);
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
  options.flags = read_u32();
  options.log_level = read_u32();
  if (read_u8()) {
    sink.log = take;
    sink.user_data = &records[instance];
    options.log = &sink;
  }
  CHECK(instances[instance] == 0);
  status = rb_load(&options, &instances[instance], &error);
  CHECK((status == RB_OK) == (instances[instance] != 0));
  free(path_memory);
  free(config_memory);
  give_and_release('L', status, &error);
}

static void do_prepare(char command) {
  uint8_t instance = read_instance();
  uint8_t *memory = NULL;
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
  status = command == 'P' ? rb_prepare(instances[instance], name, encoding, &method, &error)
                          : rb_prepare_id(instances[instance], id, encoding, &method, &error);
  free(memory);
  if (status == RB_OK) {
    give(command, status, &method.entry, sizeof method.entry);
  } else {
    give_and_release(command, status, &error);
  }
}

static rb_outcome *call_into(rb_instance instance, uint32_t entry, int leaf, const uint8_t *request, size_t len,
                             rb_response *response, rb_status *status) {
  int64_t result = leaf ? rb_call_into(instance, entry | RB_ENTRY_LEAF, request, len, response->data, response->capacity)
                        : rb_call_into(instance, entry, request, len, response->data, response->capacity);
  rb_outcome *outcome = rb_outcome_of(result);
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

static void do_call(void) {
  uint8_t instance = read_instance();
  uint32_t entry = read_u32();
  uint8_t leaf = read_u8();
  uint8_t with_storage = read_u8();
  size_t capacity = (size_t)read_u64();
  uint32_t misalign = read_u32();
  uint8_t *memory;
  size_t len;
  size_t at;
  uint8_t *request = read_bytes(misalign, &memory, &len);
  uint8_t *storage = NULL;
  rb_response response = no_storage();
  rb_outcome *outcome = NULL;
  rb_status status;
  if (with_storage) {
    storage = (uint8_t *)malloc(capacity + guard == 0 ? 1 : capacity + guard);
    CHECK(storage != NULL);
    memset(storage + capacity, 0xa5, guard);
    response.data = storage;
    response.capacity = capacity;
  }
  if (by_call_into) {
    outcome = call_into(instances[instance], entry, leaf, request, len, &response, &status);
  } else {
    status = leaf ? rb_call(instances[instance], entry | RB_ENTRY_LEAF, request, len, &response)
                  : rb_call(instances[instance], entry, request, len, &response);
  }
  for (at = 0; at < guard && storage != NULL; at++) {
    CHECK(storage[capacity + at] == 0xa5);
  }
  if (response.release == NULL && response.len > 0) {
    CHECK(response.len <= capacity && response.data == storage);
  }
  give_and_release('C', status, &response);
  rb_outcome_release(outcome);
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

static void do_state(void) {
  uint8_t instance = read_instance();
  uint32_t state = 0;
  rb_status status = rb_state(instances[instance], &state, NULL);
  give('S', status, &state, sizeof state);
}

static void do_level(void) {
  uint8_t instance = read_instance();
  give('V', rb_log_set_level(instances[instance], read_u32(), NULL), NULL, 0);
}

static void do_flush(void) {
  uint8_t instance = read_instance();
  rb_status status = rb_log_flush(instances[instance], 10000, NULL);
  /* The sink is quiet after a flush, and nobody calls meanwhile. A closed instance has delivered everything. */
  give('F', status, records[instance].data, records[instance].len);
}

static void do_drop(void) {
  uint8_t instance = read_instance();
  if (instances[instance] != 0 && state_of(instances[instance]) != RB_STATE_CLOSED) {
    rb_close(instances[instance], 10000, NULL);
    CHECK(state_of(instances[instance]) == RB_STATE_CLOSED);
  }
  instances[instance] = 0;
  free(records[instance].data);
  memset(&records[instance], 0, sizeof records[instance]);
  give('D', RB_OK, NULL, 0);
}

int main(int argc, char **argv) {
  int command;
  for (; argc > 1; argc--) {
    if (strcmp(argv[argc - 1], "guard") == 0) {
      guard = 64;
    } else if (strcmp(argv[argc - 1], "into") == 0) {
      by_call_into = 1;
    } else {
      fprintf(stderr, "usage: conformance [guard] [into]\n");
      return 2;
    }
  }
#if defined(_WIN32)
  _setmode(_fileno(stdin), _O_BINARY);
  _setmode(_fileno(stdout), _O_BINARY);
#endif
  while ((command = fgetc(stdin)) != EOF) {
    switch (command) {
      case 'L': do_load(); break;
      case 'P':
      case 'I': do_prepare((char)command); break;
      case 'C': do_call(); break;
      case 'X': do_close(); break;
      case 'S': do_state(); break;
      case 'V': do_level(); break;
      case 'F': do_flush(); break;
      case 'D': do_drop(); break;
      default:
        fprintf(stderr, "unknown command %d\n", command);
        return 1;
    }
    CHECK(fflush(stdout) == 0);
  }
  return 0;
}
