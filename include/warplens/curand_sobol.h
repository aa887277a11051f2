/* Sobol's sequence for cuRAND's quasi-random generators: the direction numbers of Joe and Kuo, "Constructing Sobol sequences with
   better two-dimensional projections" (SIAM J. Sci. Comput. 30, 2008), of which cuRAND's JOEKUO6 tables are made. The first 40
   dimensions; asking for more is an error. */
#ifndef WARPLENS_CURAND_SOBOL_H
#define WARPLENS_CURAND_SOBOL_H

typedef enum curandDirectionVectorSet {
  CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
  CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104
} curandDirectionVectorSet_t;

static constexpr unsigned __warplens_sobol_dimensions = 40;
/* From the second dimension on: the primitive polynomial's bits, and the first numbers. */
static constexpr struct {
  unsigned short polynomial;
  unsigned char first[9];
} __warplens_sobol_table[__warplens_sobol_dimensions - 1] = {
    {3, {1}},
    {7, {1, 3}},
    {11, {1, 3, 1}},
    {13, {1, 1, 1}},
    {19, {1, 1, 3, 3}},
    {25, {1, 3, 5, 13}},
    {37, {1, 1, 5, 5, 17}},
    {41, {1, 1, 5, 5, 5}},
    {47, {1, 1, 7, 11, 19}},
    {55, {1, 1, 5, 1, 1}},
    {59, {1, 1, 1, 3, 11}},
    {61, {1, 3, 5, 5, 31}},
    {67, {1, 3, 3, 9, 7, 49}},
    {91, {1, 1, 1, 15, 21, 21}},
    {97, {1, 3, 1, 13, 27, 49}},
    {103, {1, 1, 1, 15, 7, 5}},
    {109, {1, 3, 1, 15, 13, 25}},
    {115, {1, 1, 5, 5, 19, 61}},
    {131, {1, 3, 7, 11, 23, 15, 103}},
    {137, {1, 3, 7, 13, 13, 15, 69}},
    {143, {1, 1, 3, 13, 7, 35, 63}},
    {145, {1, 3, 5, 9, 1, 25, 53}},
    {157, {1, 3, 1, 13, 9, 35, 107}},
    {167, {1, 3, 1, 5, 27, 61, 31}},
    {171, {1, 1, 5, 11, 19, 41, 61}},
    {185, {1, 3, 5, 3, 3, 13, 69}},
    {191, {1, 1, 7, 13, 1, 19, 1}},
    {193, {1, 3, 7, 5, 13, 19, 59}},
    {203, {1, 1, 3, 9, 25, 29, 41}},
    {211, {1, 3, 5, 13, 23, 1, 55}},
    {213, {1, 3, 7, 3, 13, 59, 17}},
    {229, {1, 3, 1, 3, 5, 53, 69}},
    {239, {1, 1, 5, 5, 23, 33, 13}},
    {241, {1, 1, 7, 7, 1, 61, 123}},
    {247, {1, 1, 7, 9, 13, 61, 49}},
    {253, {1, 3, 3, 5, 3, 55, 33}},
    {285, {1, 3, 1, 15, 31, 13, 49, 245}},
    {299, {1, 3, 5, 15, 31, 59, 63, 97}},
    {301, {1, 3, 1, 11, 11, 11, 77, 249}}};

/* The vectors of every dimension, in words of `bits` bits. */
template <class Word, int bits> static inline Word (*__warplens_sobol_vectors())[bits] {
  static Word vectors[__warplens_sobol_dimensions][bits];
  if (vectors[0][0] != 0) return vectors;
  for (unsigned dimension = 0; dimension < __warplens_sobol_dimensions; dimension++) {
    Word *v = vectors[dimension];
    if (dimension == 0) {
      for (int k = 0; k < bits; k++) v[k] = (Word)1 << (bits - 1 - k);
      continue;
    }
    const auto &row = __warplens_sobol_table[dimension - 1];
    const int degree = 31 - __builtin_clz(row.polynomial);
    for (int k = 0; k < bits; k++) {
      if (k < degree) {
        v[k] = (Word)row.first[k] << (bits - 1 - k);
        continue;
      }
      v[k] = v[k - degree] ^ (v[k - degree] >> degree);
      for (int j = 1; j < degree; j++)
        if (row.polynomial >> (degree - j) & 1) v[k] ^= v[k - j];
    }
  }
  return vectors;
}
static inline curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t **vectors, curandDirectionVectorSet_t set) {
  if (set != CURAND_DIRECTION_VECTORS_32_JOEKUO6) return CURAND_STATUS_TYPE_ERROR;
  *vectors = __warplens_sobol_vectors<unsigned, 32>();
  return CURAND_STATUS_SUCCESS;
}
static inline curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t **vectors, curandDirectionVectorSet_t set) {
  if (set != CURAND_DIRECTION_VECTORS_64_JOEKUO6) return CURAND_STATUS_TYPE_ERROR;
  *vectors = __warplens_sobol_vectors<unsigned long long, 64>();
  return CURAND_STATUS_SUCCESS;
}

#endif
