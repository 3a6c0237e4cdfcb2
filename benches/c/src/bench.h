/* What the files of this program share, and those of the one in C++, benches/cpp. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rustbridge.h"

#ifdef __cplusplus
#define NO_RETURN [[noreturn]]
extern "C" {
#else
#define NO_RETURN _Noreturn
#endif

/* ---- host.c: librustbridge, plugins, floor ---- */

/* The functions of librustbridge, which are looked up as a program does that has no import library. */
typedef struct api {
  rb_status (*load)(const rb_load_options *, rb_instance *, rb_response *);
  rb_status (*prepare)(rb_instance, rb_text, rb_encoding, rb_method *, rb_response *);
  rb_status (*call)(rb_instance, uint32_t, const uint8_t *, size_t, rb_response *);
  int64_t (*call_into)(rb_instance, uint32_t, const uint8_t *, size_t, uint8_t *, size_t);
  void (*release)(rb_response *);
  rb_status (*close)(rb_instance, uint64_t, rb_response *);
  rb_status (*call_with)(rb_instance, uint32_t, const rb_call_context *, rb_op *, const uint8_t *, size_t, rb_response *);
  rb_status (*queue_new)(rb_queue *, rb_response *);
  rb_status (*queue_poll)(rb_queue, rb_event *, size_t, uint8_t *, size_t, uint64_t, size_t *, rb_response *);
  rb_status (*submit)(rb_queue, rb_submission *, size_t);
  rb_status (*start)(const rb_callback *, rb_submission *, size_t);
  rb_status (*cancel)(rb_op, rb_response *);
  rb_status (*demand)(rb_op, uint64_t, uint64_t, rb_response *);
  rb_status (*object_release)(rb_object);
  rb_status (*respond)(rb_response *, const uint8_t *, size_t);
  const char *(*status_name)(rb_status);
  const char *(*version)(void);
} api;

extern api rb;

typedef int32_t floor_function(void *handle, uint32_t id, const uint8_t *request, size_t len, uint8_t *response,
                               size_t capacity, size_t *response_len);

/* Ends the program with a message: a benchmark that goes on after a failure would time the failure. */
NO_RETURN void die(const char *what, const char *why);

/* Allocates, or ends the program. */
void *memory(size_t size);

/* Opens librustbridge and the floor in that folder. */
void open_libraries(const char *folder);

/* Path of a library in that folder by its crate's name; to be freed. */
char *library_path(const char *name);

/* Loads the plugin at that path with the least configuration that it accepts. */
rb_instance load_plugin(const char *name, const char *path);

/* The entry of a method. */
uint32_t prepare(rb_instance instance, const char *method, rb_encoding encoding);

/* The floor's function of that name, `floor_` left out. */
floor_function *find_floor(const char *name);

/* ---- operations.c: what is timed ---- */

struct scenario;

/* What an operation works with. Each thread has one of its own, with its own storage. */
typedef struct work {
  const struct scenario *scenario;
  rb_instance instance;
  uint32_t entry;
  floor_function *floor;
  const uint8_t *request;
  size_t request_len;
  /* `scenario->capacity` bytes that have been written before: touching memory for the first time may cost more than a call. */
  uint8_t *storage;
  /* Path of the plugin's library. */
  const char *path;
  /* What the caller has loaded, in place of an instance. */
  void *client;
} work;

/* Does that many operations, and returns how many nanoseconds of that don't count. */
typedef uint64_t operation(work *work, uint64_t iterations);

operation call_ours, call_floor;               /* bytes to bytes in the caller's storage */
operation call_into;                           /* the same by rb_call_into */
operation small_ours, small_floor;             /* bench.small, the request built inside */
operation by_name;                             /* prepare and call, the response released */
operation div_ours, div_floor;                 /* two numbers to a double */
operation answer_ours, answer_floor;           /* a number to a number */
operation join_ours, join_floor;               /* two texts to a text, JSON written and read by hand */
operation numbers_ours, numbers_floor;         /* a count to a new array of int64 */
operation blob_ours, blob_floor, blob_lease;   /* a size to new memory, and to a look at the plugin's */
operation error_ours;                          /* a failure's message */
operation load_mapped, load_fresh;             /* load, call, close */

/* ---- later.c: what ends later, and what asks the host ---- */

operation ready_ours, ready_by_hand;           /* begun, and answered at once */
operation batch_ours;                          /* as many as `size` in one crossing */
operation pending_ours, pending_floor;         /* as many as `size` begun, told to a function */
operation pending_queue;                       /* the same, told by a queue */
operation cancel_ours, cancel_floor;           /* begun and cancelled */
operation count_ours, count_floor;             /* items that are numbers */
operation ticks_ours, ticks_floor;             /* items that are JSON */
operation asks_by_hand;                        /* what `answer_ours` does, by another method */

/* ---- objects.c ---- */

operation object_ours, object_floor;           /* a method of an object */
operation create_ours, create_floor;           /* an object made and dropped */
operation class_ours, class_method, class_create; /* MetaFFI's object, which knows its name */
operation callback_ours;                       /* a method without a request that asks the host */

/* ---- scenarios.c, or scenarios.cpp of benches/cpp: who calls, and the table ---- */

/* The language that is measured. */
typedef struct caller {
  /* As in the catalogue: the host, and the harness's name. */
  const char *host;
  /* Loads the plugin at that path into what the operations call, and closes it; null where they call an instance. */
  void *(*load)(const char *path);
  void (*close)(void *client);
} caller;

extern const caller caller_here;

typedef struct scenario {
  /* As in the catalogue. */
  const char *name;
  /* The plugin's library, and its method with its encoding; null where operations call what `caller` loads. */
  const char *plugin, *method;
  rb_encoding encoding;
  /* Name of the floor's function, or null. */
  const char *floor;
  operation *ours, *by_hand;
  /* Writes the request into new memory; null if the operation makes its own. `size` is the scenario's. */
  uint8_t *(*request)(size_t size, size_t *len);
  size_t size;
  /* How much storage the response gets. */
  size_t capacity;
  /* What the response is, where no floor says it; null: not compared. */
  const char *expected;
  /* The most threads of 1, 2, 4, 8. */
  unsigned threads;
  /* Whether single operations are timed, too. */
  bool single;
  /* Whether few operations have to do, because each leaves something behind. */
  bool few;
} scenario;

extern const scenario scenarios[];
extern const size_t scenario_count;

/* ---- measure.c ---- */

/* How long and how often. */
typedef struct plan {
  uint64_t warm_up_ns, sample_ns;
  unsigned samples, fewest_samples;
  uint64_t singles, fewest_singles;
} plan;

typedef struct percentiles {
  uint64_t count;
  double p50, p90, p99, p999, clock;
} percentiles;

enum { MOST_SAMPLES = 100 };

/* One subject with one number of threads. */
typedef struct measure {
  const struct scenario *scenario;
  const char *subject;
  unsigned threads;
  unsigned samples;
  double ns[MOST_SAMPLES];
  /* `single.count` is 0 if there is none. */
  percentiles single;
} measure;

/* Measures ours and, if there is one, the floor in turns; writes one or two measures and returns how many. */
unsigned measure_scenario(const scenario *scenario, unsigned threads, const plan *plan, measure measures[2]);

/* The middle of its samples. */
double median(const measure *measure);

/* ---- output.c ---- */

/* One line of the table that a person reads. */
void print_measures(const measure *measures, unsigned count);

/* Writes all measures as a JSON array. */
void write_measures(const char *file, const measure *measures, size_t count);

/* Says in a file of the same folder how they were made. */
void write_method(const char *folder, const plan *plan);

#ifdef __cplusplus
}
#endif

#endif
