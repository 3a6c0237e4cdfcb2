/* A host that loads librustbridge itself and gives it up while an instance is open: the library stays, because plugins and
 * threads hold pointers into it. Usage: unload LIBRARY PLUGIN. */
#include "check.h"

#if defined(_WIN32)
static void *open_library(const char *path) { return (void *)LoadLibraryA(path); }
static void give_up(void *library) { FreeLibrary((HMODULE)library); }
static void find(void *library, const char *name, void *function) {
  FARPROC found = GetProcAddress((HMODULE)library, name);
  memcpy(function, &found, sizeof found);
}
#else
#include <dlfcn.h>
static void *open_library(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }
static void give_up(void *library) { dlclose(library); }
static void find(void *library, const char *name, void *function) {
  void *found = dlsym(library, name);
  memcpy(function, &found, sizeof found);
}
#endif

typedef rb_status (*load_function)(const rb_load_options *, rb_instance *, rb_response *);
typedef rb_status (*prepare_function)(rb_instance, rb_text, rb_encoding, rb_method *, rb_response *);
typedef rb_status (*call_function)(rb_instance, uint32_t, const uint8_t *, size_t, rb_response *);
typedef rb_status (*close_function)(rb_instance, uint64_t, rb_response *);

typedef struct host {
  rb_instance instance;
  uint32_t entry;
  call_function call;
} host;

THREAD_FUNCTION(call_once) {
  host *self = (host *)argument;
  int32_t numbers[2];
  int32_t sum[2];
  rb_response response = with_buffer(sum, sizeof sum);
  numbers[0] = 20;
  numbers[1] = 22;
  if (self->call(self->instance, self->entry, (const uint8_t *)numbers, sizeof numbers, &response) != RB_OK ||
      sum[0] != 42) {
    exit(3);
  }
  THREAD_RETURN;
}

int main(int argc, char **argv) {
  load_function load_it = NULL;
  prepare_function prepare = NULL;
  close_function close_it = NULL;
  rb_load_options options;
  rb_response response = no_storage();
  rb_method method = no_method();
  thread other;
  host self;
  void *library;
  int time;
  memset(&self, 0, sizeof self);
  if (argc != 3 || (library = open_library(argv[1])) == NULL) {
    fprintf(stderr, "usage: unload LIBRARY PLUGIN\n");
    return 2;
  }
  find(library, "rb_load", &load_it);
  find(library, "rb_prepare", &prepare);
  find(library, "rb_call", &self.call);
  find(library, "rb_close", &close_it);
  options = options_for(argv[2]);
  CHECK(load_it(&options, &self.instance, &response) == RB_OK);
  CHECK(prepare(self.instance, rb_text_of("add"), RB_ENCODING_POD, &method, &response) == RB_OK);
  self.entry = method.entry;
  other = start(call_once, &self);
  join(other);
  for (time = 0; time < 3; time++) {
    give_up(library);
  }
  /* Its code is still there, for this thread, for a new one, and for a thread's end. */
  other = start(call_once, &self);
  join(other);
  CHECK(close_it(self.instance, 10000, &response) == RB_OK);
  printf("unload: ok\n");
  return 0;
}
