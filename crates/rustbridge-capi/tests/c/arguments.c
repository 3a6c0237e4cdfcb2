/* Every function with every argument that makes no sense. Usage: arguments PLUGIN. */
#include "check.h"

static long drops;

static void ignore_record(void *user_data, const rb_log_record *record) {
  (void)user_data;
  (void)record;
}

static void count_drop(void *user_data) {
  CHECK(user_data == &drops);
  drops++;
}

static rb_text text(const char *data, size_t len) {
  rb_text made;
  made.data = data;
  made.len = len;
  return made;
}

/* Loading must fail with that message, set the instance to 0, and drop the sink if there is one. */
static void refuse_load(const rb_load_options *options, rb_status status, const char *message) {
  rb_instance instance = 77;
  rb_response error = no_storage();
  long before = drops;
  CHECK_ERROR(status, rb_load(options, &instance, &error), &error, message);
  CHECK(instance == 0);
  CHECK(drops == before + (options->log != NULL && options->log->drop != NULL));
  /* Who doesn't want the payload gets the same status. */
  CHECK(rb_load(options, &instance, NULL) == status);
}

static void loading(const char *path) {
  static const uint8_t bytes[] = "not a library";
  rb_load_options good = options_for(path);
  rb_log_sink counting = no_sink();
  char misaligned[sizeof(rb_load_options) + 8];
  rb_load_options options;
  rb_instance instance = 77;
  rb_response error = no_storage();

  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_load(NULL, &instance, &error), &error, "options is null");
  CHECK(instance == 0);
  CHECK(rb_load(NULL, NULL, NULL) == RB_INVALID_ARGUMENT);
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_load(&good, NULL, &error), &error, "instance is null");

  /* A struct shorter than the first version of it. */
  instance = 77;
  options = good;
  options.size = offsetof(rb_load_options, client_schema) - 1;
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_load(&options, &instance, &error), &error, "options.size");
  CHECK(instance == 0);
  instance = 77;
  options.size = 0;
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_load(&options, &instance, &error), &error, "options.size");
  CHECK(instance == 0);

  /* So is a sink: nobody can tell what is in it, so it's left alone. */
  counting.log = ignore_record;
  counting.user_data = &drops;
  counting.drop = count_drop;
  good.log = &counting;
  drops = 0;
  counting.size = sizeof counting - 1;
  instance = 77;
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_load(&good, &instance, &error), &error, "options.log.size");
  CHECK(drops == 0 && instance == 0);
  counting.size = sizeof counting;

  options = good;
  options.path = text(NULL, 0);
  refuse_load(&options, RB_INVALID_ARGUMENT, "neither a path nor an image");
  options.path = rb_text_of("");
  refuse_load(&options, RB_INVALID_ARGUMENT, "the path is empty");
  options = good;
  options.image = bytes;
  options.image_len = sizeof bytes;
  refuse_load(&options, RB_INVALID_ARGUMENT, "both a path and an image");
  options = good;
  options.path = text(NULL, 3);
  refuse_load(&options, RB_INVALID_ARGUMENT, "path is null");
  options.path = text(path, SIZE_MAX);
  refuse_load(&options, RB_INVALID_ARGUMENT, "PTRDIFF_MAX");
  options.path = text("a\xff", 2);
#if defined(_WIN32)
  refuse_load(&options, RB_INVALID_ARGUMENT, "path isn't UTF-8 from byte 1");
#else
  refuse_load(&options, RB_NOT_FOUND, "a\xef\xbf\xbd");
#endif
  options.path = text("no\0such", 7);
  refuse_load(&options, RB_INVALID_ARGUMENT, "NUL");
  options.path = rb_text_of("no/such/file.so");
  refuse_load(&options, RB_NOT_FOUND, "no/such/file.so");
  options = good;
  options.path = text(NULL, 0);
  options.image = bytes;
  options.image_len = sizeof bytes;
  refuse_load(&options, RB_INVALID_ARGUMENT, "");
  options.image_len = 0;
  refuse_load(&options, RB_INVALID_ARGUMENT, "");
  options.image_len = SIZE_MAX;
  refuse_load(&options, RB_INVALID_ARGUMENT, "PTRDIFF_MAX");
  options = good;
  options.config_len = 5;
  refuse_load(&options, RB_INVALID_ARGUMENT, "config is null");
  options.config = bytes;
  options.config_len = SIZE_MAX;
  refuse_load(&options, RB_INVALID_ARGUMENT, "PTRDIFF_MAX");
  /* A plugin that isn't made with the author's crate gets JSON or nothing. */
  options.config = (const uint8_t *)"{\"a\":";
  options.config_len = 5;
  refuse_load(&options, RB_INVALID_ARGUMENT, "isn't JSON");
  options.config = (const uint8_t *)"{} {}";
  refuse_load(&options, RB_INVALID_ARGUMENT, "isn't JSON");
  options.config = (const uint8_t *)"[\"\xff\"]";
  refuse_load(&options, RB_INVALID_ARGUMENT, "isn't JSON");
  options.config = (const uint8_t *)"\"fail\"";
  options.config_len = 6;
  refuse_load(&options, RB_INVALID_ARGUMENT, "C.Config");
  options = good;
  options.name = text("\xc0\x80", 2);
  refuse_load(&options, RB_INVALID_ARGUMENT, "name isn't UTF-8");
  options = good;
  options.flags = 0x80000000U;
  refuse_load(&options, RB_INVALID_ARGUMENT, "options.flags");
  options.flags = RB_LOAD_RUNTIME;
  refuse_load(&options, RB_INVALID_ARGUMENT, "runtime is empty");
  options.runtime = text("worker", 6);
  refuse_load(&options, RB_UNIMPLEMENTED, "there is no runtime \\\"worker\\\"");
  CHECK_ERROR(RB_UNIMPLEMENTED, rb_describe_plugin(&options, &error), &error, "there is no runtime");
  options.flags = 0;
  refuse_load(&options, RB_INVALID_ARGUMENT, "without the flag RB_LOAD_RUNTIME");
  options = good;
  options.log_level = RB_LOG_TRACE + 1;
  refuse_load(&options, RB_INVALID_ARGUMENT, "log level is 6");

  /* A longer struct is one of a later version: what is known of it is used. */
  {
    struct {
      rb_load_options known;
      uint64_t later;
    } longer;
    longer.known = options_for(path);
    longer.known.size = sizeof longer;
    longer.later = UINT64_MAX;
    instance = load_with(&longer.known);
    close_now(instance);
  }

  /* A struct at an address where none can be. */
  instance = 77;
  memcpy(misaligned + 1, &good, sizeof good);
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_load((const rb_load_options *)(void *)(misaligned + 1), &instance, &error), &error,
              "options isn't aligned");
  CHECK(instance == 0);
}

static void every_function_with_a_handle(rb_instance handle, rb_status expected, rb_status state_status) {
  rb_method method = no_method();
  rb_response response = no_storage();
  uint32_t state = 99;
  char name[] = "echo";
  rb_status status;

  CHECK_ERROR(expected, rb_call(handle, 0, NULL, 0, &response), &response, "rustbridge.");
  CHECK_ERROR(expected, rb_call(handle, RB_ENTRY_LEAF, NULL, 0, &response), &response, "rustbridge.");
  CHECK_ERROR(expected, rb_prepare(handle, rb_text_of(name), RB_ENCODING_RAW, &method, &response), &response,
              "rustbridge.");
  CHECK(method.entry == 0 && method.flags == 0 && method.request_size == 0 && method.response_size == 0);
  CHECK_ERROR(expected, rb_prepare_id(handle, 9, RB_ENCODING_POD, &method, &response), &response, "rustbridge.");
  CHECK_ERROR(expected, rb_prepare_typed(handle, rb_text_of(name), rb_text_of(name), rb_text_of(name), &method, &response), &response,
              "rustbridge.");
  CHECK(rb_prepare(handle, rb_text_of(name), RB_ENCODING_RAW, &method, NULL) == expected);
  status = rb_describe(handle, &response);
  CHECK_ERROR(expected, status, &response, "rustbridge.");
  status = rb_name(handle, &response);
  CHECK_ERROR(expected, status, &response, "rustbridge.");
  CHECK_ERROR(expected, rb_close(handle, 0, &response), &response, "rustbridge.");
  CHECK(rb_close(handle, UINT64_MAX, NULL) == expected);
  CHECK(method.size == sizeof method);
  if (state_status == RB_OK) {
    CHECK(rb_state(handle, &state, &response) == RB_OK && state == RB_STATE_CLOSED && response.len == 0);
  } else {
    CHECK_ERROR(state_status, rb_state(handle, &state, &response), &response, "rustbridge.");
    CHECK(state == 0);
  }
  CHECK_ERROR(expected, rb_log_set_level(handle, RB_LOG_INFO, &response), &response, "rustbridge.");
  CHECK_ERROR(expected, rb_log_set_sink(handle, NULL, 10000, &response), &response, "rustbridge.");
  CHECK_ERROR(expected, rb_log_flush(handle, 0, &response), &response, "rustbridge.");
  CHECK(rb_state(handle, &state, NULL) == state_status);
  CHECK(rb_log_set_level(handle, RB_LOG_INFO, NULL) == expected);
  CHECK(rb_log_set_sink(handle, NULL, 10000, NULL) == expected);
  CHECK(rb_log_flush(handle, 0, NULL) == expected);
  {
    rb_log_sink sink = no_sink();
    long before = drops;
    sink.log = ignore_record;
    sink.user_data = &drops;
    sink.drop = count_drop;
    CHECK(rb_log_set_sink(handle, &sink, 10000, NULL) == expected);
    CHECK(drops == before + 1);
  }
  {
    rb_call_args args;
    memset(&args, 0, sizeof args);
    args.instance = handle;
    CHECK(rb_call_block(&args) == expected);
    CHECK(args.status == expected);
    rb_response_release(&args.response);
    args.status = 0;
    args.entry = RB_ENTRY_LEAF;
    CHECK(rb_call_block(&args) == expected);
    CHECK(args.status == expected);
    rb_response_release(&args.response);
  }
  {
    rb_call_result *outcome = rb_call_result_of(rb_call_into(handle, 0, NULL, 0, NULL, 0));
    CHECK(outcome != NULL);
    CHECK_ERROR(expected, outcome->status, &outcome->response, "rustbridge.");
    rb_call_result_release(outcome);
    outcome = rb_call_result_of(rb_call_into(handle, RB_ENTRY_LEAF, NULL, 0, NULL, 0));
    CHECK(outcome != NULL);
    CHECK_ERROR(expected, outcome->status, &outcome->response, "rustbridge.");
    rb_call_result_release(outcome);
  }
}

static void preparing(rb_instance instance) {
  rb_method method = no_method();
  rb_response error = no_storage();
  rb_text echo = rb_text_of("echo");
  rb_encoding encoding;

  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_prepare(instance, echo, RB_ENCODING_RAW, NULL, &error), &error, "out is null");
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_prepare_id(instance, 9, RB_ENCODING_POD, NULL, &error), &error, "out is null");
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_prepare(instance, text(NULL, 4), RB_ENCODING_RAW, &method, &error), &error,
              "method is null");
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_prepare_typed(instance, echo, text(NULL, 0), text(NULL, 0), NULL, &error), &error,
              "out is null");
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_prepare_typed(instance, text(NULL, 4), echo, echo, &method, &error), &error,
              "method is null");
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_prepare_typed(instance, echo, text(NULL, 32), echo, &method, &error), &error,
              "fingerprint is null");
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_prepare_typed(instance, echo, echo, text("{\x80", 2), &method, &error), &error,
              "client_schema isn't UTF-8 from byte 1");
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_prepare_typed(instance, echo, echo, echo, &method, &error), &error,
              "a fingerprint is 32 hexadecimal digits");
  rb_text digits = rb_text_of("0123456789abcdef0123456789abcdef");
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_prepare_typed(instance, echo, digits, echo, &method, &error), &error,
              "the client schema of `echo` can't be read");
  CHECK_ERROR(RB_NOT_FOUND, rb_prepare_typed(instance, rb_text_of("ech"), echo, echo, &method, &error), &error, "ech");
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_prepare(instance, text("echo", SIZE_MAX / 2 + 1), RB_ENCODING_RAW, &method, &error),
              &error, "PTRDIFF_MAX");
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_prepare(instance, text("ech\x80", 4), RB_ENCODING_RAW, &method, &error), &error,
              "method isn't UTF-8 from byte 3");
  CHECK_ERROR(RB_NOT_FOUND, rb_prepare(instance, text(NULL, 0), RB_ENCODING_RAW, &method, &error), &error, "");
  CHECK_ERROR(RB_NOT_FOUND, rb_prepare(instance, rb_text_of("ech"), RB_ENCODING_RAW, &method, &error), &error, "ech");
  CHECK_ERROR(RB_NOT_FOUND, rb_prepare(instance, text("echo\0", 5), RB_ENCODING_RAW, &method, &error), &error, "echo");
  CHECK_ERROR(RB_NOT_FOUND, rb_prepare_id(instance, 1000, RB_ENCODING_POD, &method, &error), &error, "1000");
  CHECK_ERROR(RB_UNIMPLEMENTED, rb_prepare(instance, echo, RB_ENCODING_JSON, &method, &error), &error, "json");
  for (encoding = RB_ENCODING_WIRE + 1; encoding != 0; encoding = encoding >= 0x80000000U ? 0 : encoding * 2) {
    CHECK_ERROR(RB_INVALID_ARGUMENT, rb_prepare(instance, echo, encoding, &method, &error), &error, "encoding is");
    CHECK_ERROR(RB_INVALID_ARGUMENT, rb_prepare_id(instance, 9, encoding, &method, &error), &error, "encoding is");
  }

  CHECK(rb_prepare(instance, rb_text_of("add"), RB_ENCODING_POD, &method, &error) == RB_OK);
  CHECK(method.flags == RB_METHOD_LEAF && method.request_size == 8 && method.response_size == 8);
  CHECK(method.encoding == RB_ENCODING_POD && method.leaf_limit == 65536 && method.buffer_size == 8);
  CHECK(method.buffer_limit == 262144 && (method.entry & RB_ENTRY_LEAF) == 0);

  /* Bytes as they are: raw where there is raw, otherwise the struct. */
  CHECK(rb_prepare(instance, rb_text_of("add"), RB_ENCODING_BYTES, &method, &error) == RB_OK);
  CHECK(method.encoding == RB_ENCODING_POD && method.request_size == 8);
  CHECK(rb_prepare(instance, echo, RB_ENCODING_BYTES, &method, &error) == RB_OK);
  CHECK(method.encoding == RB_ENCODING_RAW && method.leaf_limit == 0 && method.buffer_size == 4096);
  CHECK_ERROR(RB_NOT_FOUND, rb_prepare(instance, rb_text_of("nonsense"), RB_ENCODING_BYTES, &method, &error), &error, "nonsense");
  CHECK(rb_prepare_id(instance, 9, RB_ENCODING_BYTES, &method, &error) == RB_OK && method.encoding == RB_ENCODING_POD);

  /* A struct too short, one as long as the first was, and one of a later version. */
  method.size = 47;
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_prepare(instance, echo, RB_ENCODING_RAW, &method, &error), &error, "sizeof(rb_method)");
  method.size = 0;
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_prepare(instance, echo, RB_ENCODING_RAW, &method, &error), &error, "out.size is 0");
  {
    struct {
      rb_method known;
      uint64_t later;
      uint64_t behind;
    } longer;
    memset(&longer, 0xff, sizeof longer);
    longer.known.size = sizeof longer - 8;
    CHECK(rb_prepare(instance, echo, RB_ENCODING_RAW, &longer.known, &error) == RB_OK);
    CHECK(longer.known.size == sizeof longer - 8 && longer.known.buffer_size == 4096);
    CHECK(longer.later == 0 && longer.behind == UINT64_MAX);
  }
  method = no_method();
  CHECK(rb_prepare(instance, rb_text_of("add"), RB_ENCODING_POD, &method, &error) == RB_OK);
  {
    rb_method by_id = no_method();
    CHECK(rb_prepare_id(instance, 9, RB_ENCODING_POD, &by_id, NULL) == RB_OK);
    CHECK(by_id.entry == method.entry && by_id.flags == method.flags);
  }
  CHECK(rb_prepare(instance, echo, RB_ENCODING_RAW, &method, &error) == RB_OK);
  CHECK(method.flags == 0 && method.request_size == 0 && method.response_size == 0);
}

static void calling(rb_instance instance) {
  uint32_t echo = entry_of(instance, "echo", RB_ENCODING_RAW);
  uint32_t length = entry_of(instance, "length", RB_ENCODING_RAW);
  uint8_t storage[300];
  rb_response response = no_storage();
  uint64_t counted;
  size_t bit;
  uint32_t wrong;

  CHECK(rb_call(instance, echo, NULL, 0, NULL) == RB_INVALID_ARGUMENT);
  CHECK(rb_call(instance, length | RB_ENTRY_LEAF, NULL, 0, NULL) == RB_INVALID_ARGUMENT);
  CHECK(rb_call_block(NULL) == RB_INVALID_ARGUMENT);
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_call(instance, echo, NULL, 1, &response), &response, "null");
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_call(instance, length | RB_ENTRY_LEAF, NULL, SIZE_MAX, &response), &response, "length");
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_call(instance, echo, storage, SIZE_MAX, &response), &response, "length");
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_call(instance, echo, storage, (size_t)1 << 63, &response), &response, "length");

  /* Storage of no place, and a response struct full of rubbish beside a good storage. */
  response = with_buffer(NULL, 100);
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_call(instance, echo, storage, 1, &response), &response, "response.data is null");
  memset(&response, 0xa5, sizeof response);
  response.data = storage;
  response.capacity = sizeof storage;
  CHECK(rb_call(instance, echo, (const uint8_t *)"hi", 2, &response) == RB_OK);
  CHECK(response.len == 2 && response.release == NULL && response.data == storage && memcmp(storage, "hi", 2) == 0);
  rb_response_release(&response);
  CHECK(response.data == storage && response.capacity == sizeof storage);

  /* Every single wrong bit in an entry is noticed. */
  for (bit = 0; bit < 32; bit++) {
    wrong = echo ^ ((uint32_t)1 << bit);
    response = with_buffer(storage, sizeof storage);
    if (wrong == length || bit < 5 || bit == 14 || bit == 15) {
      continue; /* other entries of this plugin; the leaf bit, which is looked up and not believed; and the shared bit */
    }
    CHECK_ERROR(RB_NOT_FOUND, rb_call(instance, wrong, NULL, 0, &response), &response, "entry");
    CHECK_ERROR(RB_NOT_FOUND, rb_call(instance, wrong | RB_ENTRY_LEAF, NULL, 0, &response), &response, "entry");
  }
  response = no_storage();
  CHECK_ERROR(RB_NOT_FOUND, rb_call(instance, UINT32_MAX, NULL, 0, &response), &response, "entry");
  CHECK_ERROR(RB_FAILED_PRECONDITION, rb_call(instance, echo | RB_ENTRY_LEAF, NULL, 0, &response), &response, "leaf");

  response = with_buffer(&counted, sizeof counted);
  CHECK(rb_call(instance, length | RB_ENTRY_LEAF, storage, 17, &response) == RB_OK);
  CHECK(response.len == 8 && counted == 17);
  CHECK(rb_call(instance, length | RB_ENTRY_LEAF, NULL, 0, &response) == RB_OK);
  CHECK(counted == 0);
}

static void other_functions(rb_instance instance) {
  rb_response response = no_storage();
  rb_log_sink sink = no_sink();

  CHECK(rb_describe(instance, NULL) == RB_INVALID_ARGUMENT);
  CHECK(rb_describe(instance, &response) == RB_OK);
  CHECK(contains(&response, "\"name\":\"c\"") && response.release != NULL);
  rb_response_release(&response);
  CHECK(rb_name(instance, NULL) == RB_INVALID_ARGUMENT);
  CHECK(rb_name(instance, &response) == RB_OK);
  CHECK(response.len == 1 && response.data[0] == 'c');
  rb_response_release(&response);
  rb_response_release(&response);
  CHECK(response.data == NULL && response.capacity == 0 && response.len == 0 && response.release == NULL);
  rb_response_release(NULL);
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_state(instance, NULL, &response), &response, "state is null");
  CHECK(state_of(instance) == RB_STATE_ACTIVE);
  CHECK(rb_inspect(NULL) == RB_INVALID_ARGUMENT);
  CHECK(rb_inspect(&response) == RB_OK);
  CHECK(response.len > 0 && response.data[0] == '{');
  rb_response_release(&response);
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_log_set_level(instance, RB_LOG_TRACE + 1, &response), &response, "log level is 6");
  CHECK(rb_log_set_level(instance, UINT32_MAX, NULL) == RB_INVALID_ARGUMENT);
  CHECK(rb_log_set_sink(instance, NULL, 10000, NULL) == RB_OK);
  drops = 0;
  sink.log = NULL;
  sink.user_data = &drops;
  sink.drop = count_drop;
  CHECK(rb_log_set_sink(instance, &sink, 10000, &response) == RB_OK && response.len == 0);
  CHECK(drops == 1);
  sink.size = 24;
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_log_set_sink(instance, &sink, 10000, &response), &response, "sizeof(rb_log_sink)");
  CHECK(drops == 1);
  CHECK(rb_log_flush(instance, 0, &response) == RB_OK && response.len == 0);

  CHECK(rb_abi_version() == RB_ABI_VERSION);
  CHECK(strlen(rb_version()) >= 5);
  CHECK(strcmp(rb_status_name(RB_OK), "OK") == 0);
  CHECK(strcmp(rb_status_name(RB_UNAUTHENTICATED), "UNAUTHENTICATED") == 0);
  CHECK(strcmp(rb_status_name(17), "UNKNOWN") == 0);
  CHECK(strcmp(rb_status_name(-1), "UNKNOWN") == 0);
  CHECK(strcmp(rb_status_name(INT32_MIN), "UNKNOWN") == 0);
}

static void describing_without_an_instance(const char *path) {
  rb_load_options options = options_for(path);
  rb_response response = no_storage();

  CHECK(rb_describe_plugin(&options, &response) == RB_OK);
  CHECK(contains(&response, "\"name\":\"c\""));
  rb_response_release(&response);
  CHECK(rb_inspect(&response) == RB_OK);
  CHECK(contains(&response, "\"instances\":[]"));
  rb_response_release(&response);
  CHECK(rb_describe_plugin(&options, NULL) == RB_INVALID_ARGUMENT);
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_describe_plugin(NULL, &response), &response, "options is null");
  options.size = 8;
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_describe_plugin(&options, &response), &response, "options.size is 8");
  options = options_for("");
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_describe_plugin(&options, &response), &response, "the path is empty");
  options = options_for("/no/such/plugin");
  CHECK_ERROR(RB_NOT_FOUND, rb_describe_plugin(&options, &response), &response, "/no/such/plugin");
}

int main(int argc, char **argv) {
  rb_instance instance;
  rb_instance closed;
  size_t bit;
  CHECK(argc == 2);

  describing_without_an_instance(argv[1]);
  loading(argv[1]);
  instance = load(argv[1]);
  preparing(instance);
  calling(instance);
  other_functions(instance);

  every_function_with_a_handle(0, RB_INVALID_ARGUMENT, RB_INVALID_ARGUMENT);
  every_function_with_a_handle(1, RB_INVALID_ARGUMENT, RB_INVALID_ARGUMENT);
  every_function_with_a_handle(UINT64_MAX, RB_INVALID_ARGUMENT, RB_INVALID_ARGUMENT);
  every_function_with_a_handle((rb_instance)(uintptr_t)&instance, RB_INVALID_ARGUMENT, RB_INVALID_ARGUMENT);
  /* Every single wrong bit in a handle is noticed. A lower generation is one that was issued and closed. */
  for (bit = 0; bit < 64; bit++) {
    rb_response response = no_storage();
    rb_status status = rb_call(instance ^ ((uint64_t)1 << bit), 0, NULL, 0, &response);
    CHECK(status == RB_INVALID_ARGUMENT || (status == RB_UNAVAILABLE && (instance >> bit & 1) != 0));
    rb_response_release(&response);
  }
  CHECK(state_of(instance) == RB_STATE_ACTIVE);

  close_now(instance);
  every_function_with_a_handle(instance, RB_UNAVAILABLE, RB_OK);
  closed = instance;
  instance = load(argv[1]);
  CHECK(instance != closed);
  every_function_with_a_handle(closed, RB_UNAVAILABLE, RB_OK);
  CHECK(state_of(instance) == RB_STATE_ACTIVE);
  close_now(instance);
  printf("arguments: ok\n");
  return 0;
}
