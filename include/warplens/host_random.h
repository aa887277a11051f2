/* rand, random and rand_r as the GNU C library has them: programs of CUDA are run beside it, their data come out of it, and
   counters of data-dependent accesses are equal only where the data are. The method is the additive feedback generator of
   degree 31 that random(3) documents (r[i] = r[i-3] + r[i-31] from r[34] on, seeded by r[i] = 16807 r[i-1] mod 2^31-1, the first 310 values
   thrown away); rand is random; rand_r is the linear congruential generator of the C standard, three steps a call.
   Linked into every program, so that the C library's own are not. */
#ifndef WARPLENS_HOST_RANDOM_H
#define WARPLENS_HOST_RANDOM_H

#include <stdlib.h>

extern "C" {
__attribute__((weak)) int __warplens_random_state[31];
/* Where the next value is made; less than 0: nobody gave a seed, which counts as 1. */
__attribute__((weak)) int __warplens_random_at = -1;

__attribute__((weak)) void srandom(unsigned seed) {
  int *r = __warplens_random_state;
  r[0] = seed == 0 ? 1 : (int)seed;
  for (int i = 1; i < 31; i++) {
    long long next = (16807LL * r[i - 1]) % 2147483647LL;
    r[i] = (int)(next < 0 ? next + 2147483647LL : next);
  }
  __warplens_random_at = 3;
  for (int i = 0; i < 310; i++) (void)random();
}
__attribute__((weak)) __WARPLENS_LONG random(void) {
  if (__warplens_random_at < 0) srandom(1);
  int at = __warplens_random_at;
  unsigned *r = (unsigned *)__warplens_random_state;
  unsigned value = r[at] += r[at + 28 < 31 ? at + 28 : at - 3];
  __warplens_random_at = at + 1 < 31 ? at + 1 : 0;
  return (__WARPLENS_LONG)(value >> 1);
}
/* Where a program declares it itself, or C takes it for an int. */
__attribute__((weak)) int __warplens_narrow_random(void) __asm__("random");
__attribute__((weak)) int __warplens_narrow_random(void) { return (int)random(); }
__attribute__((weak)) void srand(unsigned seed) { srandom(seed); }
__attribute__((weak)) int rand(void) { return (int)random(); }
__attribute__((weak)) int rand_r(unsigned *seed) {
  unsigned next = *seed, result = 0;
  for (int step = 0; step < 3; step++) {
    next = next * 1103515245u + 12345u;
    result = step == 0 ? (next / 65536u) % 2048u : (result << 10) ^ ((next / 65536u) % 1024u);
  }
  *seed = next;
  return (int)result;
}
}
#endif
