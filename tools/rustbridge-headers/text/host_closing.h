
/* ---- Convenience ---- */

/* Returns a text that borrows a NUL-terminated string; null becomes the empty text. */
static inline rb_text rb_text_of(const char *string) {
  rb_text text;
  text.data = string;
  text.len = string == NULL ? 0 : strlen(string);
  return text;
}

/* Returns the struct that a negative result of `rb_call_into` stands for; null if the result is a length. */
static inline rb_call_result *rb_call_result_of(int64_t result) {
  return result < 0 ? (rb_call_result *)(uintptr_t)((UINT64_C(0) - (uint64_t)result) << 4) : NULL;
}
