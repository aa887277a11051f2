// The two clocks that every peer reads, and the one line of JSON that it prints.
#ifndef CLOCK_H
#define CLOCK_H
#include <stdio.h>
#include <time.h>

static double milliseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}
static double cpuMs(void) { return milliseconds(CLOCK_PROCESS_CPUTIME_ID); }
static double wallMs(void) { return milliseconds(CLOCK_MONOTONIC); }

static void printTimes(const char *name, const double *times, int count) {
  printf(",\"%s\":[", name);
  for (int i = 0; i < count; i++) printf("%s%.4f", i ? "," : "", times[i]);
  printf("]");
}
// Times by CPU clock of all threads and by the wall, of each launch after the first.
static void printResult(double threads, double compileMs, double firstMs, const double *cpu, const double *wall, int count, size_t wrong) {
  printf("{\"threads\":%.0f,\"compileMs\":%.3f,\"firstMs\":%.3f", threads, compileMs, firstMs);
  printTimes("cpuMs", cpu, count);
  printTimes("wallMs", wall, count);
  printf(",\"wrong\":%zu}\n", wrong);
}
#endif
