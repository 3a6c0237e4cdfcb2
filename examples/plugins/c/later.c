/*
 * A plugin in plain C with asynchronous calls: a wait, a countdown as a stream, and a sum of the items that the caller sends.
 *
 * Each instance has one thread, which completes the waits. The streams need no thread: they run inside the calls by which the
 * host asks for items or sends items. rustbridge_plugin.h specifies which functions may run at the same time, and what each must
 * handle. One rule shapes this file: a task is completed once, by the thread that takes it first.
 */
#include <rustbridge_plugin.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- A lock, a condition and a thread, for Windows and POSIX ---- */

#if defined(_WIN32)
#include <windows.h>
typedef SRWLOCK mutex;
typedef CONDITION_VARIABLE condition;
typedef HANDLE thread;
#define mutex_init(m) InitializeSRWLock(m)
#define mutex_lock(m) AcquireSRWLockExclusive(m)
#define mutex_unlock(m) ReleaseSRWLockExclusive(m)
#define mutex_end(m) ((void)(m))
#define condition_init(c) InitializeConditionVariable(c)
#define condition_wake_all(c) WakeAllConditionVariable(c)
#define condition_end(c) ((void)(c))
#define THREAD(name) static DWORD WINAPI name(void *argument)
#define THREAD_END 0

static int thread_begin(thread *made, DWORD(WINAPI *function)(void *), void *argument) {
  *made = CreateThread(NULL, 0, function, argument, 0, NULL);
  return *made != NULL;
}

static void thread_join(thread joined) {
  WaitForSingleObject(joined, INFINITE);
  CloseHandle(joined);
}
#else
#include <pthread.h>
typedef pthread_mutex_t mutex;
typedef pthread_cond_t condition;
typedef pthread_t thread;
#define mutex_init(m) pthread_mutex_init(m, NULL)
#define mutex_lock(m) pthread_mutex_lock(m)
#define mutex_unlock(m) pthread_mutex_unlock(m)
#define mutex_end(m) pthread_mutex_destroy(m)
#define condition_init(c) pthread_cond_init(c, NULL)
#define condition_wake_all(c) pthread_cond_broadcast(c)
#define condition_end(c) pthread_cond_destroy(c)
#define THREAD(name) static void *name(void *argument)
#define THREAD_END NULL

static int thread_begin(thread *made, void *(*function)(void *), void *argument) {
  return pthread_create(made, NULL, function, argument) == 0;
}

static void thread_join(thread joined) {
  pthread_join(joined, NULL);
}
#endif

static uint64_t now_ns(void) {
#if defined(_WIN32)
  return GetTickCount64() * 1000000u;
#else
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

/* Waits until the condition is signalled, or until `until_ns` at the latest. `UINT64_MAX` means without a limit. */
static void condition_wait(condition *waited, mutex *held, uint64_t until_ns) {
#if defined(_WIN32)
  uint64_t now = now_ns();
  uint64_t ms = until_ns <= now ? 0 : (until_ns - now) / 1000000u + 1;
  SleepConditionVariableSRW(waited, held, ms >= INFINITE ? INFINITE : (DWORD)ms, 0);
#else
  struct timespec until;
  if (until_ns == UINT64_MAX) {
    pthread_cond_wait(waited, held);
    return;
  }
  until.tv_sec = (time_t)(until_ns / 1000000000u);
  until.tv_nsec = (long)(until_ns % 1000000000u);
  pthread_cond_timedwait(waited, held, &until);
#endif
}

/* ---- The description, instances and tasks ---- */

enum { WAIT, COUNTDOWN, SUM };

#define NUMBER(name) "{\"layout\":{\"type\":\"Number\",\"size\":4,\"align\":4,\"fields\":[" \
  "{\"name\":\"" name "\",\"type\":\"u32\",\"offset\":0,\"size\":4}]}}"

static const char description[] =
    "{\"abi\":\"1.0\",\"name\":\"later-c\",\"version\":\"1.0.0\",\"methods\":["
    "{\"name\":\"wait\",\"doc\":\"Waits so many milliseconds, and says how many.\",\"entries\":["
    "{\"index\":0,\"encoding\":\"pod\",\"async\":true,\"request\":" NUMBER("ms") ",\"response\":" NUMBER("ms") "}]},"
    "{\"name\":\"countdown\",\"doc\":\"Counts down to 1.\",\"entries\":["
    "{\"index\":1,\"encoding\":\"pod\",\"kind\":\"server_stream\",\"request\":" NUMBER("from") ",\"response\":" NUMBER("left") "}]},"
    "{\"name\":\"sum\",\"doc\":\"Adds what it's sent.\",\"entries\":["
    "{\"index\":2,\"encoding\":\"raw\",\"kind\":\"client_stream\"}]}]}";

struct task;

typedef struct instance {
  const rb_async_host *host;
  mutex lock;
  condition changed;
  /* The waits that no thread has taken for completion. */
  struct task *waiting;
  int ends;
  thread worker;
} instance;

typedef struct task {
  instance *owner;
  rb_op op;
  uint32_t entry;
  /* A thread has completed the task, or is about to. Protected by the instance's lock. */
  int taken;
  /* Of a wait: when and with which status it ends, its milliseconds, and the next wait in the list. */
  uint64_t until_ns;
  rb_status then;
  uint32_t ms;
  struct task *next;
  /* Of a countdown: how many numbers are left, and the consumer's credit in items and bytes. */
  uint32_t left;
  uint64_t items;
  uint64_t bytes;
  /* Of a sum: the sum so far. */
  uint64_t sum;
} task;

/* Returns the payload of a failure: a literal, so it needs no escaping and no release. */
static const char *payload_of(rb_status status) {
  switch (status) {
    case RB_CANCELLED: return "{\"code\":\"CANCELLED\",\"message\":\"the caller wants no more\",\"type\":\"later.Cancelled\"}";
    case RB_DEADLINE_EXCEEDED: return "{\"code\":\"DEADLINE_EXCEEDED\",\"message\":\"the time was over\",\"type\":\"later.Deadline\"}";
    case RB_INVALID_ARGUMENT: return "{\"code\":\"INVALID_ARGUMENT\",\"message\":\"items have 4 bytes\",\"type\":\"later.Size\"}";
    case RB_RESOURCE_EXHAUSTED: return "{\"code\":\"RESOURCE_EXHAUSTED\",\"message\":\"no memory\",\"type\":\"later.Memory\"}";
    default: return "";
  }
}

/*
 * Reports the completion of a task. Only the thread that has taken the task calls this. The host copies bytes without a release
 * before `complete` returns. Afterwards, this function accesses nothing: the task may be released, and the instance destroyed.
 */
static void tell(task *taken, rb_status status, const void *bytes, size_t len) {
  rb_response response = {.data = (uint8_t *)(uintptr_t)bytes, .len = len};
  taken->owner->host->complete(taken->op, status, &response, NULL);
}

/* Completes a task, unless another thread has taken it. Only for `start` and the task's functions, during which it isn't released. */
static void complete(task *ended, rb_status status, const void *bytes, size_t len) {
  int was_taken;
  mutex_lock(&ended->owner->lock);
  was_taken = ended->taken;
  ended->taken = 1;
  mutex_unlock(&ended->owner->lock);
  if (!was_taken) {
    tell(ended, status, bytes, len);
  }
}

static void fail(task *ended, rb_status status) {
  complete(ended, status, payload_of(status), strlen(payload_of(status)));
}

/* ---- Waits ---- */

/* Removes a task from the list of waits. The caller holds the lock. */
static void unlink_task(instance *self, task *gone) {
  for (task **at = &self->waiting; *at != NULL; at = &(*at)->next) {
    if (*at == gone) {
      *at = gone->next;
      return;
    }
  }
}

/* The instance's thread. It completes the waits that are due, without the lock, and sleeps until the next one is due. */
THREAD(work) {
  instance *self = argument;
  mutex_lock(&self->lock);
  while (!self->ends) {
    uint64_t until = UINT64_MAX, now = now_ns();
    task *due = NULL;
    for (task *each = self->waiting; each != NULL; each = each->next) {
      if (each->until_ns <= now) {
        due = each;
      } else if (each->until_ns < until) {
        until = each->until_ns;
      }
    }
    if (due == NULL) {
      condition_wait(&self->changed, &self->lock, until);
      continue;
    }
    /*
     * The task is taken before the lock is released. Otherwise, `cancel` could complete it at this moment, and it would be
     * released while this thread reads it. After the last task has completed, the host may destroy the instance. `destroy`
     * waits for this thread, so the lock still exists.
     */
    unlink_task(self, due);
    due->taken = 1;
    mutex_unlock(&self->lock);
    if (due->then == RB_OK) {
      tell(due, RB_OK, &due->ms, sizeof due->ms);
    } else {
      tell(due, due->then, payload_of(due->then), strlen(payload_of(due->then)));
    }
    mutex_lock(&self->lock);
  }
  mutex_unlock(&self->lock);
  return THREAD_END;
}

/* Returns when a wait ends: after `ms` milliseconds, or at the deadline if it's earlier. Sets `then` to the status. */
static uint64_t end_of(const rb_call_context *header, uint32_t ms, rb_status *then) {
  uint64_t wait = (uint64_t)ms * 1000000u;
  *then = RB_OK;
  if (header != NULL && header->flags & RB_CONTEXT_TIMEOUT && header->timeout_ns < wait) {
    wait = header->timeout_ns;
    *then = RB_DEADLINE_EXCEEDED;
  }
  return now_ns() + wait;
}

/* ---- Streams ---- */

static uint64_t added(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/*
 * Adds to the consumer's credit, and sends items. The host runs one `demand` of a task at a time, so a countdown's own fields
 * need no lock. But `cancel` may complete the task meanwhile; after that, `emit` refuses items.
 */
static void demand(void *at, uint64_t items, uint64_t bytes) {
  task *self = at;
  self->items = added(self->items, items);
  self->bytes = added(self->bytes, bytes);
  while (self->left > 0 && self->items > 0 && self->bytes > 0) {
    uint32_t numbers[64];
    rb_batch batch = {.size = sizeof batch, .data = (const uint8_t *)numbers};
    /* An item may be sent while both credits are above zero, so the last one may exceed the bytes. */
    while (batch.count < 64 && batch.count < self->left && batch.count < self->items && batch.len < self->bytes) {
      numbers[batch.count] = self->left - batch.count;
      batch.count++;
      batch.len += sizeof numbers[0];
    }
    if (self->owner->host->emit(self->op, &batch) != RB_OK) {
      return; /* Cancelled: `cancel` completes the task. */
    }
    self->left -= batch.count;
    self->items -= batch.count;
    self->bytes = batch.len < self->bytes ? self->bytes - batch.len : 0;
  }
  if (self->left == 0) {
    complete(self, RB_OK, NULL, 0);
  }
}

/* The most items that the caller may have sent and that aren't added yet. */
enum { WINDOW = 16 };

/* Adds the caller's items. They have the same length, or their ends follow them. */
static void push(void *at, const rb_batch *batch) {
  task *self = at;
  const uint8_t *item = batch->data;
  const uint8_t *ends = batch->data + batch->len - (batch->flags & RB_BATCH_ENDS ? (size_t)batch->count * 4 : 0);
  for (uint32_t i = 0; i < batch->count; i++) {
    uint32_t end, number;
    size_t len = batch->len / batch->count;
    if (batch->flags & RB_BATCH_ENDS) {
      memcpy(&end, ends + (size_t)i * 4, sizeof end);
      len = (size_t)(batch->data + end - item);
    }
    if (len != sizeof number) {
      fail(self, RB_INVALID_ARGUMENT);
      return;
    }
    memcpy(&number, item, sizeof number);
    self->sum += number;
    item += len;
  }
  /* Grants as many items as have arrived, so that the window is full again. */
  self->owner->host->demand(self->op, batch->count, (uint64_t)batch->count * 4);
}

/* Ends the caller's stream. If the caller reports an error, the call ends with that error. */
static void push_end(void *at, rb_status status, const uint8_t *payload, size_t payload_len) {
  task *self = at;
  if (status == RB_OK) {
    complete(self, RB_OK, &self->sum, sizeof self->sum);
  } else {
    complete(self, status, payload, payload_len);
  }
}

/* ---- The start and end of a task ---- */

/* Returns the number, which may be unaligned. The host checks the request's size against the description. */
static uint32_t number_at(const uint8_t *request) {
  uint32_t number;
  memcpy(&number, request, sizeof number);
  return number;
}

static rb_status start(void *at, uint32_t entry, const rb_call_context *header, const uint8_t *request, size_t request_len,
                       rb_response *response, void **place) {
  instance *self = at;
  task *made = calloc(1, sizeof *made);
  (void)request_len;
  (void)response;
  if (made == NULL) {
    return RB_RESOURCE_EXHAUSTED;
  }
  made->owner = self;
  made->op = header->op;
  made->entry = entry;
  *place = made;
  switch (entry) {
    case WAIT:
      made->ms = number_at(request);
      made->until_ns = end_of(header, made->ms, &made->then);
      mutex_lock(&self->lock);
      made->next = self->waiting;
      self->waiting = made;
      condition_wake_all(&self->changed);
      mutex_unlock(&self->lock);
      return RB_PENDING; /* It may have completed by now, but it isn't released before this returns. */
    case COUNTDOWN:
      made->left = number_at(request);
      if (made->left == 0) {
        complete(made, RB_OK, NULL, 0);
      }
      return RB_PENDING; /* `demand` sends the items. */
    case SUM:
      self->host->demand(made->op, WINDOW, WINDOW * 4);
      return RB_PENDING;
    default:
      free(made);
      return RB_NOT_FOUND;
  }
}

/* Cancels a task, unless another thread has completed it first. */
static void cancel(void *at, rb_status reason) {
  task *self = at;
  instance *owner = self->owner;
  if (self->entry == WAIT) {
    mutex_lock(&owner->lock);
    unlink_task(owner, self);
    mutex_unlock(&owner->lock);
  }
  fail(self, reason);
}

/* Frees a task. None of its functions runs, and none will be called. */
static void release(void *at) {
  free(at);
}

/* ---- Calls that block ---- */

typedef struct waiter {
  instance *owner;
  int cancelled;
} waiter;

static void wake(void *data) {
  waiter *self = data;
  mutex_lock(&self->owner->lock);
  self->cancelled = 1;
  condition_wake_all(&self->owner->changed);
  mutex_unlock(&self->owner->lock);
}

/* The wait of a blocking call. A call that can be cancelled has an ID; the host calls `wake` when it's cancelled. */
static rb_status wait_here(instance *self, const rb_call_context *header, uint32_t ms) {
  waiter here = {.owner = self};
  rb_op op = header == NULL ? 0 : header->op;
  rb_status then;
  uint64_t until = end_of(header, ms, &then);
  if (op != 0) {
    self->host->on_cancel(op, wake, &here);
  }
  mutex_lock(&self->lock);
  while (!here.cancelled && now_ns() < until) {
    condition_wait(&self->changed, &self->lock, until);
  }
  mutex_unlock(&self->lock);
  if (op != 0) {
    self->host->on_cancel(op, NULL, NULL); /* After this, `wake` doesn't run. */
  }
  return here.cancelled ? RB_CANCELLED : then;
}

/* ---- The table ---- */

static void release_bytes(rb_response *response) {
  free(response->owner);
}

static rb_status answer(rb_response *response, rb_status status, const void *bytes, size_t len) {
  if (response == NULL || len == 0) {
    return status;
  }
  if (len > response->capacity) {
    response->owner = malloc(len);
    if (response->owner == NULL) {
      return RB_RESOURCE_EXHAUSTED;
    }
    response->data = response->owner;
    response->capacity = len;
    response->release = release_bytes;
  }
  memcpy(response->data, bytes, len);
  response->len = len;
  return status;
}

static rb_status describe(void *context, rb_response *response) {
  (void)context;
  return answer(response, RB_OK, description, sizeof description - 1);
}

static rb_status create(void *context, const rb_host *host, const uint8_t *config, size_t config_len, void **made, rb_response *error) {
  (void)context;
  static const char old[] =
      "{\"code\":\"FAILED_PRECONDITION\",\"message\":\"the host has no rb.async/1\",\"type\":\"later.Host\"}";
  const rb_async_host *async = host->extension(host->context, RB_EXTENSION_ASYNC);
  instance *self;
  (void)config;
  (void)config_len;
  if (async == NULL || async->size < sizeof *async) {
    return answer(error, RB_FAILED_PRECONDITION, old, sizeof old - 1);
  }
  self = calloc(1, sizeof *self);
  if (self == NULL) {
    return RB_RESOURCE_EXHAUSTED;
  }
  self->host = async;
  mutex_init(&self->lock);
  condition_init(&self->changed);
  if (!thread_begin(&self->worker, work, self)) {
    condition_end(&self->changed);
    mutex_end(&self->lock);
    free(self);
    return RB_RESOURCE_EXHAUSTED;
  }
  *made = self;
  return RB_OK;
}

static rb_status call(void *at, uint32_t entry, const rb_call_context *header, const uint8_t *request, size_t request_len,
                      rb_response *response) {
  static const char stream[] =
      "{\"code\":\"UNIMPLEMENTED\",\"message\":\"it has a stream: begin it and take its events\",\"type\":\"later.Stream\"}";
  (void)request_len;
  if (entry == WAIT) {
    uint32_t ms = number_at(request);
    rb_status status = wait_here(at, header, ms);
    return status == RB_OK ? answer(response, RB_OK, &ms, sizeof ms)
                           : answer(response, status, payload_of(status), strlen(payload_of(status)));
  }
  return entry <= SUM ? answer(response, RB_UNIMPLEMENTED, stream, sizeof stream - 1) : RB_NOT_FOUND;
}

/* No call runs and no task is left. But the worker may not have returned from the last `complete` yet. */
static rb_status destroy(void *at, rb_response *error) {
  instance *self = at;
  (void)error;
  mutex_lock(&self->lock);
  self->ends = 1;
  condition_wake_all(&self->changed);
  mutex_unlock(&self->lock);
  thread_join(self->worker);
  condition_end(&self->changed);
  mutex_end(&self->lock);
  free(self);
  return RB_OK;
}

static const void *extension(void *context, const char *name) {
  (void)context;
  static const rb_async_extension async = {
      .size = sizeof async, .start = start, .cancel = cancel, .demand = demand,
      .push = push, .push_end = push_end, .release = release,
  };
  return strcmp(name, RB_EXTENSION_ASYNC) == 0 ? &async : NULL;
}

const rb_plugin_table *rustbridge_plugin(uint32_t host_abi_version) {
  static const rb_plugin_table table = {
      .size = sizeof table, .abi_version = RB_ABI_VERSION, .describe = describe, .create = create,
      .call = call, .destroy = destroy, .extension = extension,
  };
  (void)host_abi_version;
  return &table;
}
