#if defined(__linux__)
/* For sched_setaffinity, which POSIX hasn't got. */
#define _GNU_SOURCE
#elif !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L
#endif

#include "os.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_THREADS = 64 };

/* A thread's body and its argument. */
typedef struct start {
  void (*body)(void *);
  void *argument;
} start;

#ifdef _WIN32

#include <windows.h>

uint64_t os_now(void) {
  static LARGE_INTEGER frequency;
  LARGE_INTEGER count;
  if (frequency.QuadPart == 0) {
    QueryPerformanceFrequency(&frequency);
  }
  QueryPerformanceCounter(&count);
  uint64_t seconds = (uint64_t)(count.QuadPart / frequency.QuadPart);
  uint64_t rest = (uint64_t)(count.QuadPart % frequency.QuadPart);
  return seconds * 1000000000u + rest * 1000000000u / (uint64_t)frequency.QuadPart;
}

void *os_open(const char *path) {
  wchar_t wide[4096];
  if (MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, 4096) == 0) {
    return NULL;
  }
  return (void *)LoadLibraryW(wide);
}

void (*os_symbol(void *library, const char *name))(void) {
  return (void (*)(void))GetProcAddress((HMODULE)library, name);
}

static DWORD WINAPI run_start(LPVOID argument) {
  start *start = argument;
  start->body(start->argument);
  return 0;
}

bool os_run(void (*body)(void *), void **arguments, unsigned count) {
  HANDLE threads[MOST_THREADS] = {0};
  start starts[MOST_THREADS];
  for (unsigned i = 0; i < count; i++) {
    starts[i].body = body;
    starts[i].argument = arguments[i];
    threads[i] = CreateThread(NULL, 0, run_start, &starts[i], 0, NULL);
    if (threads[i] == NULL) {
      return false;
    }
  }
  WaitForMultipleObjects(count, threads, TRUE, INFINITE);
  for (unsigned i = 0; i < count; i++) {
    CloseHandle(threads[i]);
  }
  return true;
}

void os_yield(void) {
  SwitchToThread();
}

void os_bind(bool to_one) {
  static DWORD_PTR all;
  DWORD_PTR system;
  if (all == 0) {
    GetProcessAffinityMask(GetCurrentProcess(), &all, &system);
  }
  DWORD_PTR rest = all & (all - 1);
  DWORD_PTR second = rest & (~rest + 1);
  SetProcessAffinityMask(GetCurrentProcess(), to_one && second != 0 ? second : all);
}

struct os_gate {
  SRWLOCK lock;
  CONDITION_VARIABLE opened;
  bool is_open;
};

os_gate *os_gate_get(void) {
  /* One per process, which waits on one thread only. */
  static os_gate gate = {SRWLOCK_INIT, CONDITION_VARIABLE_INIT, false};
  return &gate;
}

void os_gate_open(os_gate *gate) {
  AcquireSRWLockExclusive(&gate->lock);
  gate->is_open = true;
  ReleaseSRWLockExclusive(&gate->lock);
  WakeConditionVariable(&gate->opened);
}

void os_gate_pass(os_gate *gate) {
  AcquireSRWLockExclusive(&gate->lock);
  while (!gate->is_open) {
    SleepConditionVariableSRW(&gate->opened, &gate->lock, INFINITE, 0);
  }
  gate->is_open = false;
  ReleaseSRWLockExclusive(&gate->lock);
}

void os_temporary(char *path, size_t capacity) {
  char folder[MAX_PATH + 1] = "";
  GetTempPathA(sizeof folder, folder);
  snprintf(path, capacity, "%srustbridge-bench-%lu", folder, (unsigned long)GetCurrentProcessId());
}

#else

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

uint64_t os_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void *os_open(const char *path) {
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

void (*os_symbol(void *library, const char *name))(void) {
  /* ISO C has no way from a pointer to data to one to a function; POSIX says that they look the same. */
  void *found = dlsym(library, name);
  void (*function)(void) = NULL;
  memcpy(&function, &found, sizeof found);
  return function;
}

static void *run_start(void *argument) {
  start *start = argument;
  start->body(start->argument);
  return NULL;
}

bool os_run(void (*body)(void *), void **arguments, unsigned count) {
  pthread_t threads[MOST_THREADS];
  start starts[MOST_THREADS];
  for (unsigned i = 0; i < count; i++) {
    starts[i].body = body;
    starts[i].argument = arguments[i];
    if (pthread_create(&threads[i], NULL, run_start, &starts[i]) != 0) {
      return false;
    }
  }
  for (unsigned i = 0; i < count; i++) {
    pthread_join(threads[i], NULL);
  }
  return true;
}

void os_yield(void) {
  sched_yield();
}

void os_bind(bool to_one) {
#ifdef __linux__
  static cpu_set_t all;
  static bool known;
  if (!known) {
    known = sched_getaffinity(0, sizeof all, &all) == 0;
  }
  cpu_set_t wanted = all;
  if (to_one && CPU_COUNT(&all) > 1) {
    int core = 0;
    for (int seen = 0; seen < 2; core++) {
      seen += CPU_ISSET(core, &all) ? 1 : 0;
    }
    CPU_ZERO(&wanted);
    CPU_SET(core - 1, &wanted);
  }
  if (known) {
    sched_setaffinity(0, sizeof wanted, &wanted);
  }
#else
  (void)to_one;
#endif
}

struct os_gate {
  pthread_mutex_t lock;
  pthread_cond_t opened;
  bool is_open;
};

os_gate *os_gate_get(void) {
  /* One per process, which waits on one thread only. */
  static os_gate gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};
  return &gate;
}

void os_gate_open(os_gate *gate) {
  pthread_mutex_lock(&gate->lock);
  gate->is_open = true;
  pthread_mutex_unlock(&gate->lock);
  pthread_cond_signal(&gate->opened);
}

void os_gate_pass(os_gate *gate) {
  pthread_mutex_lock(&gate->lock);
  while (!gate->is_open) {
    pthread_cond_wait(&gate->opened, &gate->lock);
  }
  gate->is_open = false;
  pthread_mutex_unlock(&gate->lock);
}

void os_temporary(char *path, size_t capacity) {
  const char *folder = getenv("TMPDIR");
  snprintf(path, capacity, "%s/rustbridge-bench-%ld", folder != NULL ? folder : "/tmp", (long)getpid());
}

#endif
