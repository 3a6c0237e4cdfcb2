
/* ---- Convenience ---- */

/* A NUL-terminated string as a text; null is the empty one. Borrows: the text is valid as long as the string is. */
static inline rb_text rb_text_of(const char *string) {
  rb_text text;
  text.data = string;
  text.len = string == NULL ? 0 : strlen(string);
  return text;
}
