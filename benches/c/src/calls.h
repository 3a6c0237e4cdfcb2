/* What every loop that is timed is made of. */
#ifndef CALLS_H
#define CALLS_H

#include "bench.h"

/* The compiler has to believe that somebody reads what is there. */
#if defined(__GNUC__)
#define CONSUME(pointer) __asm__ volatile("" : : "r"(pointer) : "memory")
#else
static const void *volatile consumed;
#define CONSUME(pointer) (consumed = (pointer))
#endif

/* A failure ends the program, as does a response that didn't fit: it would be timed as if it were quick. */
static inline NO_RETURN void failed(const work *work, rb_status status) {
  die(work->scenario->name, status == RB_OK ? "the response isn't as it should be" : rb.status_name(status));
}

#define REPEAT(iterations) for (uint64_t left = (iterations); left > 0; left--)

/* One call into storage; returns the response's length. */
static inline size_t ours(const work *work, const void *request, size_t len, void *storage, size_t capacity) {
  rb_response response = {storage, capacity, 0, NULL, NULL};
  rb_status status = rb.call(work->instance, work->entry, request, len, &response);
  if (status != RB_OK || response.release != NULL) {
    failed(work, status);
  }
  CONSUME(response.data);
  return response.len;
}

/* The same by hand. */
static inline size_t by_floor(const work *work, const void *request, size_t len, void *storage, size_t capacity) {
  size_t response_len = 0;
  int32_t status = work->floor(NULL, 1, request, len, storage, capacity, &response_len);
  if (status != 0) {
    failed(work, RB_INTERNAL);
  }
  CONSUME(storage);
  return response_len;
}

#endif
