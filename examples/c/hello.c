/* Loads hello-plugin and calls it, with JSON and with plain structs. Usage: hello path/to/libhello_plugin.so */
#include <rustbridge.h>
#include <stdio.h>
#include <stdlib.h>

static void log_record(void *user_data, const rb_log_record *record) {
  fprintf((FILE *)user_data, "[%.*s] %.*s\n", (int)record->target.len, record->target.data, (int)record->message.len,
          record->message.data);
}

/* The payload of a failure is JSON that describes the error. That of a success is the method's response. */
static void check(rb_status status, const rb_response *response) {
  if (status != RB_OK) {
    fprintf(stderr, "%s: %.*s\n", rb_status_name(status), (int)response->len, (const char *)response->data);
    exit(1);
  }
}

int main(int argc, char **argv) {
  rb_log_sink log = {.size = sizeof log, .log = log_record, .user_data = stderr};
  rb_load_options options = {.size = sizeof options, .path = rb_text_of(argc > 1 ? argv[1] : ""),
                             .log_level = RB_LOG_INFO, .log = &log};
  rb_instance plugin;
  rb_method greet = {.size = sizeof greet}, add = {.size = sizeof add};
  rb_response response = {0};

  check(rb_load(&options, &plugin, &response), &response);
  check(rb_prepare(plugin, rb_text_of("greet"), RB_ENCODING_JSON, &greet, &response), &response);
  check(rb_prepare(plugin, rb_text_of("math.add"), RB_ENCODING_POD, &add, &response), &response);

  const char request[] = "{\"name\":\"Ada\"}";
  check(rb_call(plugin, greet.entry, (const uint8_t *)request, sizeof request - 1, &response), &response);
  printf("%.*s\n", (int)response.len, (const char *)response.data);
  rb_response_release(&response);

  /* A pod is passed directly from struct to struct, without parsing, allocation or release. */
  struct { int64_t a, b; } numbers = {40, 2};
  int64_t sum;
  response = (rb_response){.data = (uint8_t *)&sum, .capacity = sizeof sum};
  check(rb_call(plugin, add.entry | RB_ENTRY_LEAF, (const uint8_t *)&numbers, sizeof numbers, &response), &response);
  printf("40 + 2 = %lld\n", (long long)sum);

  response = (rb_response){0};
  check(rb_close(plugin, 5000, &response), &response);
  return 0;
}
