/* Tells which version's structs this program, the library and a plugin were built with. Usage: growth PLUGIN. */
#include "check.h"

#include <dlfcn.h>

int main(int argc, char **argv) {
  const rb_plugin_table *(*entry_point)(uint32_t) = NULL;
  rb_call_result *outcome = rb_call_result_of(rb_call_into(0, 0, NULL, 0, NULL, 0));
  void *library;
  CHECK(argc == 2 && outcome != NULL);
  library = dlopen(argv[1], RTLD_NOW);
  CHECK(library != NULL);
  *(void **)&entry_point = dlsym(library, RB_ENTRY_POINT);
  CHECK(entry_point != NULL);
  printf("%u %u %u\n", (unsigned)sizeof(rb_method), (unsigned)outcome->size, (unsigned)entry_point(RB_ABI_VERSION)->size);
  rb_call_result_release(outcome);
  return 0;
}
