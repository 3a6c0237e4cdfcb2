// Functions of table.c that shout.go calls, because they need a function pointer, an atomic load or C's allocator.

#include <rustbridge_plugin.h>

// Returns the memory for a response: the caller's buffer, or C's memory with its release. Null if there's no memory.
uint8_t *shout_room(rb_response *response, size_t len);

int shout_wants(const rb_host *host, rb_level level);

// Logs a record, whose three texts are one after the other.
void shout_log(const rb_host *host, rb_level level, uint64_t time, const char *text, size_t target, size_t message,
               size_t fields);
