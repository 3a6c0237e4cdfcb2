/* A C host's objects: given, lent, released, refused. Usage: objects COUNTERS. */
#include "check.h"

#if !defined(_WIN32)
#include <sys/wait.h>
#include <unistd.h>
#endif

static const uint8_t zeroes[64];

/* Calls with objects lent, and gives how many came into `given`. */
static rb_status call_with(rb_instance instance, const char *method, size_t request_len, const rb_object *lent,
                           uint32_t lent_count, rb_object *given, size_t room, size_t *given_count,
                           rb_response *response) {
  rb_call_context header;
  rb_reply reply;
  rb_status status;
  memset(&header, 0, sizeof header);
  memset(&reply, 0, sizeof reply);
  header.size = sizeof header;
  header.objects = lent;
  header.object_count = lent_count;
  header.reply = &reply;
  reply.objects = with_buffer(given, room * sizeof *given);
  *response = no_storage();
  status = rb_call_with(instance, entry_of(instance, method, RB_ENCODING_RAW), &header, NULL, zeroes, request_len,
                        response);
  *given_count = reply.objects.len / sizeof *given;
  if (reply.objects.release != NULL) {
    /* More than there's room for: the numbers are the host's all the same. */
    CHECK(reply.objects.len > room * sizeof *given);
    memcpy(given, reply.objects.data, reply.objects.len);
  }
  rb_response_release(&reply.objects);
  rb_response_release(&reply.trailers);
  return status;
}

static uint64_t number_of(rb_instance instance, const char *method, size_t request_len, const rb_object *lent,
                          uint32_t lent_count) {
  rb_response response;
  uint64_t number = 0;
  size_t given = 0;
  CHECK_STATUS(RB_OK, call_with(instance, method, request_len, lent, lent_count, NULL, 0, &given, &response),
               &response);
  CHECK(given == 0 && response.len == sizeof number);
  memcpy(&number, response.data, sizeof number);
  rb_response_release(&response);
  return number;
}

static void refused(rb_instance instance, rb_object object, rb_status expected, const char *text) {
  rb_response response;
  size_t given = 0;
  rb_status status = call_with(instance, "Counter.add", 1, &object, 1, NULL, 0, &given, &response);
  CHECK_ERROR(expected, status, &response, text);
}

/* In a forked child the parent's are the parent's. */
static void forked(rb_instance instance, rb_object object) {
#if defined(_WIN32)
  (void)instance;
  (void)object;
#else
  int status = 0;
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    rb_call_context header;
    rb_response response = no_storage();
    memset(&header, 0, sizeof header);
    header.size = sizeof header;
    header.objects = &object;
    header.object_count = 1;
    CHECK(rb_object_release(object) == RB_FAILED_PRECONDITION);
    CHECK_ERROR(RB_FAILED_PRECONDITION, rb_call_with(instance, 0, &header, NULL, zeroes, 1, &response), &response,
                "rustbridge.Forked");
    _exit(0);
  }
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
#endif
}

int main(int argc, char **argv) {
  rb_instance instance;
  rb_instance other;
  rb_object objects[64];
  rb_object foreign;
  rb_response response = no_storage();
  size_t given = 0;
  CHECK(argc == 2);
  instance = load(argv[1]);
  other = load(argv[1]);

  /* Without a place for them none is given. */
  CHECK(rb_call(instance, entry_of(instance, "open", RB_ENCODING_RAW), zeroes, 1, &response) ==
        RB_FAILED_PRECONDITION);
  rb_response_release(&response);

  CHECK_STATUS(RB_OK, call_with(instance, "open", 20, NULL, 0, objects, 4, &given, &response), &response);
  rb_response_release(&response);
  CHECK(given == 20 && number_of(instance, "alive", 0, NULL, 0) == 20);
  CHECK(number_of(instance, "Counter.add", 3, &objects[7], 1) == 3);
  CHECK(number_of(instance, "Counter.add", 4, &objects[7], 1) == 7);
  CHECK(number_of(instance, "Counter.add", 1, &objects[8], 1) == 1);
  CHECK(number_of(instance, "sum", 0, objects, 20) == 8);

  CHECK(rb_object_release(objects[8]) == RB_OK);
  CHECK(rb_object_release(objects[8]) == RB_NOT_FOUND);
  CHECK(rb_object_release(0) == RB_INVALID_ARGUMENT);
  CHECK(rb_object_release(UINT64_MAX) == RB_INVALID_ARGUMENT);
  CHECK(number_of(instance, "alive", 0, NULL, 0) == 19);

  CHECK_STATUS(RB_OK, call_with(other, "open", 1, NULL, 0, &foreign, 1, &given, &response), &response);
  rb_response_release(&response);
  refused(instance, objects[8], RB_NOT_FOUND, "was released");
  refused(instance, foreign, RB_INVALID_ARGUMENT, "another instance");
  refused(instance, 12345, RB_INVALID_ARGUMENT, "object 0 of the call");
  forked(instance, objects[7]);
  CHECK(number_of(instance, "Counter.add", 1, &objects[7], 1) == 8);

  /* The plugin's `destroy` says so if any is left. */
  CHECK_STATUS(RB_OK, rb_close(instance, 10000, &response), &response);
  CHECK(rb_object_release(objects[0]) == RB_NOT_FOUND);
  CHECK(rb_object_release(foreign) == RB_OK);
  CHECK_STATUS(RB_OK, rb_close(other, 10000, &response), &response);
  printf("objects: ok\n");
  return 0;
}
