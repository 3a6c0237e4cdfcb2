#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "os.h"

/* One way of doing a scenario's work. */
typedef struct subject {
  const char *name;
  operation *operation;
  work work;
  uint64_t iterations;
} subject;

static work with_buffer(const work *shared) {
  work own = *shared;
  own.storage = memory(own.scenario->capacity);
  memset(own.storage, 1, own.scenario->capacity);
  return own;
}

/* ---- one sample ---- */

/* What one of several threads does. */
typedef struct thread {
  const subject *subject;
  uint64_t iterations, began, ended;
  atomic_uint *waiting;
} thread;

static uint64_t timed(operation *operation, work *work, uint64_t iterations) {
  uint64_t began = os_now();
  uint64_t other = operation(work, iterations);
  return os_now() - began - other;
}

static void run_thread(void *argument) {
  thread *thread = argument;
  work own = with_buffer(&thread->subject->work);
  /* All begin at once. Whoever waits makes room: there may be more threads than processors. */
  atomic_fetch_sub(thread->waiting, 1);
  while (atomic_load(thread->waiting) > 0) {
    os_yield();
  }
  thread->began = os_now();
  thread->subject->operation(&own, thread->iterations);
  thread->ended = os_now();
  free(own.storage);
}

/* Nanoseconds from the first thread's beginning to the last one's end. Where there are more threads than processors, some
 * begin late; the time of each by itself would leave that out. */
static uint64_t run(subject *subject, unsigned threads, uint64_t iterations) {
  if (threads == 1) {
    return timed(subject->operation, &subject->work, iterations);
  }
  thread each[8];
  void *arguments[8];
  atomic_uint waiting = threads;
  for (unsigned i = 0; i < threads; i++) {
    each[i].subject = subject;
    each[i].iterations = iterations;
    each[i].began = each[i].ended = 0;
    each[i].waiting = &waiting;
    arguments[i] = &each[i];
  }
  if (!os_run(run_thread, arguments, threads)) {
    die("threads", "the system gives no more");
  }
  uint64_t first = each[0].began, last = each[0].ended;
  for (unsigned i = 1; i < threads; i++) {
    first = each[i].began < first ? each[i].began : first;
    last = each[i].ended > last ? each[i].ended : last;
  }
  return last - first;
}

/* ---- samples ---- */

/* Warms up, and finds how many operations fill a sample. Returns about what one takes. */
static double calibrate(subject *subject, unsigned threads, const plan *plan) {
  uint64_t iterations = 1, spent = 0, ns;
  for (;;) {
    ns = run(subject, threads, iterations);
    spent += ns;
    if (subject->work.scenario->few || (spent >= plan->warm_up_ns && ns >= plan->sample_ns / 8) ||
        ns >= plan->sample_ns) {
      break;
    }
    iterations *= 2;
  }
  double one = (double)(ns > 0 ? ns : 1) / (double)iterations;
  double wanted = (double)plan->sample_ns / one;
  subject->iterations = wanted < 1 || subject->work.scenario->few ? 1 : (uint64_t)wanted;
  return one;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double median(const measure *measure) {
  double sorted[MOST_SAMPLES];
  memcpy(sorted, measure->ns, measure->samples * sizeof *sorted);
  qsort(sorted, measure->samples, sizeof *sorted, by_size);
  unsigned middle = measure->samples / 2;
  return measure->samples % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/* ---- single operations ---- */

static double at(const double *sorted, uint64_t count, double share) {
  return sorted[(uint64_t)((double)(count - 1) * share + 0.5)];
}

/* What it takes to read the clock twice, median. */
static double clock_ns(void) {
  enum { READINGS = 10001 };
  double *readings = memory(READINGS * sizeof *readings);
  for (unsigned i = 0; i < READINGS; i++) {
    uint64_t began = os_now();
    readings[i] = (double)(os_now() - began);
  }
  qsort(readings, READINGS, sizeof *readings, by_size);
  double middle = readings[READINGS / 2];
  free(readings);
  return middle;
}

static percentiles time_singles(subject *subject, double one, const plan *plan) {
  percentiles found;
  /* As many as take a second. */
  double fit = 1e9 / (one > 1 ? one : 1);
  found.count = fit > (double)plan->singles ? plan->singles : (uint64_t)fit;
  found.count = found.count < plan->fewest_singles ? plan->fewest_singles : found.count;
  double *times = memory(found.count * sizeof *times);
  for (uint64_t i = 0; i < found.count; i++) {
    times[i] = (double)timed(subject->operation, &subject->work, 1);
  }
  qsort(times, found.count, sizeof *times, by_size);
  found.p50 = at(times, found.count, 0.5);
  found.p90 = at(times, found.count, 0.9);
  found.p99 = at(times, found.count, 0.99);
  found.p999 = at(times, found.count, 0.999);
  found.clock = clock_ns();
  free(times);
  return found;
}

/* ---- a scenario ---- */

/* The response to the scenario's request by ours; its length, or SIZE_MAX where there is nothing to compare it with. */
static size_t answer(const work *work) {
  if (work->request == NULL || (work->floor == NULL && work->scenario->expected == NULL)) {
    return SIZE_MAX;
  }
  rb_response response = {work->storage, work->scenario->capacity, 0, NULL, NULL};
  rb_status status = rb.call(work->instance, work->entry, work->request, work->request_len, &response);
  if (status != RB_OK || response.release != NULL) {
    die(work->scenario->name, rb.status_name(status));
  }
  return response.len;
}

/* A floor that did other work would be none, and an answer that nobody expects no work at all. */
static void check(const work *ours) {
  const scenario *scenario = ours->scenario;
  size_t len = answer(ours);
  if (len == SIZE_MAX) {
    return;
  }
  if (scenario->expected != NULL &&
      (len != strlen(scenario->expected) || memcmp(ours->storage, scenario->expected, len) != 0)) {
    die(scenario->name, "another response than expected");
  }
  if (ours->floor != NULL) {
    work by_hand = with_buffer(ours);
    size_t floor_len = 0;
    int32_t status = by_hand.floor(NULL, 1, by_hand.request, by_hand.request_len, by_hand.storage, scenario->capacity,
                                   &floor_len);
    if (status != 0 || floor_len != len || memcmp(by_hand.storage, ours->storage, len) != 0) {
      die(scenario->name, "the floor answers differently");
    }
    free(by_hand.storage);
  }
}

unsigned measure_scenario(const scenario *scenario, unsigned threads, const plan *plan, measure measures[2]) {
  work shared;
  memset(&shared, 0, sizeof shared);
  shared.scenario = scenario;
  char *path = library_path(scenario->plugin);
  shared.path = path;
  if (caller_here.load != NULL) {
    shared.client = caller_here.load(path);
  } else {
    shared.instance = load_plugin(scenario->plugin, path);
    shared.entry = prepare(shared.instance, scenario->method, scenario->encoding);
  }
  shared.floor = scenario->floor != NULL ? find_floor(scenario->floor) : NULL;
  uint8_t *request = scenario->request != NULL ? scenario->request(scenario->size, &shared.request_len) : NULL;
  shared.request = request;

  subject subjects[2] = {{"ours", scenario->ours, shared, 0}, {"floor", scenario->by_hand, shared, 0}};
  unsigned count = scenario->by_hand != NULL ? 2 : 1;
  unsigned samples = scenario->few ? plan->fewest_samples : plan->samples;
  double one[2];
  os_bind(threads == 1);
  for (unsigned i = 0; i < count; i++) {
    subjects[i].work = with_buffer(&shared);
    if (i == 0) {
      check(&subjects[0].work);
    }
    one[i] = calibrate(&subjects[i], threads, plan);
    double fit = (double)plan->samples * (double)plan->sample_ns / one[i];
    if (fit < samples) {
      samples = fit < plan->fewest_samples ? plan->fewest_samples : (unsigned)fit;
    }
  }
  for (unsigned i = 0; i < count; i++) {
    memset(&measures[i], 0, sizeof measures[i]);
    measures[i].scenario = scenario;
    measures[i].subject = subjects[i].name;
    measures[i].threads = threads;
    measures[i].samples = samples;
  }
  /* In turns, so that what slows the machine down slows down both. */
  for (unsigned sample = 0; sample < samples; sample++) {
    for (unsigned i = 0; i < count; i++) {
      uint64_t ns = run(&subjects[i], threads, subjects[i].iterations);
      measures[i].ns[sample] = (double)ns / (double)subjects[i].iterations;
    }
  }
  for (unsigned i = 0; i < count; i++) {
    if (scenario->single && threads == 1) {
      measures[i].single = time_singles(&subjects[i], one[i], plan);
    }
    free(subjects[i].work.storage);
  }
  os_bind(false);
  if (caller_here.load != NULL) {
    caller_here.close(shared.client);
  } else {
    rb_status status = rb.close(shared.instance, 1000, NULL);
    if (status != RB_OK) {
      die(scenario->name, rb.status_name(status));
    }
  }
  free(request);
  free(path);
  return count;
}
