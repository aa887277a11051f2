// Time stamps that the host side takes in x86's assembly, in the forms that programs write, and the resolution of Linux's clocks.
// levels: nightly
// stdout: goes on 1 1 1 1 1
// stdout: resolution 1 1
// stdout: sum 1 1
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

// A timer of a course: it knows x86 only, and adds both halves of a stamp to a sum.
union Sum {
  long long whole;
  struct {
    int low, high;
  };
  void add() {
#if (defined __PATHSCALE__) && (defined __i386 || defined __x86_64)
#error not this one
#elif defined __GNUC__ && (defined __i386 || defined __x86_64)
    asm volatile("rdtsc\n\taddl %%eax, %0\n\tadcl %%edx, %1" : "+m"(low), "+m"(high) : : "eax", "edx");
#else
#error Compiler/Architecture not recognized
#endif
  }
  void take() {
#ifdef __x86_64__
    asm volatile("rdtsc\n\t"
                 "subl %%eax, %0\n\t"
                 "sbbl %%edx, %1"
                 : "+m"(low), "+m"(high)
                 :
                 : "eax", "edx");
#elif defined(__powerpc__)
#error PowerPC
#else
#error "which processor?"
#endif
  }
};

int main() {
  unsigned processor = 1;
  const uint64_t stamps[] = {inHalves(), joined(), moved(), ofProcessor(&processor), whole(), inHalves()};
  printf("goes on");
  for (int i = 0; i < 5; i++) printf(" %d", stamps[i] > 0 && stamps[i + 1] >= stamps[i] && stamps[i + 1] - stamps[i] < 1000000000);
  struct timespec day, steady;
  clock_getres(CLOCK_REALTIME, &day);
  clock_getres(CLOCK_MONOTONIC, &steady);
  printf("\nresolution %ld %ld\n", day.tv_nsec, steady.tv_nsec);
  Sum sum = {0};
  sum.take();
  const bool isNegative = sum.whole < -1;
  sum.add();
  printf("sum %d %d\n", isNegative, sum.whole >= 0 && sum.whole < 1000000000);
  return processor;
}
