/* The generators behind curand.h. Each keeps its sequences' states; every call continues where the last one stopped, at the next
   number of the order (normal numbers take theirs in pairs within a sequence, so that a call begins at sequence 0 again once
   the numbers drawn do not fill all sequences evenly). */
#ifndef WARPLENS_CURAND_HOST_H
#define WARPLENS_CURAND_HOST_H

#include <stdlib.h>
#include <warplens/curand_device.h>
#include <warplens/curand_sobol.h>

struct curandGenerator_st {
  curandRngType_t type;
  bool onHost;
  unsigned long long seed, offset;
  cudaStream_t stream;
  /* Of a quasi-random generator. */
  unsigned dimensions;
};

static inline unsigned __warplens_sequences_of(curandRngType_t type) { return type == CURAND_RNG_PSEUDO_PHILOX4_32_10 ? 65536 : 4096; }

static inline curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
  if (type == CURAND_RNG_PSEUDO_DEFAULT) type = CURAND_RNG_PSEUDO_XORWOW;
  if (type == CURAND_RNG_QUASI_DEFAULT) type = CURAND_RNG_QUASI_SOBOL32;
  const bool isQuasi = type == CURAND_RNG_QUASI_SOBOL32 || type == CURAND_RNG_QUASI_SOBOL64;
  if (!isQuasi && type != CURAND_RNG_PSEUDO_XORWOW && type != CURAND_RNG_PSEUDO_MRG32K3A && type != CURAND_RNG_PSEUDO_PHILOX4_32_10)
    return CURAND_STATUS_TYPE_ERROR;
  *generator = new curandGenerator_st{type, false, 0, 0, 0, 1};
  return CURAND_STATUS_SUCCESS;
}
static inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type) {
  curandStatus_t status = curandCreateGenerator(generator, type);
  if (status == CURAND_STATUS_SUCCESS) (*generator)->onHost = true;
  return status;
}
static inline curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  delete generator;
  return CURAND_STATUS_SUCCESS;
}
static inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  generator->seed = seed;
  generator->offset = 0;
  return CURAND_STATUS_SUCCESS;
}
static inline curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned dimensions) {
  if (generator->type < CURAND_RNG_QUASI_DEFAULT) return CURAND_STATUS_TYPE_ERROR;
  if (dimensions == 0 || dimensions > __warplens_sobol_dimensions) return CURAND_STATUS_OUT_OF_RANGE;
  generator->dimensions = dimensions;
  return CURAND_STATUS_SUCCESS;
}
static inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  generator->offset = offset;
  return CURAND_STATUS_SUCCESS;
}
static inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t, curandOrdering_t order) {
  return order == CURAND_ORDERING_PSEUDO_SEEDED ? CURAND_STATUS_OUT_OF_RANGE : CURAND_STATUS_SUCCESS;
}
static inline curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
static inline curandStatus_t curandGetVersion(int *version) {
  *version = 10400;
  return CURAND_STATUS_SUCCESS;
}
static inline curandStatus_t curandGenerateSeeds(curandGenerator_t) { return CURAND_STATUS_SUCCESS; }

static inline void __warplens_next_sequence(curandStateXORWOW *s) { __warplens_jump(s, __warplens_xorwow_sequences[0]); }
static inline void __warplens_next_sequence(curandStatePhilox4_32_10 *s) { skipahead_sequence(1, s); }
static inline void __warplens_next_sequence(curandStateMRG32k3a *s) { skipahead_subsequence(1, s); }

/* Fills `out` with `count` values; draw(state, values) makes `group` of them, and takes `drawn` numbers of its sequence. */
template <class State, class T, class Draw>
static inline void __warplens_fill(curandGenerator_t g, T *out, size_t count, unsigned group, unsigned drawn, Draw draw) {
  const unsigned sequences = __warplens_sequences_of(g->type), run = g->type == CURAND_RNG_PSEUDO_PHILOX4_32_10 ? 4 : 1;
  const unsigned long long first = g->offset / run;
  const unsigned long long whole = first / sequences;
  unsigned at = (unsigned)(first % sequences);
  State next;
  curand_init(g->seed, 0, 0, &next);
  for (unsigned k = 0; k < sequences; k++) {
    State state = next;
    __warplens_next_sequence(&next);
    unsigned long long position = (whole + (k < at ? 1 : 0)) * run;
    if (position != 0) skipahead(position, &state);
    /* Values of this sequence stand `sequences` groups apart. */
    size_t start = (size_t)((k + sequences - at) % sequences) * run;
    if (start >= count) continue;
    T values[4];
    unsigned have = 0, used = 0;
    for (size_t base = start; base < count; base += (size_t)sequences * run)
      for (unsigned i = 0; i < run && base + i < count; i++) {
        if (used == have) {
          draw(&state, values);
          have = group;
          used = 0;
        }
        out[base + i] = values[used++];
      }
  }
  g->offset += (unsigned long long)(count + group - 1) / group * drawn;
}
template <class S> static inline double __warplens_host_double(S *s) { return curand_uniform_double(s); }
static inline double __warplens_host_double(curandStatePhilox4_32_10 *s) {
  unsigned x = curand(s), y = curand(s);
  return __warplens_unit_double(x, y);
}

template <class T, class Draw>
static inline void __warplens_fill_pseudo(curandGenerator_t g, T *out, size_t count, unsigned group, unsigned drawn, Draw draw) {
  if (g->type == CURAND_RNG_PSEUDO_XORWOW) __warplens_fill<curandStateXORWOW>(g, out, count, group, drawn, draw);
  else if (g->type == CURAND_RNG_PSEUDO_MRG32K3A)
    __warplens_fill<curandStateMRG32k3a>(g, out, count, group, group == 2 ? 2 : 1, draw);
  else __warplens_fill<curandStatePhilox4_32_10>(g, out, count, group, drawn, draw);
}
/* All numbers of one dimension, then those of the next. */
template <class State, class Word, int bits, class T, class Draw>
static inline void __warplens_fill_quasi(curandGenerator_t g, T *out, size_t count, Draw draw) {
  const size_t each = count / g->dimensions;
  for (unsigned dimension = 0; dimension < g->dimensions; dimension++) {
    State state;
    curand_init(__warplens_sobol_vectors<Word, bits>()[dimension], (Word)g->offset, &state);
    for (size_t i = 0; i < each; i++) *out++ = draw.one(&state);
  }
  g->offset += each;
}
static inline bool __warplens_is_quasi(curandGenerator_t g) { return g->type >= CURAND_RNG_QUASI_DEFAULT; }

/*
 * A distribution's draw(state, values) makes as many values as __warplens_fill asks for, of pseudo-random numbers;
 * draw.one(state) returns one, of quasi-random ones. (No generic lambdas: C++11 has none.)
 */
struct __warplens_draw_bits32 {
  template <class S> void operator()(S *s, unsigned *v) const { v[0] = curand(s); }
  template <class S> unsigned one(S *s) const { return (unsigned)curand(s); }
};
struct __warplens_draw_bits64 {
  template <class S> void operator()(S *s, unsigned long long *v) const { v[0] = curand(s); }
  template <class S> unsigned long long one(S *s) const { return curand(s); }
};
struct __warplens_draw_uniform {
  template <class S> void operator()(S *s, float *v) const { v[0] = curand_uniform(s); }
  template <class S> float one(S *s) const { return curand_uniform(s); }
};
struct __warplens_draw_uniform_double {
  template <class S> void operator()(S *s, double *v) const { v[0] = __warplens_host_double(s); }
  template <class S> double one(S *s) const { return curand_uniform_double(s); }
};
struct __warplens_draw_normal {
  float mean, deviation;
  template <class S> void operator()(S *s, float *v) const {
    float2 pair = curand_normal2(s);
    v[0] = mean + deviation * pair.x, v[1] = mean + deviation * pair.y;
  }
  template <class S> float one(S *s) const { return mean + deviation * curand_normal(s); }
};
struct __warplens_draw_normal_double {
  double mean, deviation;
  template <class S> void operator()(S *s, double *v) const {
    double2 pair = curand_normal2_double(s);
    v[0] = mean + deviation * pair.x, v[1] = mean + deviation * pair.y;
  }
  template <class S> double one(S *s) const { return mean + deviation * curand_normal_double(s); }
};
struct __warplens_draw_log_normal {
  __warplens_draw_normal normal;
  template <class S> void operator()(S *s, float *v) const {
    normal(s, v);
    v[0] = expf(v[0]), v[1] = expf(v[1]);
  }
  template <class S> float one(S *s) const { return expf(normal.one(s)); }
};
struct __warplens_draw_log_normal_double {
  __warplens_draw_normal_double normal;
  template <class S> void operator()(S *s, double *v) const {
    normal(s, v);
    v[0] = exp(v[0]), v[1] = exp(v[1]);
  }
  template <class S> double one(S *s) const { return exp(normal.one(s)); }
};
struct __warplens_draw_poisson {
  double mean;
  template <class S> void operator()(S *s, unsigned *v) const { v[0] = curand_poisson(s, mean); }
  template <class S> unsigned one(S *) const { return 0; } /* never called: refused before */
};

template <class T, class Draw>
static inline curandStatus_t __warplens_generate(curandGenerator_t g, T *out, size_t count, unsigned group, unsigned drawn,
                                                 Draw draw) {
  if (g == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (count % (__warplens_is_quasi(g) ? g->dimensions : group)) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  T *values = g->onHost ? out : (T *)malloc(count * sizeof(T) + 1);
  if (values == nullptr) return CURAND_STATUS_ALLOCATION_FAILED;
  if (g->type == CURAND_RNG_QUASI_SOBOL32) __warplens_fill_quasi<curandStateSobol32, unsigned, 32>(g, values, count, draw);
  else if (g->type == CURAND_RNG_QUASI_SOBOL64)
    __warplens_fill_quasi<curandStateSobol64, unsigned long long, 64>(g, values, count, draw);
  else __warplens_fill_pseudo(g, values, count, group, drawn, draw);
  if (g->onHost) return CURAND_STATUS_SUCCESS;
  cudaError_t status = cudaMemcpyAsync(out, values, count * sizeof(T), cudaMemcpyHostToDevice, g->stream);
  free(values);
  return status == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}
static inline curandStatus_t curandGenerate(curandGenerator_t g, unsigned *out, size_t count) {
  if (g && g->type == CURAND_RNG_QUASI_SOBOL64) return CURAND_STATUS_TYPE_ERROR;
  return __warplens_generate(g, out, count, 1, 1, __warplens_draw_bits32());
}
static inline curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long *out, size_t count) {
  if (g && g->type != CURAND_RNG_QUASI_SOBOL64) return CURAND_STATUS_TYPE_ERROR;
  return __warplens_generate(g, out, count, 1, 1, __warplens_draw_bits64());
}
static inline curandStatus_t curandGenerateUniform(curandGenerator_t g, float *out, size_t count) {
  return __warplens_generate(g, out, count, 1, 1, __warplens_draw_uniform());
}
static inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *out, size_t count) {
  return __warplens_generate(g, out, count, 1, 2, __warplens_draw_uniform_double());
}
static inline curandStatus_t curandGenerateNormal(curandGenerator_t g, float *out, size_t count, float mean, float deviation) {
  return __warplens_generate(g, out, count, 2, 2, __warplens_draw_normal{mean, deviation});
}
static inline curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *out, size_t count, double mean,
                                                        double deviation) {
  return __warplens_generate(g, out, count, 2, 4, __warplens_draw_normal_double{mean, deviation});
}
static inline curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *out, size_t count, float mean, float deviation) {
  return __warplens_generate(g, out, count, 2, 2, __warplens_draw_log_normal{{mean, deviation}});
}
static inline curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double *out, size_t count, double mean,
                                                           double deviation) {
  return __warplens_generate(g, out, count, 2, 4, __warplens_draw_log_normal_double{{mean, deviation}});
}
static inline curandStatus_t curandGeneratePoisson(curandGenerator_t g, unsigned *out, size_t count, double mean) {
  if (g && __warplens_is_quasi(g)) return CURAND_STATUS_TYPE_ERROR;
  return __warplens_generate(g, out, count, 1, 1, __warplens_draw_poisson{mean});
}

#endif
