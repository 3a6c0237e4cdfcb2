/* What a C host's services are asked, and what is answered. Usage: services ASKER. */
#include <ctype.h>

#include "check.h"

#if !defined(_WIN32)
#include <sys/wait.h>
#include <unistd.h>
#endif

typedef struct host {
  rb_instance instance;
  uint64_t numbers[8];
  int kept;
  int answer_at_once;
  volatile long cancelled;
  volatile long drops;
} host;

static rb_status upper(void *user_data, const rb_service_call *call, rb_response *response) {
  host *self = (host *)user_data;
  uint8_t text[64];
  size_t at;
  rb_response report = no_storage();
  CHECK(call->size >= sizeof *call && call->encoding == RB_ENCODING_RAW && call->call_context == NULL);
  if (call->request_len == 4 && memcmp(call->request, "fail", 4) == 0) {
    static const char error[] =
        "{\"code\":\"NOT_FOUND\",\"message\":\"no such text\",\"type\":\"Host.NoText\",\"details\":{\"id\":7}}";
    rb_respond(response, (const uint8_t *)error, sizeof error - 1);
    return RB_NOT_FOUND;
  }
  if (call->request_len == 5 && memcmp(call->request, "close", 5) == 0) {
    CHECK(call->instance == self->instance);
    CHECK_ERROR(RB_FAILED_PRECONDITION, rb_close(self->instance, 0, &report), &report, "inside");
    return RB_OK;
  }
  if (call->request_len == 4 && memcmp(call->request, "long", 4) == 0) {
    response->len = (size_t)1 << 40;
    return RB_OK;
  }
  CHECK(call->request_len <= sizeof text);
  for (at = 0; at < call->request_len; at++) {
    text[at] = (uint8_t)toupper(call->request[at]);
  }
  return rb_respond(response, text, call->request_len);
}

static rb_status later(void *user_data, const rb_service_call *call, rb_response *response) {
  host *self = (host *)user_data;
  uint64_t number = 0;
  uint64_t same = 0;
  rb_response error = no_storage();
  (void)response;
  CHECK_STATUS(RB_OK, rb_service_defer(call, &number, &error), &error);
  CHECK_STATUS(RB_OK, rb_service_defer(call, &same, &error), &error);
  CHECK(number != 0 && number == same);
  CHECK(rb_service_defer(NULL, &number, NULL) == RB_INVALID_ARGUMENT);
  CHECK(rb_service_defer(call, NULL, NULL) == RB_INVALID_ARGUMENT);
  if (self->answer_at_once) {
    CHECK_STATUS(RB_OK, rb_service_reply(number, RB_OK, (const uint8_t *)"soon", 4, &error), &error);
    CHECK_ERROR(RB_FAILED_PRECONDITION, rb_service_reply(number, RB_OK, NULL, 0, &error), &error, "over");
  } else {
    self->numbers[self->kept++] = number;
  }
  return RB_PENDING;
}

static void cancelled(void *user_data, uint64_t number) {
  CHECK(number != 0);
  atomic_add(&((host *)user_data)->cancelled, 1);
}

static void dropped(void *user_data) { atomic_add(&((host *)user_data)->drops, 1); }

static rb_service service(const char *name, host *self,
                          rb_status (*call)(void *, const rb_service_call *, rb_response *)) {
  rb_service made;
  memset(&made, 0, sizeof made);
  made.size = sizeof made;
  made.encoding = RB_ENCODING_RAW;
  made.name = rb_text_of(name);
  made.call = call;
  made.cancel = cancelled;
  made.user_data = self;
  made.drop = dropped;
  return made;
}

static rb_status ask(const host *self, const char *method, const char *request, rb_response *response) {
  *response = no_storage();
  return rb_call(self->instance, entry_of(self->instance, method, RB_ENCODING_RAW), (const uint8_t *)request,
                 strlen(request), response);
}

static void check_answer(const host *self, const char *method, const char *request, const char *expected) {
  rb_response response;
  CHECK_STATUS(RB_OK, ask(self, method, request, &response), &response);
  CHECK(response.len == strlen(expected) && memcmp(response.data, expected, response.len) == 0);
  rb_response_release(&response);
}

static void refused_loads(const char *path, host *self) {
  rb_load_options options = options_for(path);
  rb_service services[2];
  rb_instance instance = 1;
  rb_response error = no_storage();
  long drops = atomic_read(&self->drops);
  CHECK_ERROR(RB_FAILED_PRECONDITION, rb_load(&options, &instance, &error), &error, "`upper` (raw), `later` (raw)");
  services[0] = service("upper", self, upper);
  services[1] = service("upper", self, upper);
  options.services = services;
  options.service_count = 2;
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_load(&options, &instance, &error), &error, "twice");
  CHECK(instance == 0 && atomic_read(&self->drops) == (drops += 2));
  services[1] = service("later", self, NULL);
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_load(&options, &instance, &error), &error, "options.services[1].call");
  CHECK(atomic_read(&self->drops) == (drops += 2));
  services[1].encoding = 77;
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_load(&options, &instance, &error), &error, "options.services[1].encoding");
  CHECK(atomic_read(&self->drops) == (drops += 2));
  services[1].encoding = RB_ENCODING_JSON;
  services[1].call = later;
  CHECK_ERROR(RB_FAILED_PRECONDITION, rb_load(&options, &instance, &error), &error, "`later` (json)");
  CHECK(atomic_read(&self->drops) == (drops += 2));
  services[1] = service("later", self, later);
  services[1].flags = 2;
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_load(&options, &instance, &error), &error, "options.services[1].flags");
  CHECK(atomic_read(&self->drops) == (drops += 2));
  services[0].size = 8;
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_load(&options, &instance, &error), &error, "options.services.size");
  CHECK(atomic_read(&self->drops) == drops);
  options.services = NULL;
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_load(&options, &instance, &error), &error, "options.services is null");
}

THREAD_FUNCTION(answer_in_a_moment) {
  host *self = (host *)argument;
  rb_response error = no_storage();
  while (*(volatile int *)&self->kept == 0) {
    sleep_ms(1);
  }
  CHECK_STATUS(RB_OK,
               rb_service_reply(self->numbers[0], RB_ABORTED, (const uint8_t *)"{\"message\":\"not now\"}", 21, &error),
               &error);
  THREAD_RETURN;
}

/* In a forked child nobody asks, and nobody answers. */
static void forked(const host *self, uint64_t number) {
#if defined(_WIN32)
  (void)self;
  (void)number;
#else
  int status = 0;
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    rb_response response = no_storage();
    CHECK_ERROR(RB_FAILED_PRECONDITION, rb_service_reply(number, RB_OK, NULL, 0, &response), &response,
                "rustbridge.Forked");
    CHECK_ERROR(RB_FAILED_PRECONDITION, rb_call(self->instance, 0, NULL, 0, &response), &response, "rustbridge.Forked");
    _exit(0);
  }
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
#endif
}

int main(int argc, char **argv) {
  static host self;
  rb_service services[2];
  rb_load_options options;
  rb_response response;
  thread answerer;
  CHECK(argc == 2);
  refused_loads(argv[1], &self);
  self.drops = 0;
  services[0] = service("upper", &self, upper);
  services[1] = service("later", &self, later);
  options = options_for(argv[1]);
  options.services = services;
  options.service_count = 2;
  self.instance = load_with(&options);

  check_answer(&self, "ask", "some text", "SOME TEXT");
  check_answer(&self, "ask", "", "");
  CHECK_ERROR(RB_NOT_FOUND, ask(&self, "ask", "fail", &response), &response, "\"details\":{\"id\":7}");
  check_answer(&self, "ask", "close", "");
  CHECK_ERROR(RB_INTERNAL, ask(&self, "ask", "long", &response), &response, "service `upper`");
  CHECK_ERROR(RB_FAILED_PRECONDITION, ask(&self, "ask_in_leaf", "text", &response), &response, "leaf");
  CHECK_ERROR(RB_DEADLINE_EXCEEDED, ask(&self, "expired", "text", &response), &response, "`upper`");

  self.answer_at_once = 1;
  check_answer(&self, "ask_later", "", "soon");
  check_answer(&self, "start_later", "", "soon");
  self.answer_at_once = 0;
  answerer = start(answer_in_a_moment, &self);
  CHECK(ask(&self, "ask_later", "", &response) == RB_ABORTED);
  CHECK(contains(&response, "not now"));
  rb_response_release(&response);
  join(answerer);
  self.kept = 0;
  CHECK_ERROR(RB_CANCELLED, ask(&self, "cancel_later", "", &response), &response, "cancelled");
  CHECK(self.cancelled == 1);
  CHECK_ERROR(RB_FAILED_PRECONDITION, rb_service_reply(self.numbers[0], RB_OK, NULL, 0, &response), &response, "over");
  CHECK_ERROR(RB_NOT_FOUND, rb_service_reply(UINT64_MAX, RB_OK, NULL, 0, &response), &response, "isn't the number");
  CHECK_ERROR(RB_NOT_FOUND, rb_service_reply(0, RB_OK, NULL, 0, &response), &response, "isn't the number");
  CHECK(rb_service_reply(1, RB_OK, NULL, 5, NULL) == RB_INVALID_ARGUMENT);
  CHECK(rb_respond(NULL, NULL, 0) == RB_INVALID_ARGUMENT);
  CHECK(rb_respond(&response, NULL, 1) == RB_INVALID_ARGUMENT);

  /* One that stays pending until the instance ends. */
  CHECK(ask(&self, "start_later", "", &response) == RB_UNAVAILABLE);
  rb_response_release(&response);
  CHECK(self.drops == 0);
  forked(&self, self.numbers[1]);
  close_now(self.instance);
  CHECK(self.cancelled == 2 && self.drops == 2);
  CHECK_ERROR(RB_FAILED_PRECONDITION, rb_service_reply(self.numbers[1], RB_OK, NULL, 0, &response), &response, "over");
  printf("services: ok\n");
  return 0;
}
