/* What the testee in C has begun and offers: calls whose events a queue has, objects, and services. */
#ifndef TEST_TESTEE_OPERATIONS_H
#define TEST_TESTEE_OPERATIONS_H

#include "testee.h"

#define INSTANCES 200
#define CALLS 256
#define SERVICES 16
#define ARENA 512

/* An event as the judge gets it. */
typedef struct told {
  struct told *next;
  buffer bytes;
} told;

/* A call that was begun, by the judge's number. */
typedef struct begun {
  rb_op op;
  /* Which of those of that number it is; events of one before are nobody's any more. */
  uint64_t serial;
  told *first;
} begun;

/* A service, and what it was asked. */
typedef struct offered {
  rb_service service;
  char *name;
  uint8_t mode;
  rb_status status;
  uint8_t *answer;
  size_t answer_len;
  struct offers *of;
} offered;

typedef struct offers {
  offered list[SERVICES];
  size_t count;
  volatile long lock;
  buffer asked;
  /* Those that answer later. */
  thread threads[SERVICES * 4];
  size_t threads_started;
} offers;

typedef struct reply_later {
  const offered *service;
  uint64_t number;
} reply_later;

/* How a call is begun; `mode` of a service. */
enum how { BY_QUEUE, BLOCKS, OFFLOADED, BY_FUNCTION };
enum mode { NOW, LATER, NEVER, QUEUED, BACK, THROWS, CLOSES };

/* What a function was told, on any thread, until it's asked for. */
typedef struct heard {
  struct heard *next;
  uint64_t user_data;
  buffer bytes;
} heard;

static rb_queue queue;
static begun calls[CALLS];
static heard *first_heard;
static volatile long heard_lock;
static int functions_are_told;
static uint64_t serials;
static offers offered_to[INSTANCES];

static void take_lock(volatile long *lock) {
  while (atomic_add(lock, 1) != 1) {
    atomic_add(lock, -1);
    sleep_ms(1);
  }
}

static void give_lock(volatile long *lock) { atomic_add(lock, -1); }

static rb_queue the_queue(void) {
  if (queue == 0) {
    rb_response error = no_storage();
    CHECK_STATUS(RB_OK, rb_queue_new(&queue, &error), &error);
  }
  return queue;
}

static void tell_begun(begun *call, buffer bytes) {
  told *event = (told *)calloc(1, sizeof *event);
  told **last = &call->first;
  CHECK(event != NULL);
  event->bytes = bytes;
  while (*last != NULL) {
    last = &(*last)->next;
  }
  *last = event;
}

static void forget(begun *call) {
  while (call->first != NULL) {
    told *event = call->first;
    call->first = event->next;
    free_buffer(&event->bytes);
    free(event);
  }
}

static buffer end_of(rb_status status, rb_response *response, rb_reply *reply) {
  buffer bytes = {NULL, 0, 0};
  append(&bytes, "\1", 1);
  append(&bytes, &status, sizeof status);
  append_bytes(&bytes, response->data, response->len);
  append_bytes(&bytes, reply->trailers.data, reply->trailers.len);
  append_bytes(&bytes, reply->objects.data, reply->objects.len);
  rb_response_release(response);
  rb_response_release(&reply->trailers);
  rb_response_release(&reply->objects);
  return bytes;
}

static buffer items_of(rb_event *event) {
  buffer bytes = {NULL, 0, 0};
  const uint8_t *data = event->response.data;
  size_t len = event->response.len;
  uint32_t at;
  uint32_t from = 0;
  uint32_t to;
  append(&bytes, "\2", 1);
  append_u32(&bytes, event->count);
  CHECK(event->count > 0);
  for (at = 0; at < event->count; at++) {
    if (event->flags & RB_BATCH_ENDS) {
      memcpy(&to, data + len - (event->count - at) * sizeof to, sizeof to);
    } else {
      CHECK(len % event->count == 0);
      to = from + (uint32_t)(len / event->count);
    }
    CHECK(from <= to && to <= len);
    append_bytes(&bytes, data + from, to - from);
    from = to;
  }
  append_bytes(&bytes, event->reply.objects.data, event->reply.objects.len);
  rb_response_release(&event->response);
  rb_response_release(&event->reply.objects);
  return bytes;
}

/* An event of a call as the judge gets it; what came with it is released. */
static buffer bytes_of(rb_event *event) {
  buffer bytes = {NULL, 0, 0};
  if (event->kind == RB_EVENT_DONE) {
    return end_of(event->status, &event->response, &event->reply);
  }
  if (event->kind == RB_EVENT_ITEMS) {
    return items_of(event);
  }
  CHECK(event->kind == RB_EVENT_DEMAND);
  append(&bytes, "\3", 1);
  return bytes;
}

/* The function that is told of calls, on whichever thread. */
static void hear(void *user_data, rb_event *event) {
  heard *one = (heard *)calloc(1, sizeof *one);
  heard **last = &first_heard;
  CHECK(one != NULL && user_data == calls);
  one->user_data = event->user_data;
  one->bytes = bytes_of(event);
  take_lock(&heard_lock);
  while (*last != NULL) {
    last = &(*last)->next;
  }
  *last = one;
  give_lock(&heard_lock);
}

/* Gives what functions were told to the calls that it's of. */
static void take_heard(void) {
  heard *one;
  take_lock(&heard_lock);
  while ((one = first_heard) != NULL) {
    begun *call = &calls[one->user_data % CALLS];
    first_heard = one->next;
    if (call->serial == one->user_data / CALLS) {
      tell_begun(call, one->bytes);
    } else {
      free_buffer(&one->bytes);
    }
    free(one);
  }
  give_lock(&heard_lock);
}

static void note(offered *service, const uint8_t *request, size_t len) {
  offers *of = service->of;
  take_lock(&of->lock);
  append_word(&of->asked, service->name);
  append_bytes(&of->asked, request, len);
  give_lock(&of->lock);
}

/* Answers a service that goes to the queue. */
static void answer_event(rb_event *event) {
  offered *service = (offered *)(uintptr_t)event->user_data;
  rb_response error = no_storage();
  if (event->kind == RB_EVENT_SERVICE) {
    note(service, event->response.data, event->response.len);
    /* Nobody may wait any more. */
    rb_service_reply(event->op, service->status, service->answer, service->answer_len, &error);
    rb_response_release(&error);
  }
  rb_response_release(&event->response);
}

/* Fetches what has come, waiting that long; 0 if nothing has. */
static size_t fetch(uint64_t timeout_ms) {
  rb_event events[4];
  uint8_t arena[ARENA];
  size_t count = 0;
  size_t at;
  rb_response error = no_storage();
  memset(events, 0, sizeof events);
  events[0].size = sizeof events[0];
  CHECK_STATUS(RB_OK, rb_queue_poll(queue, events, 4, arena, sizeof arena, timeout_ms, &count, &error), &error);
  for (at = 0; at < count; at++) {
    rb_event *event = &events[at];
    begun *call = &calls[event->user_data % CALLS];
    if (event->kind == RB_EVENT_SERVICE || event->kind == RB_EVENT_SERVICE_CANCEL) {
      answer_event(event);
    } else if (call->serial != event->user_data / CALLS) {
      rb_response_release(&event->response);
      rb_response_release(&event->reply.trailers);
      rb_response_release(&event->reply.objects);
    } else {
      tell_begun(call, bytes_of(event));
    }
  }
  return count;
}

/* `W`: begins a call, or makes one that blocks. */
static void do_begin(rb_instance instance) {
  uint8_t number = read_u8();
  begun *call = &calls[number];
  rb_submission submission;
  rb_call_context header;
  rb_reply reply;
  uint8_t how;
  uint8_t *trace_memory;
  uint8_t *state_memory;
  uint8_t *metadata_memory;
  uint8_t *objects_memory;
  uint8_t *request_memory;
  size_t len;
  memset(&submission, 0, sizeof submission);
  memset(&header, 0, sizeof header);
  memset(&reply, 0, sizeof reply);
  submission.size = sizeof submission;
  submission.instance = instance;
  submission.entry = read_u32();
  submission.call_context = &header;
  how = read_u8();
  header.size = sizeof header;
  header.reply = &reply;
  header.timeout_ns = read_u64();
  header.flags = header.timeout_ns == UINT64_MAX ? 0 : RB_CONTEXT_TIMEOUT;
  read_bytes(0, &trace_memory, &len);
  if (len > 0) {
    CHECK(len == 28);
    header.flags |= RB_CONTEXT_TRACE;
    memcpy(header.trace_id, trace_memory, 16);
    memcpy(header.span_id, trace_memory + 16, 8);
    memcpy(&header.trace_flags, trace_memory + 24, 4);
  }
  header.trace_state.data = (const char *)read_bytes(0, &state_memory, &header.trace_state.len);
  header.metadata = read_bytes(0, &metadata_memory, &header.metadata_len);
  header.objects = (const uint64_t *)(const void *)read_bytes(0, &objects_memory, &len);
  header.object_count = (uint32_t)(len / sizeof(uint64_t));
  submission.demand_items = read_u64();
  submission.demand_bytes = read_u64();
  submission.request = read_bytes(0, &request_memory, &submission.request_len);
  forget(call);
  call->serial = ++serials;
  call->op = 0;
  submission.user_data = call->serial * CALLS + number;
  if (how == BLOCKS) {
    submission.status = rb_call_with(instance, submission.entry, &header, NULL, submission.request,
                                     submission.request_len, &submission.response);
  } else if (how == BY_FUNCTION) {
    rb_callback callback;
    memset(&callback, 0, sizeof callback);
    callback.size = sizeof callback;
    callback.notify = hear;
    callback.user_data = calls;
    functions_are_told = 1;
    CHECK(rb_submit_callback(&callback, &submission, 1) == RB_OK);
  } else {
    submission.flags = how == OFFLOADED ? RB_SUBMIT_OFFLOAD : 0;
    CHECK(rb_submit(the_queue(), &submission, 1) == RB_OK);
  }
  if (submission.status == RB_PENDING) {
    CHECK(how != BLOCKS && submission.op != 0);
    call->op = submission.op;
  } else {
    CHECK(submission.op == 0);
    tell_begun(call, end_of(submission.status, &submission.response, &reply));
  }
  free(trace_memory);
  free(state_memory);
  free(metadata_memory);
  free(objects_memory);
  free(request_memory);
  give('W', RB_OK, NULL, 0);
}

/* `E`: waits for what comes next of a call. The judge's limit is generous, so it may begin anew with each event of another. */
static void do_event(void) {
  begun *call = &calls[read_u8()];
  uint64_t timeout_ms = read_u64();
  uint64_t waited = 0;
  told *event;
  for (take_heard(); call->first == NULL; take_heard()) {
    if (!functions_are_told) {
      if (queue == 0 || fetch(timeout_ms) == 0) {
        break;
      }
    } else if (waited++ < timeout_ms) {
      /* Nothing in the queue says that a function was told. */
      if (queue == 0) {
        sleep_ms(1);
      } else {
        fetch(1);
      }
    } else {
      break;
    }
  }
  event = call->first;
  if (event == NULL) {
    give('E', RB_OK, "\0", 1);
    return;
  }
  call->first = event->next;
  give('E', RB_OK, event->bytes.data, event->bytes.len);
  free_buffer(&event->bytes);
  free(event);
}

static rb_status write_items(rb_op op, rb_response *error) {
  uint32_t count = read_u32();
  uint32_t at;
  buffer data = {NULL, 0, 0};
  buffer ends = {NULL, 0, 0};
  rb_batch batch;
  rb_status status;
  for (at = 0; at < count; at++) {
    uint8_t *memory;
    size_t len;
    read_bytes(0, &memory, &len);
    append(&data, memory, len);
    append_u32(&ends, (uint32_t)data.len);
    free(memory);
  }
  append(&data, ends.data, ends.len);
  memset(&batch, 0, sizeof batch);
  batch.size = sizeof batch;
  batch.flags = RB_BATCH_ENDS;
  batch.count = count;
  batch.data = data.data;
  batch.len = data.len;
  status = rb_op_write(op, &batch, error);
  free_buffer(&data);
  free_buffer(&ends);
  return status;
}

/* `K`, `G`, `N`, `T`, `Z`: cancels a call, gives it up, takes items of it, sends items to it, ends those. */
static void do_act(char command) {
  rb_op op = calls[read_u8()].op;
  rb_response error = no_storage();
  rb_status status;
  uint64_t items;
  uint32_t ends_with;
  uint8_t *memory;
  size_t len;
  switch (command) {
    case 'K': status = rb_op_cancel(op, &error); break;
    case 'G': status = rb_op_detach(op, &error); break;
    case 'N':
      items = read_u64();
      status = rb_op_demand(op, items, read_u64(), &error);
      break;
    case 'T': status = write_items(op, &error); break;
    default:
      CHECK(command == 'Z');
      ends_with = read_u32();
      read_bytes(0, &memory, &len);
      status = rb_op_end(op, (rb_status)ends_with, memory, len, &error);
      free(memory);
  }
  give_and_release(command, status, &error);
}

/* `Q`: closes the queue, and later ones have another. */
static void do_abandon(void) {
  rb_response error = no_storage();
  if (queue != 0) {
    CHECK_STATUS(RB_OK, rb_queue_close(queue, &error), &error);
    queue = 0;
  }
  give('Q', RB_OK, NULL, 0);
}

/* `O`: releases an object. */
static void do_release(void) { give('O', rb_object_release(read_u64()), NULL, 0); }

THREAD_FUNCTION(reply_in_a_moment) {
  reply_later *later = (reply_later *)argument;
  const offered *service = later->service;
  rb_response error = no_storage();
  sleep_ms(1);
  /* Nobody may wait any more. */
  rb_service_reply(later->number, service->status, service->answer, service->answer_len, &error);
  rb_response_release(&error);
  free(later);
  THREAD_RETURN;
}

static rb_status answer_service(void *user_data, const rb_service_call *call, rb_response *response) {
  offered *service = (offered *)user_data;
  offers *of = service->of;
  rb_response error = no_storage();
  reply_later *later;
  rb_status status;
  uint64_t number;
  note(service, call->request, call->request_len);
  if (service->mode == BACK) {
    /* Calls the method that the answer names, with what was asked. */
    rb_method method = no_method();
    rb_text name;
    name.data = (const char *)service->answer;
    name.len = service->answer_len;
    CHECK_STATUS(RB_OK, rb_prepare(call->instance, name, call->encoding, &method, &error), &error);
    return rb_call(call->instance, method.entry, call->request, call->request_len, response);
  }
  if (service->mode == CLOSES) {
    return rb_close(call->instance, 0, response);
  }
  if (service->mode == NOW) {
    CHECK(rb_respond(response, service->answer, service->answer_len) == RB_OK);
    return service->status;
  }
  /* Fails if the call is over already: it was cancelled, or its deadline has passed. */
  status = rb_service_defer(call, &number, response);
  if (status != RB_OK) {
    return status;
  }
  if (service->mode == LATER) {
    later = (reply_later *)malloc(sizeof *later);
    CHECK(later != NULL);
    later->service = service;
    later->number = number;
    take_lock(&of->lock);
    CHECK(of->threads_started < SERVICES * 4);
    of->threads[of->threads_started++] = start(reply_in_a_moment, later);
    give_lock(&of->lock);
  }
  return RB_PENDING;
}

/* `R`: keeps a service for the next load of an instance. */
static void do_register(uint8_t instance) {
  offers *of = &offered_to[instance];
  offered *one = &of->list[of->count++];
  uint8_t *memory;
  size_t len;
  CHECK(of->count <= SERVICES);
  memset(one, 0, sizeof *one);
  one->of = of;
  read_bytes(0, &memory, &len);
  one->name = (char *)calloc(len + 1, 1);
  CHECK(one->name != NULL);
  memcpy(one->name, memory, len);
  free(memory);
  one->service.size = sizeof one->service;
  one->service.name = rb_text_of(one->name);
  one->service.encoding = read_u32();
  free(read_bytes(0, &memory, &len));
  one->mode = read_u8();
  one->status = (rb_status)read_u32();
  read_bytes(0, &one->answer, &one->answer_len);
  if (one->mode == QUEUED) {
    one->service.queue = the_queue();
  } else {
    one->service.call = answer_service;
  }
  one->service.user_data = one;
  give('R', RB_OK, NULL, 0);
}

/* `A`: what the services of an instance were asked. */
static void do_asked(uint8_t instance) {
  offers *of = &offered_to[instance];
  give('A', RB_OK, of->asked.data, of->asked.len);
  free_buffer(&of->asked);
}

/* Has a load register the services that were kept. `services` has room for them until it's done. */
static void add_services(uint8_t instance, rb_service *services, rb_load_options *options) {
  offers *of = &offered_to[instance];
  size_t at;
  for (at = 0; at < of->count; at++) {
    services[at] = of->list[at].service;
  }
  options->services = of->count > 0 ? services : NULL;
  options->service_count = of->count;
}

/* Forgets the services of an instance, which is closed. */
static void drop_services(uint8_t instance) {
  offers *of = &offered_to[instance];
  size_t at;
  for (at = 0; at < of->threads_started; at++) {
    join(of->threads[at]);
  }
  for (at = 0; at < of->count; at++) {
    free(of->list[at].name);
    free(of->list[at].answer);
  }
  free_buffer(&of->asked);
  memset(of, 0, sizeof *of);
}

static void end_operations(void) {
  size_t at;
  take_heard();
  for (at = 0; at < CALLS; at++) {
    forget(&calls[at]);
  }
  if (queue != 0) {
    CHECK(rb_queue_close(queue, NULL) == RB_OK);
  }
}

#endif
