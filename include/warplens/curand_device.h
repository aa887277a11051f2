/* cuRAND's generators for host and device: XORWOW (Marsaglia, "Xorshift RNGs", 2003), Philox4x32-10 (Salmon and others,
   "Parallel Random Numbers: As Easy as 1, 2, 3", 2011), MRG32k3a (L'Ecuyer, 1999), Sobol in Gray-code order. How a seed becomes
   a state, and how integers become floats, gives the numbers that cuRAND 10.4 gives (test/cases/curand.cu has readings of an
   H200); sequences are 2^67 (XORWOW), 2^66 (Philox) and 2^76 (MRG32k3a) numbers apart. Poisson numbers have the right
   distribution and not cuRAND's order. */
#ifndef WARPLENS_CURAND_DEVICE_H
#define WARPLENS_CURAND_DEVICE_H

#include <math.h>
#include <cuda_runtime.h>
#include <warplens/curand_jumps.h>

#if defined(__CUDA__)
#define __WARPLENS_RANDOM__ static __inline__ __attribute__((host, device, unused))
#else
#define __WARPLENS_RANDOM__ static __inline__ __attribute__((unused))
#endif

/* A number that a pair left over: 1 a normal one, 2 a log-normal one; the other kind does not take it. States are as long and as
   aligned as cuRAND's: kernels keep them in arrays. */
#define __WARPLENS_SPARE \
  int boxmuller_flag, boxmuller_flag_double; \
  float boxmuller_extra; \
  double boxmuller_extra_double
struct curandStateXORWOW {
  unsigned d, v[5];
  __WARPLENS_SPARE;
};
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned STATE;
  __WARPLENS_SPARE;
};
struct curandStateMRG32k3a {
  unsigned s1[3], s2[3];
  __WARPLENS_SPARE;
};
#undef __WARPLENS_SPARE
template <class S> __WARPLENS_RANDOM__ void __warplens_nothing_spare(S *s) {
  s->boxmuller_flag = s->boxmuller_flag_double = 0;
  s->boxmuller_extra = 0;
  s->boxmuller_extra_double = 0;
}
struct curandStateSobol32 {
  unsigned i, x, c, direction[32];
};
struct curandStateSobol64 {
  unsigned long long i, x, c, direction[64];
};
typedef curandStateSobol64 curandStateSobol64_t;
typedef unsigned long long curandDirectionVectors64_t[64];
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
typedef curandStateSobol32 curandStateSobol32_t;
typedef unsigned curandDirectionVectors32_t[32];

/* ---- integers ---- */

/* d and v: the machine stores them by twos wherever it has seen a state (readings: machine_curand). */
__WARPLENS_RANDOM__ unsigned *__warplens_words(curandStateXORWOW *s) {
  return (unsigned *)__builtin_assume_aligned(s, 8);
}

__WARPLENS_RANDOM__ void __warplens_step(curandStateXORWOW *s) {
  unsigned t = s->v[0] ^ (s->v[0] >> 2);
  s->v[0] = s->v[1], s->v[1] = s->v[2], s->v[2] = s->v[3], s->v[3] = s->v[4];
  s->v[4] = (s->v[4] ^ (s->v[4] << 4)) ^ (t ^ (t << 1));
}
__WARPLENS_RANDOM__ unsigned curand(curandStateXORWOW *s) {
  __warplens_step(s);
  return s->v[4] + (s->d += 362437);
}
/* The state that a jump polynomial leads to: the sum of the states at its coefficients. */
__WARPLENS_RANDOM__ void __warplens_jump(curandStateXORWOW *s, const unsigned *polynomial) {
  unsigned sum[5] = {0, 0, 0, 0, 0};
#pragma clang loop unroll(disable)
  for (int i = 0; i < 160; i++) {
    unsigned taken = 0u - (polynomial[i >> 5] >> (i & 31) & 1);
    for (int k = 0; k < 5; k++) sum[k] ^= s->v[k] & taken;
    __warplens_step(s);
  }
  for (int k = 0; k < 5; k++) s->v[k] = sum[k];
}
#if defined(__CUDA_ARCH__)
/* The device multiplies by matrices of a table, two bits of the distance at a time, as cuRAND's own code does: these loads
   are counted. The runtime fills the tables (libraryTables.ts). */
extern "C" {
inline __device__ unsigned __warplens_xorwow_steps_by_fours[32][800];
inline __device__ unsigned __warplens_xorwow_sequences_by_fours[32][800];
}
__WARPLENS_RANDOM__ void __warplens_multiply(curandStateXORWOW *s, const unsigned *matrix) {
  unsigned sum[5] = {0, 0, 0, 0, 0};
#pragma unroll 1
  for (int i = 0; i < 5; i++) {
#pragma unroll 16
    for (int j = 0; j < 32; j++)
      if (s->v[i] & (1u << j))
        for (int k = 0; k < 5; k++) sum[k] ^= matrix[(i * 32 + j) * 5 + k];
  }
  unsigned *words = __warplens_words(s);
  for (int k = 0; k < 5; k++) words[1 + k] = sum[k];
}
__WARPLENS_RANDOM__ void __warplens_leap(unsigned long long n, curandStateXORWOW *s, const unsigned (*matrices)[800]) {
  for (int i = 0; n != 0; i++, n >>= 2)
    for (unsigned t = 0; t < (n & 3); t++) __warplens_multiply(s, matrices[i]);
}
__WARPLENS_RANDOM__ void skipahead(unsigned long long n, curandStateXORWOW *s) {
  __warplens_leap(n, s, __warplens_xorwow_steps_by_fours);
  if (!__builtin_constant_p(n) || n != 0) s->d += 362437u * (unsigned)n;
}
__WARPLENS_RANDOM__ void skipahead_sequence(unsigned long long n, curandStateXORWOW *s) {
  __warplens_leap(n, s, __warplens_xorwow_sequences_by_fours);
}
#else
__WARPLENS_RANDOM__ void skipahead(unsigned long long n, curandStateXORWOW *s) {
  s->d += 362437u * (unsigned)n;
#pragma clang loop unroll(disable)
  for (int i = 0; n != 0; i++, n >>= 1)
    if (n & 1) __warplens_jump(s, __warplens_xorwow_steps[i]);
}
__WARPLENS_RANDOM__ void skipahead_sequence(unsigned long long n, curandStateXORWOW *s) {
#pragma clang loop unroll(disable)
  for (int i = 0; n != 0; i++, n >>= 1)
    if (n & 1) __warplens_jump(s, __warplens_xorwow_sequences[i]);
}
#endif
__WARPLENS_RANDOM__ void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                                     curandStateXORWOW *s) {
  unsigned t0 = 1099087573u * ((unsigned)seed ^ 0xaad26b49u), t1 = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);
  unsigned first[6] = {6615241u + t1 + t0,  123456789u + t0, 362436069u ^ t0,
                       521288629u + t1, 88675123u ^ t1, 5783321u + t0};
  unsigned *words = __warplens_words(s);
  for (int k = 0; k < 6; k++) words[k] = first[k];
  __warplens_nothing_spare(s);
  skipahead_sequence(sequence, s);
  skipahead(offset, s);
}

__WARPLENS_RANDOM__ void __warplens_philox(curandStatePhilox4_32_10 *s) {
  uint4 c = s->ctr;
  uint2 k = s->key;
  for (int round = 0; round < 10; round++) {
    unsigned long long p0 = 0xD2511F53ull * c.x, p1 = 0xCD9E8D57ull * c.z;
    c = make_uint4((unsigned)(p1 >> 32) ^ c.y ^ k.x, (unsigned)p1, (unsigned)(p0 >> 32) ^ c.w ^ k.y, (unsigned)p0);
    k.x += 0x9E3779B9u;
    k.y += 0xBB67AE85u;
  }
  s->output = c;
}
/* Adds n to two words of the counter; whether they wrap. */
__WARPLENS_RANDOM__ bool __warplens_count(unsigned *low, unsigned *high, unsigned long long n) {
  unsigned first = (unsigned)n, second = (unsigned)(n >> 32);
  *low += first;
  if (*low < first) second++;
  *high += second;
  return *high < second;
}
__WARPLENS_RANDOM__ void __warplens_next(curandStatePhilox4_32_10 *s) {
  if (++s->ctr.x == 0 && ++s->ctr.y == 0 && ++s->ctr.z == 0) ++s->ctr.w;
  __warplens_philox(s);
}
__WARPLENS_RANDOM__ unsigned curand(curandStatePhilox4_32_10 *s) {
  unsigned at = s->STATE;
  unsigned value = at == 0 ? s->output.x : at == 1 ? s->output.y : at == 2 ? s->output.z : s->output.w;
  if (++s->STATE == 4) {
    s->STATE = 0;
    __warplens_next(s);
  }
  return value;
}
__WARPLENS_RANDOM__ uint4 curand4(curandStatePhilox4_32_10 *s) {
  uint4 old = s->output;
  __warplens_next(s);
  uint4 now = s->output;
  switch (s->STATE) {
    case 0: return old;
    case 1: return make_uint4(old.y, old.z, old.w, now.x);
    case 2: return make_uint4(old.z, old.w, now.x, now.y);
    default: return make_uint4(old.w, now.x, now.y, now.z);
  }
}
__WARPLENS_RANDOM__ void skipahead(unsigned long long n, curandStatePhilox4_32_10 *s) {
  s->STATE += (unsigned)n & 3;
  n /= 4;
  if (s->STATE > 3) s->STATE -= 4, n++;
  if (__warplens_count(&s->ctr.x, &s->ctr.y, n) && ++s->ctr.z == 0) ++s->ctr.w;
  __warplens_philox(s);
}
__WARPLENS_RANDOM__ void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10 *s) {
  __warplens_count(&s->ctr.z, &s->ctr.w, n);
  __warplens_philox(s);
}
__WARPLENS_RANDOM__ void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                                     curandStatePhilox4_32_10 *s) {
  s->ctr = make_uint4(0, 0, 0, 0);
  s->key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
  s->STATE = 0;
  __warplens_nothing_spare(s);
  skipahead_sequence(sequence, s);
  skipahead(offset, s);
}

static constexpr unsigned __warplens_mrg_m1 = 4294967087u, __warplens_mrg_m2 = 4294944443u;
/* The step matrices and their powers 2^76 and 2^127, modulo m1 and m2. */
static constexpr unsigned __warplens_mrg_1[3][3][3] = {
    {{0u, 1u, 0u}, {0u, 0u, 1u}, {4294156359u, 1403580u, 0u}},
    {{82758667u, 1871391091u, 4127413238u}, {3672831523u, 69195019u, 1871391091u}, {3672091415u, 3528743235u, 69195019u}},
    {{2427906178u, 3580155704u, 949770784u}, {226153695u, 1230515664u, 3580155704u}, {1988835001u, 986791581u, 1230515664u}}};
static constexpr unsigned __warplens_mrg_2[3][3][3] = {
    {{0u, 1u, 0u}, {0u, 0u, 1u}, {4293573854u, 0u, 527612u}},
    {{1511326704u, 3759209742u, 1610795712u}, {4292754251u, 1511326704u, 3889917532u}, {3859662829u, 4292754251u, 3708466080u}},
    {{1464411153u, 277697599u, 1610723613u}, {32183930u, 1464411153u, 1022607788u}, {2824425944u, 32183930u, 2093834863u}}};
/* 1 to m1: the combined generator's own numbers. */
__WARPLENS_RANDOM__ unsigned __warplens_next(curandStateMRG32k3a *s) {
  unsigned long long p1 = (1403580ull * s->s1[1] + 810728ull * (__warplens_mrg_m1 - s->s1[0])) % __warplens_mrg_m1;
  unsigned long long p2 = (527612ull * s->s2[2] + 1370589ull * (__warplens_mrg_m2 - s->s2[0])) % __warplens_mrg_m2;
  s->s1[0] = s->s1[1], s->s1[1] = s->s1[2], s->s1[2] = (unsigned)p1;
  s->s2[0] = s->s2[1], s->s2[1] = s->s2[2], s->s2[2] = (unsigned)p2;
  return (unsigned)(p1 > p2 ? p1 - p2 : p1 + __warplens_mrg_m1 - p2);
}
__WARPLENS_RANDOM__ unsigned curand(curandStateMRG32k3a *s) { return (unsigned)(__warplens_next(s) * 1.000000048662); }
/* state := matrix^n state (mod m) */
__WARPLENS_RANDOM__ void __warplens_power(unsigned *state, const unsigned (*matrix)[3], unsigned long long n, unsigned m) {
  unsigned long long a[3][3], b[3][3];
  for (int i = 0; i < 9; i++) a[i / 3][i % 3] = matrix[i / 3][i % 3];
#pragma clang loop unroll(disable)
  for (; n != 0; n >>= 1) {
    if (n & 1) {
      unsigned long long next[3];
      for (int i = 0; i < 3; i++)
        next[i] = (a[i][0] * state[0] % m + a[i][1] * state[1] % m + a[i][2] * state[2] % m) % m;
      for (int i = 0; i < 3; i++) state[i] = (unsigned)next[i];
    }
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) b[i][j] = (a[i][0] * a[0][j] % m + a[i][1] * a[1][j] % m + a[i][2] * a[2][j] % m) % m;
    for (int i = 0; i < 9; i++) a[i / 3][i % 3] = b[i / 3][i % 3];
  }
}
__WARPLENS_RANDOM__ void __warplens_skip(curandStateMRG32k3a *s, int stride, unsigned long long n) {
  __warplens_power(s->s1, __warplens_mrg_1[stride], n, __warplens_mrg_m1);
  __warplens_power(s->s2, __warplens_mrg_2[stride], n, __warplens_mrg_m2);
}
__WARPLENS_RANDOM__ void skipahead(unsigned long long n, curandStateMRG32k3a *s) { __warplens_skip(s, 0, n); }
__WARPLENS_RANDOM__ void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a *s) { __warplens_skip(s, 1, n); }
__WARPLENS_RANDOM__ void skipahead_sequence(unsigned long long n, curandStateMRG32k3a *s) { __warplens_skip(s, 2, n); }
__WARPLENS_RANDOM__ void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                                     curandStateMRG32k3a *s) {
  unsigned x1 = (unsigned)seed ^ 0x55555555u, x2 = (unsigned)(seed >> 32) ^ 0xAAAAAAAAu;
  if (seed == 0) x1 = x2 = 1;
  for (int i = 0; i < 3; i++) {
    s->s1[i] = (unsigned)((i == 1 ? x2 : x1) * 12345ull % __warplens_mrg_m1);
    s->s2[i] = (unsigned)((i == 1 ? x1 : x2) * 12345ull % __warplens_mrg_m2);
  }
  __warplens_nothing_spare(s);
  skipahead_subsequence(sequence, s);
  skipahead(offset, s);
}

/* The two widths of Sobol's sequence; scrambled ones have the same state. */
#define __WARPLENS_SOBOL(state, word, bits, zeros)                                                                         \
  __WARPLENS_RANDOM__ word curand(state *s) {                                                                              \
    word value = s->x;                                                                                                     \
    s->x ^= s->direction[~s->i ? zeros(~s->i) : bits - 1];                                                                 \
    s->i++;                                                                                                                \
    return value;                                                                                                          \
  }                                                                                                                        \
  __WARPLENS_RANDOM__ void skipahead(word n, state *s) {                                                                   \
    s->i += n;                                                                                                             \
    word gray = s->i ^ (s->i >> 1);                                                                                        \
    s->x = s->c;                                                                                                           \
    for (int k = 0; k < bits; k++)                                                                                         \
      if (gray >> k & 1) s->x ^= s->direction[k];                                                                          \
  }                                                                                                                        \
  __WARPLENS_RANDOM__ void curand_init(const word *direction, word scramble, word offset, state *s) {                      \
    for (int k = 0; k < bits; k++) s->direction[k] = direction[k];                                                         \
    s->i = 0;                                                                                                              \
    s->c = scramble;                                                                                                       \
    skipahead(offset, s);                                                                                                  \
  }                                                                                                                        \
  __WARPLENS_RANDOM__ void curand_init(const word *direction, word offset, state *s) {                                     \
    curand_init(direction, (word)0, offset, s);                                                                            \
  }
__WARPLENS_SOBOL(curandStateSobol32, unsigned, 32, __builtin_ctz)
__WARPLENS_SOBOL(curandStateSobol64, unsigned long long, 64, __builtin_ctzll)
#undef __WARPLENS_SOBOL
typedef curandStateSobol32 curandStateScrambledSobol32, curandStateScrambledSobol32_t;
typedef curandStateSobol64 curandStateScrambledSobol64, curandStateScrambledSobol64_t;

/* ---- uniform: above 0, up to and including 1 ---- */

__WARPLENS_RANDOM__ float __warplens_unit(unsigned x) { return x * 2.3283064e-10f + 2.3283064e-10f / 2; }
__WARPLENS_RANDOM__ double __warplens_unit_double(unsigned x, unsigned y) {
  unsigned long long z = (unsigned long long)x ^ ((unsigned long long)y << 21);
  return z * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2;
}
template <class S> __WARPLENS_RANDOM__ float curand_uniform(S *s) { return __warplens_unit(curand(s)); }
template <class S> __WARPLENS_RANDOM__ double curand_uniform_double(S *s) {
  unsigned x = curand(s), y = curand(s);
  return __warplens_unit_double(x, y);
}
__WARPLENS_RANDOM__ double curand_uniform_double(curandStatePhilox4_32_10 *s) {
  return curand(s) * 2.3283064365386963e-10 + 2.3283064365386963e-10 / 2;
}
__WARPLENS_RANDOM__ double curand_uniform_double(curandStateMRG32k3a *s) { return __warplens_next(s) * 2.3283065498378288e-10; }
__WARPLENS_RANDOM__ float curand_uniform(curandStateMRG32k3a *s) { return (float)curand_uniform_double(s); }
__WARPLENS_RANDOM__ double curand_uniform_double(curandStateSobol32 *s) {
  return curand(s) * 2.3283064365386963e-10 + 2.3283064365386963e-10;
}
__WARPLENS_RANDOM__ double curand_uniform_double(curandStateSobol64 *s) {
  return (curand(s) >> 11) * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2;
}
__WARPLENS_RANDOM__ float curand_uniform(curandStateSobol64 *s) { return __warplens_unit((unsigned)(curand(s) >> 32)); }
__WARPLENS_RANDOM__ float4 curand_uniform4(curandStatePhilox4_32_10 *s) {
  uint4 v = curand4(s);
  return make_float4(__warplens_unit(v.x), __warplens_unit(v.y), __warplens_unit(v.z), __warplens_unit(v.w));
}
__WARPLENS_RANDOM__ double2 curand_uniform2_double(curandStatePhilox4_32_10 *s) {
  uint4 v = curand4(s);
  return make_double2(__warplens_unit_double(v.x, v.y), __warplens_unit_double(v.z, v.w));
}
__WARPLENS_RANDOM__ double4 curand_uniform4_double(curandStatePhilox4_32_10 *s) {
  double2 a = curand_uniform2_double(s), b = curand_uniform2_double(s);
  return make_double4(a.x, a.y, b.x, b.y);
}

/* ---- normal: pairs by Box and Muller ---- */

__WARPLENS_RANDOM__ float2 __warplens_pair(float u, float angle) {
  float s = sqrtf(-2.0f * logf(u)), sine, cosine;
  sincosf(angle, &sine, &cosine);
  return make_float2(s * sine, s * cosine);
}
__WARPLENS_RANDOM__ double2 __warplens_pair_double(double u, double turns) {
  double s = sqrt(-2.0 * log(u)), sine, cosine;
#if defined(__CUDA_ARCH__)
  sincospi(2 * turns, &sine, &cosine);
#else
  sine = sin(turns * 6.283185307179586477), cosine = cos(turns * 6.283185307179586477);
#endif
  return make_double2(s * sine, s * cosine);
}
__WARPLENS_RANDOM__ float2 __warplens_normal_pair(unsigned x, unsigned y) {
  return __warplens_pair(__warplens_unit(x), y * (2.3283064e-10f * 6.2831855f) + 2.3283064e-10f * 6.2831855f / 2);
}
template <class S> __WARPLENS_RANDOM__ float2 curand_normal2(S *s) {
  unsigned x = curand(s), y = curand(s);
  return __warplens_normal_pair(x, y);
}
__WARPLENS_RANDOM__ float2 curand_normal2(curandStateMRG32k3a *s) {
  float x = curand_uniform(s), y = curand_uniform(s) * 6.2831855f;
  return __warplens_pair(x, y);
}
__WARPLENS_RANDOM__ double2 curand_normal2_double(curandStatePhilox4_32_10 *s) {
  uint4 v = curand4(s);
  return __warplens_pair_double(__warplens_unit_double(v.x, v.y), __warplens_unit_double(v.z, v.w));
}
template <class S> __WARPLENS_RANDOM__ double2 curand_normal2_double(S *s) {
  double u = curand_uniform_double(s), v = curand_uniform_double(s);
  return __warplens_pair_double(u, v);
}
template <class S> __WARPLENS_RANDOM__ float __warplens_normal(S *s, int kind) {
  if (s->boxmuller_flag == kind) {
    s->boxmuller_flag = 0;
    return s->boxmuller_extra;
  }
  float2 v = curand_normal2(s);
  s->boxmuller_flag = kind;
  s->boxmuller_extra = v.y;
  return v.x;
}
template <class S> __WARPLENS_RANDOM__ double __warplens_normal_double(S *s, int kind) {
  if (s->boxmuller_flag_double == kind) {
    s->boxmuller_flag_double = 0;
    return s->boxmuller_extra_double;
  }
  double2 v = curand_normal2_double(s);
  s->boxmuller_flag_double = kind;
  s->boxmuller_extra_double = v.y;
  return v.x;
}
template <class S> __WARPLENS_RANDOM__ float curand_normal(S *s) { return __warplens_normal(s, 1); }
template <class S> __WARPLENS_RANDOM__ double curand_normal_double(S *s) { return __warplens_normal_double(s, 1); }
/* Quasi-random numbers keep their order: the inverse of the normal distribution. The host's library has none, so there it is
   the guess of Abramowitz and Stegun 26.2.23, made exact by Newton's steps. */
__WARPLENS_RANDOM__ double __warplens_inverse_normal(double p) {
#if defined(__CUDA_ARCH__)
  return -1.4142135623730951 * erfcinv(2 * p);
#else
  double t = sqrt(-2 * log(p < 0.5 ? p : 1 - p));
  double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  if (p < 0.5) x = -x;
  for (int step = 0; step < 3; step++)
    x -= (0.5 * erfc(-x * 0.70710678118654752) - p) / (exp(-0.5 * x * x) * 0.39894228040143268);
  return x;
#endif
}
__WARPLENS_RANDOM__ double curand_normal_double(curandStateSobol32 *s) {
  return __warplens_inverse_normal(curand_uniform_double(s));
}
__WARPLENS_RANDOM__ float curand_normal(curandStateSobol32 *s) { return (float)curand_normal_double(s); }
__WARPLENS_RANDOM__ double curand_normal_double(curandStateSobol64 *s) {
  return __warplens_inverse_normal(curand_uniform_double(s));
}
__WARPLENS_RANDOM__ float curand_normal(curandStateSobol64 *s) { return (float)curand_normal_double(s); }
__WARPLENS_RANDOM__ float4 curand_normal4(curandStatePhilox4_32_10 *s) {
  uint4 v = curand4(s);
  float2 a = __warplens_normal_pair(v.x, v.y), b = __warplens_normal_pair(v.z, v.w);
  return make_float4(a.x, a.y, b.x, b.y);
}
__WARPLENS_RANDOM__ double4 curand_normal4_double(curandStatePhilox4_32_10 *s) {
  double2 a = curand_normal2_double(s), b = curand_normal2_double(s);
  return make_double4(a.x, a.y, b.x, b.y);
}
template <class S> __WARPLENS_RANDOM__ float2 curand_log_normal2(S *s, float mean, float deviation) {
  float2 v = curand_normal2(s);
  return make_float2(expf(mean + deviation * v.x), expf(mean + deviation * v.y));
}
template <class S> __WARPLENS_RANDOM__ double2 curand_log_normal2_double(S *s, double mean, double deviation) {
  double2 v = curand_normal2_double(s);
  return make_double2(exp(mean + deviation * v.x), exp(mean + deviation * v.y));
}
__WARPLENS_RANDOM__ float4 curand_log_normal4(curandStatePhilox4_32_10 *s, float mean, float deviation) {
  float2 a = curand_log_normal2(s, mean, deviation), b = curand_log_normal2(s, mean, deviation);
  return make_float4(a.x, a.y, b.x, b.y);
}
__WARPLENS_RANDOM__ double4 curand_log_normal4_double(curandStatePhilox4_32_10 *s, double mean, double deviation) {
  double2 a = curand_log_normal2_double(s, mean, deviation), b = curand_log_normal2_double(s, mean, deviation);
  return make_double4(a.x, a.y, b.x, b.y);
}
template <class S> __WARPLENS_RANDOM__ float curand_log_normal(S *s, float mean, float deviation) {
  return expf(mean + deviation * __warplens_normal(s, 2));
}
template <class S> __WARPLENS_RANDOM__ double curand_log_normal_double(S *s, double mean, double deviation) {
  return exp(mean + deviation * __warplens_normal_double(s, 2));
}

/* ---- Poisson: products of uniform numbers for small means, else Hormann's transformed rejection (PTRS, 1993) ---- */

template <class S> __WARPLENS_RANDOM__ unsigned curand_poisson(S *s, double mean) {
  if (mean < 30) {
    double limit = exp(-mean), product = curand_uniform_double(s);
    unsigned k = 0;
    for (; product > limit; k++) product *= curand_uniform_double(s);
    return k;
  }
  double b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b, v = 0.9277 - 3.6224 / (b - 2);
  double alpha = 1.1239 + 1.1328 / (b - 3.4), logMean = log(mean);
  for (;;) {
    double u = curand_uniform_double(s) - 0.5, w = curand_uniform_double(s), us = 0.5 - fabs(u);
    double k = floor((2 * a / us + b) * u + mean + 0.43);
    if (us >= 0.07 && w <= v) return (unsigned)k;
    if (k < 0 || (us < 0.013 && w > us)) continue;
    if (log(w) + log(alpha) - log(a / (us * us) + b) <= k * logMean - mean - lgamma(k + 1)) return (unsigned)k;
  }
}
__WARPLENS_RANDOM__ uint4 curand_poisson4(curandStatePhilox4_32_10 *s, double mean) {
  uint4 v;
  v.x = curand_poisson(s, mean), v.y = curand_poisson(s, mean), v.z = curand_poisson(s, mean), v.w = curand_poisson(s, mean);
  return v;
}

#endif
