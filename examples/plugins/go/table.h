// What table.c does for shout.go, because it takes a function pointer or C's allocator.

#include <rustbridge_plugin.h>

// The memory for an answer: the caller's storage, or C's with its release. Null where there's none.
uint8_t *shout_room(rb_response *response, size_t len);

int shout_wants(const rb_host *host, rb_level level);

// A record whose three texts lie one behind the other.
void shout_log(const rb_host *host, rb_level level, uint64_t time, const char *text, size_t target, size_t message,
               size_t fields);
