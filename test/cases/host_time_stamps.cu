// Time stamps that the host side takes in x86's assembly, in the forms that programs write, and the resolution of Linux's clocks.
// levels: nightly
// stdout: goes on 1 1 1 1 1
// stdout: resolution 1 1
#include <cstdio>
#include <stdint.h>
#include <time.h>

static inline uint64_t inHalves() {
  unsigned low, high;
  __asm__ __volatile__("rdtsc" : "=a"(low), "=d"(high));
  return (uint64_t(high) << 32) | low;
}
static inline uint64_t joined() {
  uint64_t stamp;
  asm volatile(
      "lfence\n"
      "rdtsc\n" // two halves
      "shlq $32, %%rdx\n"
      "orq %%rdx, %%rax\n"
      : "=a"(stamp)
      :
      : "%rdx");
  return stamp;
}
static inline uint64_t moved() {
  unsigned high, low;
  asm volatile("CPUID\n\trdtsc\n\tmov %%edx, %0\n\tmov %%eax, %1\n\t" : "=r"(high), "=r"(low)::"%rax", "%rbx", "%rcx", "%rdx");
  return (uint64_t(high) << 32) | low;
}
static inline uint64_t ofProcessor(unsigned *processor) {
  uint64_t low, high;
  asm volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(*processor));
  return (high << 32) | low;
}
static inline unsigned long long whole() {
  unsigned long long stamp;
  asm volatile("rdtsc" : "=A"(stamp));
  return stamp;
}

int main() {
  unsigned processor = 1;
  const uint64_t stamps[] = {inHalves(), joined(), moved(), ofProcessor(&processor), whole(), inHalves()};
  printf("goes on");
  for (int i = 0; i < 5; i++) printf(" %d", stamps[i] > 0 && stamps[i + 1] >= stamps[i] && stamps[i + 1] - stamps[i] < 1000000000);
  struct timespec day, steady;
  clock_getres(CLOCK_REALTIME, &day);
  clock_getres(CLOCK_MONOTONIC, &steady);
  printf("\nresolution %ld %ld\n", day.tv_nsec, steady.tv_nsec);
  return processor;
}
