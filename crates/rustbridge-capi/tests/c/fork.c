/* After a fork the child is told so, and can load anew. Usage: fork PLUGIN. POSIX only. */
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static void in_the_child(const char *path, rb_instance inherited, uint32_t echo, rb_response *lease) {
  rb_response response = no_storage();
  rb_method method = no_method();
  rb_instance own;
  CHECK(state_of(inherited) == RB_STATE_FORKED);
  CHECK_ERROR(RB_FAILED_PRECONDITION, rb_call(inherited, echo, NULL, 0, &response), &response, "fork");
  CHECK(rb_prepare(inherited, rb_text_of("echo"), RB_ENCODING_RAW, &method, NULL) == RB_FAILED_PRECONDITION);
  CHECK(rb_describe(inherited, &response) == RB_FAILED_PRECONDITION);
  rb_response_release(&response);
  CHECK(rb_close(inherited, UINT64_MAX, NULL) == RB_FAILED_PRECONDITION);
  CHECK(rb_log_set_level(inherited, RB_LOG_INFO, NULL) == RB_FAILED_PRECONDITION);
  CHECK(lease->len == 4 && memcmp(lease->data, "kept", 4) == 0);
  rb_response_release(lease);
  own = load(path);
  CHECK(own != inherited);
  CHECK(rb_call(own, entry_of(own, "echo", RB_ENCODING_RAW), (const uint8_t *)"hi", 2, &response) == RB_OK);
  CHECK(response.len == 2);
  rb_response_release(&response);
  close_now(own);
}

int main(int argc, char **argv) {
  rb_instance instance;
  uint32_t echo;
  rb_response lease = no_storage();
  pid_t child;
  int status = 0;
  CHECK(argc == 2);
  instance = load(argv[1]);
  echo = entry_of(instance, "echo", RB_ENCODING_RAW);
  CHECK(rb_call(instance, entry_of(instance, "handover", RB_ENCODING_RAW), (const uint8_t *)"kept", 4, &lease) == RB_OK);
  child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    in_the_child(argv[1], instance, echo, &lease);
    _exit(0);
  }
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  /* The parent doesn't notice. */
  CHECK(state_of(instance) == RB_STATE_ACTIVE);
  CHECK(call_and_release(instance, echo, "hi", 2) == RB_OK);
  rb_response_release(&lease);
  close_now(instance);
  printf("fork: ok\n");
  return 0;
}
