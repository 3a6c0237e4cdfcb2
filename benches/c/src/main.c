/* Measures librustbridge as a host in C calls it, or one in C++. See README.md, or --help. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static const char usage[] =
    "usage: bench [--list] [--only TEXT] [--quick] [--out FILE] [--plugins DIR]\n"
    "\n"
    "  --list         prints what would be measured, one line each, with tabs: scenario, host, transport, subject, threads\n"
    "  --only TEXT    measures only the scenarios whose name contains that\n"
    "  --quick        short measurements: for a look, not for a claim\n"
    "  --out FILE     writes the measures there as a JSON array; by default to c.json, or to\n"
    "                 cpp.json, in the folder that RUSTBRIDGE_BENCH_ROWS names, if it names one\n"
    "  --plugins DIR  where librustbridge, the plugins and the floor are; by default what RUSTBRIDGE_PLUGIN_DIR names\n";

static const plan full = {100000000, 20000000, 40, 10, 10000, 200};
static const plan quick = {5000000, 5000000, 8, 3, 1000, 50};

static void list(const scenario *scenario, unsigned threads) {
  const char *const subjects[] = {"ours", "floor"};
  for (unsigned i = 0; i < (scenario->by_hand != NULL ? 2u : 1u); i++) {
    printf("%s\t%s\tlibrustbridge\t%s\t%u\n", scenario->name, caller_here.host, subjects[i], threads);
  }
}

int main(int argc, char **argv) {
  const char *only = "", *out = NULL;
  const char *plugins = getenv("RUSTBRIDGE_PLUGIN_DIR"), *rows = getenv("RUSTBRIDGE_BENCH_ROWS");
  const plan *plan = &full;
  bool listing = false;
  for (int i = 1; i < argc; i++) {
    const char **value = strcmp(argv[i], "--only") == 0      ? &only
                         : strcmp(argv[i], "--out") == 0     ? &out
                         : strcmp(argv[i], "--plugins") == 0 ? &plugins
                                                             : NULL;
    if (value != NULL && i + 1 < argc) {
      *value = argv[++i];
    } else if (strcmp(argv[i], "--list") == 0) {
      listing = true;
    } else if (strcmp(argv[i], "--quick") == 0) {
      plan = &quick;
    } else {
      bool asked = strcmp(argv[i], "--help") == 0;
      fputs(usage, asked ? stdout : stderr);
      return asked ? 0 : 2;
    }
  }
  if (!listing) {
    if (plugins == NULL) {
      die("plugins", "no folder; name it with --plugins or in RUSTBRIDGE_PLUGIN_DIR");
    }
    open_libraries(plugins);
    printf("librustbridge %s; medians\n%-42s %s%13s%13s%8s\n", rb.version(), "scenario", "threads", "ours", "floor", "ratio");
  }
  /* Two subjects with each of 1, 2, 4, 8 threads. */
  measure *measures = memory(scenario_count * 8 * sizeof *measures);
  size_t count = 0;
  for (size_t i = 0; i < scenario_count; i++) {
    const scenario *scenario = &scenarios[i];
    if (strstr(scenario->name, only) == NULL) {
      continue;
    }
    for (unsigned threads = 1; threads <= scenario->threads; threads *= 2) {
      if (listing) {
        list(scenario, threads);
        continue;
      }
      unsigned made = measure_scenario(scenario, threads, plan, &measures[count]);
      print_measures(&measures[count], made);
      count += made;
    }
  }
  if (!listing && count == 0) {
    die(only, "no scenario's name contains that; --list has them all");
  }
  if (!listing && out != NULL) {
    write_measures(out, measures, count);
  } else if (!listing && rows != NULL) {
    char file[1024];
    snprintf(file, sizeof file, "%s/%s.json", rows, caller_here.host);
    write_measures(file, measures, count);
    write_method(rows, plan);
  }
  free(measures);
  return 0;
}
