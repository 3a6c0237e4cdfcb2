/* What a plugin asks of services that go to a C host's queue, and who answers. Usage: service_queues ASKER. */
#include "check.h"

typedef struct host {
  rb_instance instance;
  rb_queue queue;
  volatile long drops;
} host;

static void never_told(void *user_data, uint64_t number) {
  (void)user_data;
  (void)number;
}

static int is_request(const rb_service_call *call, const char *text) {
  return call->request_len == strlen(text) && memcmp(call->request, text, call->request_len) == 0;
}

/* Answers some, by a number too, and leaves the rest to the queue. */
static rb_status asked_first(void *user_data, const rb_service_call *call, rb_response *response) {
  uint64_t number = 0;
  rb_response error = no_storage();
  (void)user_data;
  if (is_request(call, "here")) {
    return rb_respond(response, (const uint8_t *)"on the spot", 11);
  }
  if (is_request(call, "number")) {
    CHECK_STATUS(RB_OK, rb_service_defer(call, &number, &error), &error);
    CHECK_STATUS(RB_OK, rb_service_reply(number, RB_OK, (const uint8_t *)"by number", 9, &error), &error);
  } else if (is_request(call, "scribbled")) {
    /* Not as it was, so it isn't believed. */
    response->data = NULL;
    response->len = 5;
  }
  return RB_PENDING;
}

static void dropped(void *user_data) { atomic_add(&((host *)user_data)->drops, 1); }

static rb_service service(const char *name, host *self) {
  rb_service made;
  memset(&made, 0, sizeof made);
  made.size = sizeof made;
  made.encoding = RB_ENCODING_RAW;
  made.name = rb_text_of(name);
  made.user_data = self;
  made.drop = dropped;
  return made;
}

static rb_status ask(const host *self, const char *method, const char *request, rb_response *response) {
  *response = no_storage();
  return rb_call(self->instance, entry_of(self->instance, method, RB_ENCODING_RAW), (const uint8_t *)request,
                 strlen(request), response);
}

/* The next event, its payloads in the arena if there is one; 0 if none came. */
static size_t next(const host *self, rb_event *event, uint8_t *arena, size_t arena_len, uint64_t timeout_ms) {
  rb_response error = no_storage();
  size_t count = 0;
  memset(event, 0, sizeof *event);
  event->size = sizeof *event;
  CHECK_STATUS(RB_OK, rb_queue_poll(self->queue, event, 1, arena, arena_len, timeout_ms, &count, &error), &error);
  return count;
}

static void check_asked(const host *self, const rb_event *event, const char *request) {
  CHECK(event->kind == RB_EVENT_SERVICE && event->op != 0 && event->user_data == (uint64_t)(uintptr_t)self);
  CHECK(event->instance == self->instance && event->status == RB_OK && event->count == 0);
  CHECK(event->response.len == strlen(request));
  CHECK(memcmp(event->response.data, request, event->response.len) == 0);
}

static void reply(uint64_t number, rb_status status, const char *payload) {
  rb_response error = no_storage();
  CHECK_STATUS(RB_OK, rb_service_reply(number, status, (const uint8_t *)payload, strlen(payload), &error), &error);
  CHECK_ERROR(RB_FAILED_PRECONDITION, rb_service_reply(number, RB_OK, NULL, 0, &error), &error, "over");
}

static void refused_loads(const char *path, host *self) {
  rb_load_options options = options_for(path);
  rb_service services[2];
  rb_instance instance = 1;
  rb_response error = no_storage();
  rb_queue closed = 0;
  options.services = services;
  options.service_count = 2;
  services[0] = service("upper", self);
  services[1] = service("later", self);
  services[0].queue = services[1].queue = self->queue;
  services[1].cancel = never_told;
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_load(&options, &instance, &error), &error, "options.services[1].cancel isn't null");
  CHECK(atomic_read(&self->drops) == 2);
  services[1].cancel = NULL;
  CHECK_STATUS(RB_OK, rb_queue_new(&closed, &error), &error);
  CHECK_STATUS(RB_OK, rb_queue_close(closed, &error), &error);
  services[1].queue = closed;
  CHECK_ERROR(RB_INVALID_ARGUMENT, rb_load(&options, &instance, &error), &error, "service `later`");
  CHECK(atomic_read(&self->drops) == 4);
  self->drops = 0;
}

/* Answers what comes until it's asked to stop. */
THREAD_FUNCTION(drain) {
  const host *self = (const host *)argument;
  uint8_t arena[64];
  int stops = 0;
  while (!stops) {
    rb_event event;
    if (next(self, &event, arena, sizeof arena, UINT64_MAX) == 0) {
      continue;
    }
    CHECK(event.kind == RB_EVENT_SERVICE && event.call_context == NULL);
    stops = event.response.len == 4 && memcmp(event.response.data, "stop", 4) == 0;
    if (event.response.len == 4 && memcmp(event.response.data, "fail", 4) == 0) {
      reply(event.op, RB_ABORTED, "{\"message\":\"not now\"}");
    } else {
      /* Too long for the arena: handed over. */
      CHECK((event.response.release != NULL) == (event.response.len > sizeof arena));
      reply(event.op, RB_OK, event.response.len > sizeof arena ? "long" : "short");
    }
    rb_response_release(&event.response);
  }
  THREAD_RETURN;
}

static void answered_by_another_thread(host *self) {
  char request[200];
  rb_response response;
  thread drainer = start(drain, self);
  memset(request, 'x', sizeof request - 1);
  request[sizeof request - 1] = 0;
  CHECK(ask(self, "ask_later", request, &response) == RB_OK && contains(&response, "long"));
  rb_response_release(&response);
  CHECK(ask(self, "ask_later", "some text", &response) == RB_OK && contains(&response, "short"));
  rb_response_release(&response);
  CHECK(ask(self, "ask_later", "fail", &response) == RB_ABORTED && contains(&response, "not now"));
  rb_response_release(&response);
  CHECK(ask(self, "ask_later", "stop", &response) == RB_OK);
  rb_response_release(&response);
  join(drainer);
}

static void answered_by_the_thread_that_asks(const host *self) {
  rb_response response;
  rb_event event;
  CHECK(next(self, &event, NULL, 0, 0) == 0);
  CHECK_ERROR(RB_FAILED_PRECONDITION, ask(self, "ask_later", "text", &response), &response, "wait for itself");
  CHECK(next(self, &event, NULL, 0, 0) == 0);
  /* Without waiting it may. */
  CHECK(ask(self, "start_later", "text", &response) == RB_UNAVAILABLE);
  CHECK(next(self, &event, NULL, 0, UINT64_MAX) == 1);
  check_asked(self, &event, "text");
  CHECK(event.call_context == NULL && event.response.release != NULL);
  rb_response_release(&event.response);
  reply(event.op, RB_OK, "itself");
  CHECK(ask(self, "how_it_ended", "", &response) == RB_OK && contains(&response, "itself"));
  rb_response_release(&response);
  /* Cancelled before it was fetched: nothing is told. */
  CHECK_ERROR(RB_CANCELLED, ask(self, "cancel_later", "", &response), &response, "cancelled");
  CHECK(next(self, &event, NULL, 0, 0) == 0);
}

THREAD_FUNCTION(ask_in_time) {
  const host *self = (const host *)argument;
  rb_response response;
  CHECK(ask(self, "ask_in_time", "in time", &response) == RB_OK && contains(&response, "here"));
  rb_response_release(&response);
  THREAD_RETURN;
}

THREAD_FUNCTION(ask_quickly) {
  const host *self = (const host *)argument;
  rb_response response;
  CHECK_ERROR(RB_DEADLINE_EXCEEDED, ask(self, "ask_in_time", "quick", &response), &response, "`later`");
  THREAD_RETURN;
}

/* What comes with a call is beside its request, wherever that is. */
static void accompanied(host *self, uint8_t *arena, size_t arena_len, int is_in_arena) {
  thread asker = start(ask_in_time, self);
  rb_event event;
  const rb_call_context *header;
  CHECK(next(self, &event, arena, arena_len, UINT64_MAX) == 1);
  check_asked(self, &event, "in time");
  header = event.call_context;
  CHECK(header != NULL && header->size == sizeof *header && (uintptr_t)header % 8 == 0);
  CHECK(header->flags == (RB_CONTEXT_TIMEOUT | RB_CONTEXT_TRACE) && header->timeout_ns <= UINT64_C(30000000000));
  CHECK(header->trace_id[0] == 7 && header->span_id[0] == 8 && header->op == 0 && header->cancelled == NULL);
  CHECK(header->object_count == 0 && header->objects == NULL && header->reply == NULL);
  CHECK(header->trace_state.len == 8 && memcmp(header->trace_state.data, "vendor=1", 8) == 0);
  CHECK(header->metadata_len == 14 && header->metadata[12] == 'k' && header->metadata[13] == 'v');
  CHECK((event.response.release == NULL) == is_in_arena);
  if (is_in_arena) {
    CHECK((const uint8_t *)header >= arena && event.response.data + event.response.len <= arena + arena_len);
  }
  rb_response_release(&event.response);
  reply(event.op, RB_OK, "here");
  join(asker);
}

/* Nobody answers in time. */
static void given_up(host *self) {
  thread asker = start(ask_quickly, self);
  rb_event event;
  uint64_t number;
  CHECK(next(self, &event, NULL, 0, UINT64_MAX) == 1);
  check_asked(self, &event, "quick");
  number = event.op;
  rb_response_release(&event.response);
  CHECK(next(self, &event, NULL, 0, UINT64_MAX) == 1);
  CHECK(event.kind == RB_EVENT_SERVICE_CANCEL && event.op == number && event.call_context == NULL);
  CHECK(event.instance == self->instance);
  CHECK(event.user_data == (uint64_t)(uintptr_t)self && event.response.len == 0);
  join(asker);
  CHECK(rb_service_reply(number, RB_OK, NULL, 0, NULL) == RB_FAILED_PRECONDITION);
}

/* Services with a function and a queue: what the function leaves goes to the queue. */
static void asked_before_the_queue(const char *path) {
  static host self;
  rb_service services[2];
  rb_load_options options = options_for(path);
  rb_response response = no_storage();
  thread drainer;
  CHECK_STATUS(RB_OK, rb_queue_new(&self.queue, &response), &response);
  services[0] = service("upper", &self);
  services[1] = service("later", &self);
  services[0].queue = services[1].queue = self.queue;
  services[1].call = asked_first;
  options.services = services;
  options.service_count = 2;
  self.instance = load_with(&options);
  drainer = start(drain, &self);
  CHECK(ask(&self, "ask_later", "here", &response) == RB_OK && contains(&response, "on the spot"));
  rb_response_release(&response);
  CHECK(ask(&self, "ask_later", "number", &response) == RB_OK && contains(&response, "by number"));
  rb_response_release(&response);
  CHECK(ask(&self, "ask_later", "left", &response) == RB_OK && contains(&response, "short"));
  rb_response_release(&response);
  CHECK(ask(&self, "ask_later", "scribbled", &response) == RB_OK && contains(&response, "short"));
  rb_response_release(&response);
  CHECK(ask(&self, "ask_later", "stop", &response) == RB_OK);
  rb_response_release(&response);
  join(drainer);
  close_now(self.instance);
  CHECK(atomic_read(&self.drops) == 2);
  CHECK_STATUS(RB_OK, rb_queue_close(self.queue, &response), &response);
}

int main(int argc, char **argv) {
  static host self;
  static uint64_t memory[64];
  uint8_t *arena = (uint8_t *)memory;
  rb_service services[2];
  rb_load_options options;
  rb_response response = no_storage();
  rb_event event;
  CHECK(argc == 2);
  CHECK_STATUS(RB_OK, rb_queue_new(&self.queue, &response), &response);
  refused_loads(argv[1], &self);
  services[0] = service("upper", &self);
  services[1] = service("later", &self);
  services[0].queue = services[1].queue = self.queue;
  options = options_for(argv[1]);
  options.services = services;
  options.service_count = 2;
  self.instance = load_with(&options);

  answered_by_another_thread(&self);
  answered_by_the_thread_that_asks(&self);
  given_up(&self);
  accompanied(&self, NULL, 0, 0);
  accompanied(&self, arena, sizeof memory, 1);
  accompanied(&self, arena + 1, sizeof memory - 1, 1);
  accompanied(&self, arena, 64, 0);

  /* The queue is closed while one waits. */
  CHECK(ask(&self, "start_later", "fetched", &response) == RB_UNAVAILABLE);
  rb_response_release(&response);
  CHECK(next(&self, &event, NULL, 0, UINT64_MAX) == 1);
  check_asked(&self, &event, "fetched");
  rb_response_release(&event.response);
  CHECK_STATUS(RB_OK, rb_queue_close(self.queue, &response), &response);
  CHECK_ERROR(RB_UNAVAILABLE, ask(&self, "how_it_ended", "", &response), &response, "was closed");
  CHECK(rb_service_reply(event.op, RB_OK, NULL, 0, NULL) == RB_FAILED_PRECONDITION);
  CHECK_ERROR(RB_UNAVAILABLE, ask(&self, "ask_later", "", &response), &response, "was closed");
  CHECK(atomic_read(&self.drops) == 0);
  close_now(self.instance);
  CHECK(atomic_read(&self.drops) == 2);
  asked_before_the_queue(argv[1]);
  printf("service_queues: ok\n");
  return 0;
}
