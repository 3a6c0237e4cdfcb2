/*
 * Loads files that must be refused, each by path and by its bytes. Usage: files (STATUS FILE)...
 */
#include "check.h"

static uint8_t *contents(const char *path, size_t *len) {
  FILE *file = fopen(path, "rb");
  uint8_t *bytes;
  long size;
  CHECK(file != NULL);
  CHECK(fseek(file, 0, SEEK_END) == 0);
  size = ftell(file);
  CHECK(size >= 0 && fseek(file, 0, SEEK_SET) == 0);
  bytes = (uint8_t *)malloc(size == 0 ? 1 : (size_t)size);
  CHECK(bytes != NULL && (size == 0 || fread(bytes, (size_t)size, 1, file) == 1));
  fclose(file);
  *len = (size_t)size;
  return bytes;
}

static void refuse(const rb_load_options *options, const char *status, const char *path) {
  rb_instance instance = 77;
  rb_response error = no_storage();
  rb_status found = rb_load(options, &instance, &error);
  if (strcmp(rb_status_name(found), status) != 0) {
    fprintf(stderr, "%s: expected %s, got %s: %.*s\n", path, status, rb_status_name(found), (int)error.len,
            (const char *)error.data);
    exit(1);
  }
  CHECK(instance == 0);
  CHECK(contains(&error, status) && contains(&error, "\"message\":\"") && contains(&error, "rustbridge."));
  rb_response_release(&error);
}

int main(int argc, char **argv) {
  int at;
  CHECK(argc > 2 && argc % 2 == 1);
  for (at = 1; at < argc; at += 2) {
    rb_load_options options = options_for(argv[at + 1]);
    uint8_t *bytes;
    refuse(&options, argv[at], argv[at + 1]);
    options.path = rb_text_of(NULL);
    bytes = contents(argv[at + 1], &options.image_len);
    options.image = bytes;
    refuse(&options, argv[at], argv[at + 1]);
    free(bytes);
  }
  printf("files: ok\n");
  return 0;
}
