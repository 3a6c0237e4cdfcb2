#include <stdio.h>
#include <string.h>

#include "bench.h"

/* 12.3 ns, 4.5 us, 6.7 ms. */
static void print_time(double ns) {
  const char *const units[] = {"ns", "us", "ms", "s "};
  unsigned unit = 0;
  for (; ns >= 1000 && unit < 3; unit++) {
    ns /= 1000;
  }
  printf("%10.1f %s", ns, units[unit]);
}

void print_measures(const measure *measures, unsigned count) {
  printf("%-42s %u", measures[0].scenario->name, measures[0].threads);
  for (unsigned i = 0; i < count; i++) {
    print_time(median(&measures[i]));
  }
  if (count == 2) {
    printf("%8.2f", median(&measures[0]) / median(&measures[1]));
  }
  putchar('\n');
  fflush(stdout);
}

static void write_measure(FILE *out, const measure *measure) {
  /* No name has anything in it that JSON escapes. */
  fprintf(out,
          "{\"scenario\":\"%s\",\"host\":\"%s\",\"transport\":\"librustbridge\",\"subject\":\"%s\",\"threads\":%u,"
          "\"harness\":\"%s\",\"ns\":[",
          measure->scenario->name, caller_here.host, measure->subject, measure->threads, caller_here.host);
  for (unsigned i = 0; i < measure->samples; i++) {
    fprintf(out, "%s%.4g", i > 0 ? "," : "", measure->ns[i]);
  }
  fputs("]", out);
  const percentiles *single = &measure->single;
  if (single->count > 0) {
    fprintf(out, ",\"single\":{\"count\":%llu,\"p50\":%.0f,\"p90\":%.0f,\"p99\":%.0f,\"p999\":%.0f,\"clock\":%.0f}",
            (unsigned long long)single->count, single->p50, single->p90, single->p99, single->p999, single->clock);
  }
  fputs("}", out);
}

void write_measures(const char *file, const measure *measures, size_t count) {
  FILE *out = fopen(file, "w");
  if (out == NULL) {
    die(file, "can't be written");
  }
  fputs("[\n", out);
  for (size_t i = 0; i < count; i++) {
    write_measure(out, &measures[i]);
    fputs(i + 1 < count ? ",\n" : "\n", out);
  }
  fputs("]\n", out);
  if (fclose(out) != 0) {
    die(file, "can't be written");
  }
}

void write_method(const char *folder, const plan *plan) {
  char file[1024];
  snprintf(file, sizeof file, "%s/method-%s.txt", folder, caller_here.host);
  FILE *out = fopen(file, "w");
  if (out == NULL) {
    die(file, "can't be written");
  }
  fprintf(out,
          "%u samples of %u ms, ours and the floor in turns, after %u ms of warm-up; with one thread bound to the second "
          "core that the program may use, with several to none",
          plan->samples, (unsigned)(plan->sample_ns / 1000000), (unsigned)(plan->warm_up_ns / 1000000));
  if (fclose(out) != 0) {
    die(file, "can't be written");
  }
}
