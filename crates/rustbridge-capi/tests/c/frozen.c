/* Calls the plugin that was built against the first header. Usage: frozen PLUGIN. */
#include "check.h"

int main(int argc, char **argv) {
  rb_instance instance;
  rb_method add = no_method();
  rb_response response = no_storage();
  int64_t numbers[2] = {40, 2};
  int64_t sum = 0;
  rb_load_options options;
  CHECK(argc == 2);
  options = options_for(argv[1]);
  options.config = (const uint8_t *)"[]";
  options.config_len = 2;
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_load(&options, &instance, &response), &response, "takes no config");

  instance = load(argv[1]);
  CHECK(rb_describe(instance, &response) == RB_OK);
  CHECK(contains(&response, "\"name\":\"frozen\""));
  rb_response_release(&response);
  CHECK(rb_call(instance, entry_of(instance, "echo", RB_ENCODING_RAW), (const uint8_t *)"hello", 5, &response) == RB_OK);
  CHECK(response.len == 5 && memcmp(response.data, "hello", 5) == 0 && response.release != NULL);
  rb_response_release(&response);
  CHECK(rb_prepare_id(instance, 7, RB_ENCODING_POD, &add, NULL) == RB_OK);
  CHECK(add.flags == RB_METHOD_LEAF && add.request_size == 16 && add.response_size == 8);
  response = with_buffer(&sum, sizeof sum);
  CHECK(rb_call(instance, add.entry | RB_ENTRY_LEAF, (const uint8_t *)numbers, sizeof numbers, &response) == RB_OK);
  CHECK(sum == 42);
  response = no_storage();
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_call(instance, add.entry, (const uint8_t *)numbers, 15, &response), &response, "16 bytes");
  close_now(instance);
  printf("frozen: ok\n");
  return 0;
}
