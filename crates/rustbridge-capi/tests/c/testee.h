/* How the testee in C reads commands and gives results. */
#ifndef TEST_TESTEE_H
#define TEST_TESTEE_H

#include "check.h"

typedef struct buffer {
  uint8_t *data;
  size_t len;
  size_t capacity;
} buffer;

static inline void append(buffer *to, const void *bytes, size_t len) {
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

static inline void append_word(buffer *to, const char *word) {
  uint64_t len = strlen(word);
  append(to, &len, sizeof len);
  append(to, word, (size_t)len);
}

static inline void append_text(buffer *to, rb_text text) {
  uint64_t len = text.len;
  append(to, &len, sizeof len);
  append(to, text.data, text.len);
}

static inline void read_exactly(void *to, size_t len) {
  CHECK(len == 0 || fread(to, len, 1, stdin) == 1);
}

static inline uint8_t read_u8(void) {
  uint8_t value;
  read_exactly(&value, sizeof value);
  return value;
}

static inline uint32_t read_u32(void) {
  uint32_t value;
  read_exactly(&value, sizeof value);
  return value;
}

static inline uint64_t read_u64(void) {
  uint64_t value;
  read_exactly(&value, sizeof value);
  return value;
}

static inline void append_u32(buffer *to, uint32_t value) { append(to, &value, sizeof value); }

static inline void append_bytes(buffer *to, const void *bytes, size_t len) {
  uint64_t wide = len;
  append(to, &wide, sizeof wide);
  append(to, bytes, len);
}

static inline void free_buffer(buffer *what) {
  free(what->data);
  memset(what, 0, sizeof *what);
}

/* The bytes begin `misalign` bytes into the memory, which ends where they end. To be freed with `free(memory)`. */
static inline uint8_t *read_bytes(size_t misalign, uint8_t **memory, size_t *len) {
  *len = (size_t)read_u64();
  *memory = (uint8_t *)malloc(misalign + *len == 0 ? 1 : misalign + *len);
  CHECK(*memory != NULL);
  read_exactly(*memory + misalign, *len);
  return *memory + misalign;
}

static inline void give(char command, rb_status status, const void *bytes, size_t len) {
  uint64_t wide = len;
  int32_t code = status;
  CHECK(fputc(command, stdout) != EOF);
  CHECK(fwrite(&code, sizeof code, 1, stdout) == 1);
  CHECK(fwrite(&wide, sizeof wide, 1, stdout) == 1);
  CHECK(len == 0 || fwrite(bytes, len, 1, stdout) == 1);
}

static inline void give_and_release(char command, rb_status status, rb_response *response) {
  give(command, status, response->data, response->len);
  rb_response_release(response);
}

#endif
