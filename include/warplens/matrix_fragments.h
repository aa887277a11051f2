/* The fragments of nvcuda::wmma. A warp's multiplication is one primitive operation on fragments in memory
   (src/analysis/lowering/matrixKinds.ts): m16n16k16 and m32n8k16 as the PTX ISA lays out blocks of 16 x 8; m8n32k16 is m32n8k16 with
   everything transposed. Loads and stores are ordinary ones of each lane, in the widths that ptxas chooses; blocks of 8 x 8
   elements of 16 bits that lie the other way in memory are transposed in registers, as it does. */
#ifndef WARPLENS_MATRIX_FRAGMENTS_H
#define WARPLENS_MATRIX_FRAGMENTS_H


extern "C" {
/* d = a * b + c for rows x columns x depth. */
#define __WL_PRODUCT(shape, sum, a, b)                                                                                     \
  __device__ void __warplens_mma_##shape##_##sum##_##a##_##b(void *, const void *, const void *, const void *)             \
      __attribute__((nothrow, convergent));
#define __WL_PRODUCTS(shape)                                                                                               \
  __WL_PRODUCT(shape, f32, f16, f16)                                                                                       \
  __WL_PRODUCT(shape, f32, bf16, bf16)                                                                                     \
  __WL_PRODUCT(shape, s32, s8, s8)                                                                                         \
  __WL_PRODUCT(shape, s32, u8, u8)
__WL_PRODUCTS(16x16x16)
__WL_PRODUCTS(32x8x16)
__WL_PRODUCT(16x16x8, f32, tf32, tf32)
__WL_PRODUCT(8x8x4, f64, f64, f64)
#undef __WL_PRODUCTS
#undef __WL_PRODUCT
__device__ void __warplens_matrix_transpose(void *out, const void *in) __attribute__((nothrow, convergent));
/* Four bytes of an 8 x 8 matrix: from shared memory the machine loads `together` of them with one instruction. */
__device__ unsigned __warplens_matrix_word(const void *from, int together) __attribute__((nothrow, pure));
}

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
struct u4;
struct s4;
struct b1;
}
namespace experimental {
namespace precision {
using wmma::precision::b1;
using wmma::precision::s4;
using wmma::precision::u4;
}
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}
/* For headers that name it beside what is used, as CUTLASS's do; there is none. */
template <class D, class A, class B, class C>
__WARPLENS_DEVICE__ void bmma_sync(D &d, const A &a, const B &b, const C &c, experimental::bmmaBitOp = experimental::bmmaBitOpXOR,
                                   experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC);

template <class T> struct __warplens_storage {
  typedef T type;
};
template <> struct __warplens_storage<precision::tf32> {
  typedef float type;
};
/* `size` elements a lane, in memory as they are in registers. */
template <class T, int size> struct __align__(8) __frag_base {
  typedef T element_type;
  typedef typename __warplens_storage<T>::type storage_element_type;
  storage_element_type x[size];
  enum { num_elements = size };
};

template <class use, int m, int n, int k, class T, class layout = void> class fragment {
  static_assert(sizeof(T) == 0, "Warplens has no wmma fragment of this shape and type: it has m16n16k16, m32n8k16 and "
                                "m8n32k16 of half, bfloat16 and 8-bit integers, m16n16k8 of tf32 and m8n8k4 of double");
};
#define __WL_NO_FRAGMENT(T)                                                                                                \
  template <class use, int m, int n, int k, class layout> class fragment<use, m, n, k, precision::T, layout> {             \
    static_assert(m == 0, "wmma::precision::" #T ": matrices of 4-bit and 1-bit elements are not supported by Warplens");  \
  };
__WL_NO_FRAGMENT(u4)
__WL_NO_FRAGMENT(s4)
__WL_NO_FRAGMENT(b1)
#undef __WL_NO_FRAGMENT

/* Fragments of half hold 16 elements whatever the shape: the ones that count, then again. */
#define __WL_FACTOR(use, m, n, k, T, size)                                                                                 \
  template <class layout> class fragment<use, m, n, k, T, layout> : public __frag_base<T, size> {};
#define __WL_SUM(m, n, k, T, size)                                                                                         \
  template <> class fragment<accumulator, m, n, k, T> : public __frag_base<T, size> {};
#define __WL_SHAPE(m, n, sizeA, sizeB)                                                                                     \
  __WL_FACTOR(matrix_a, m, n, 16, __half, 16)                                                                              \
  __WL_FACTOR(matrix_b, m, n, 16, __half, 16)                                                                              \
  __WL_FACTOR(matrix_a, m, n, 16, __nv_bfloat16, sizeA)                                                                    \
  __WL_FACTOR(matrix_b, m, n, 16, __nv_bfloat16, sizeB)                                                                    \
  __WL_FACTOR(matrix_a, m, n, 16, signed char, sizeA)                                                                      \
  __WL_FACTOR(matrix_b, m, n, 16, signed char, sizeB)                                                                      \
  __WL_FACTOR(matrix_a, m, n, 16, unsigned char, sizeA)                                                                    \
  __WL_FACTOR(matrix_b, m, n, 16, unsigned char, sizeB)                                                                    \
  __WL_SUM(m, n, 16, __half, 8)                                                                                            \
  __WL_SUM(m, n, 16, float, 8)                                                                                             \
  __WL_SUM(m, n, 16, int, 8)
__WL_SHAPE(16, 16, 8, 8)
__WL_SHAPE(32, 8, 16, 4)
__WL_SHAPE(8, 32, 4, 16)
__WL_FACTOR(matrix_a, 16, 16, 8, precision::tf32, 4)
__WL_FACTOR(matrix_b, 16, 16, 8, precision::tf32, 4)
__WL_SUM(16, 16, 8, float, 8)
__WL_FACTOR(matrix_a, 8, 8, 4, double, 1)
__WL_FACTOR(matrix_b, 8, 8, 4, double, 1)
__WL_SUM(8, 8, 4, double, 2)
#undef __WL_SHAPE
#undef __WL_SUM
#undef __WL_FACTOR

typedef unsigned __attribute__((may_alias)) __warplens_word;
/* Pairs of words as one number, so that LLVM keeps their accesses whole. */
typedef unsigned long long __attribute__((may_alias)) __warplens_words;
typedef double __attribute__((ext_vector_type(2), may_alias)) __warplens_doubles;

__WARPLENS_DEVICE__ int __warplens_lane(void) { return __nvvm_read_ptx_sreg_laneid(); }
template <class T> __WARPLENS_DEVICE__ __warplens_word *__warplens_words_of(T *x) { return (__warplens_word *)x; }

/* ---------------------------------------------------------------- loads */

/* One 8 x 8 block of 16-bit elements: `from` is its first in memory. */
template <int count, class T>
__WARPLENS_DEVICE__ void __warplens_load_block(__warplens_word *to, const T *from, unsigned ldm, bool turned) {
  int lane = __warplens_lane();
  const T *own = from + (lane / 4) * ldm + lane % 4 * 2;
  *to = __is_same(T, __half) ? __warplens_matrix_word(own, count < 4 ? count : 4) : *(const __warplens_word *)own;
  if (turned) __warplens_matrix_transpose(to, to);
}

/* A factor whose rows (columns, for the second) come in sixteens or eights: `along` when a row's steps of depth are
   neighbours in memory, `words` of each 8 rows. */
template <int rows, int k, bool sixteens, bool along, class T, class S>
__WARPLENS_DEVICE__ void __warplens_load_factor(S *x, const T *from, unsigned ldm) {
  int lane = __warplens_lane();
  constexpr int perWord = sizeof(T) >= 4 ? 1 : 4 / sizeof(T), chunk = 4 * perWord;
  constexpr int count = rows / 8 * (k / chunk);
#pragma unroll
  for (int i = 0; i < count; i++) {
    /* Blocks of eight rows by a chunk of depth, in the order of registers. */
    int row = sixteens ? i / (2 * (k / chunk)) * 16 + i % 2 * 8 : i / (k / chunk) * 8;
    int step = (sixteens ? i % (2 * (k / chunk)) / 2 : i % (k / chunk)) * chunk;
    if constexpr (sizeof(T) == 2)
      __warplens_load_block<count>(__warplens_words_of(x) + i, along ? from + row * ldm + step : from + step * ldm + row, ldm, !along);
    else if constexpr (sizeof(T) == 1 && along)
      __warplens_words_of(x)[i] = __warplens_matrix_word(from + (row + lane / 4) * ldm + step + lane % 4 * 4, count < 2 ? 1 : 2);
    else
#pragma unroll
      for (int part = 0; part < perWord; part++) {
        int ownRow = row + lane / 4, ownStep = step + lane % 4 * perWord + part;
        x[i * perWord + part] = along ? from[ownRow * ldm + ownStep] : from[ownStep * ldm + ownRow];
      }
  }
  if constexpr (sizeof(T) == 2 && __is_same(T, __half))
#pragma unroll
    for (int i = count; i < 8; i++) __warplens_words_of(x)[i] = __warplens_words_of(x)[i % count];
}

template <int m, int n, int k, class T, class layout>
__WARPLENS_DEVICE__ void load_matrix_sync(fragment<matrix_a, m, n, k, T, layout> &a,
                                          const typename __warplens_storage<T>::type *p, unsigned ldm) {
  __warplens_load_factor<m, k, (m >= 16), __is_same(layout, row_major)>(a.x, p, ldm);
}
template <int m, int n, int k, class T, class layout>
__WARPLENS_DEVICE__ void load_matrix_sync(fragment<matrix_b, m, n, k, T, layout> &b,
                                          const typename __warplens_storage<T>::type *p, unsigned ldm) {
  __warplens_load_factor<n, k, (m == 8 && n == 32), __is_same(layout, col_major)>(b.x, p, ldm);
}

/* Sums: `count` blocks of 8 x 8, `across` when pairs of elements are neighbours in memory. Half a block's place: */
template <int m, int n> struct __warplens_sum_shape {
  static constexpr int rows = m == 8 && n == 32 ? 32 : m, columns = m == 8 && n == 32 ? 8 : n;
  static constexpr bool turned = m == 8 && n == 32;
  static constexpr int blocks = rows * columns / 64;
  /* Of the i-th block of eight rows and eight columns, in the order of registers. */
  static __WARPLENS_MEMBER__ constexpr int row(int i) { return rows == 8 ? 0 : i / 2 / (columns / 8) * 16 + i % 2 * 8; }
  static __WARPLENS_MEMBER__ constexpr int column(int i) { return rows == 8 ? 0 : i / 2 % (columns / 8) * 8; }
};

template <int m, int n, bool across, class T, class P>
__WARPLENS_DEVICE__ void __warplens_move_sum(T *x, P *memory, unsigned ldm) {
  typedef __warplens_sum_shape<m, n> shape;
  int lane = __warplens_lane();
#pragma unroll
  for (int i = 0; i < shape::blocks; i++) {
    int row = shape::row(i) + lane / 4, column = shape::column(i) + lane % 4 * 2;
    if constexpr (sizeof(T) == 2) {
      P *at = memory + (across ? shape::row(i) * ldm + shape::column(i) : shape::column(i) * ldm + shape::row(i));
      __warplens_word *word = __warplens_words_of(x) + i;
      if constexpr (!__is_const(P)) {
        unsigned turned = *word;
        if (!across) __warplens_matrix_transpose(&turned, word);
        *(__warplens_word *)(at + lane / 4 * ldm + lane % 4 * 2) = turned;
      } else {
        *word = *(const __warplens_word *)(at + lane / 4 * ldm + lane % 4 * 2);
        if (!across) __warplens_matrix_transpose(word, word);
      }
    } else if constexpr (across) {
      P *at = memory + row * ldm + column;
      if constexpr (sizeof(T) == 8) {
        if constexpr (!__is_const(P)) *(__warplens_doubles *)at = (__warplens_doubles){x[2 * i], x[2 * i + 1]};
        else {
          __warplens_doubles both = *(const __warplens_doubles *)at;
          x[2 * i] = both.x, x[2 * i + 1] = both.y;
        }
      } else if constexpr (!__is_const(P))
        *(__warplens_words *)at =
            (unsigned long long)__warplens_words_of(x)[2 * i + 1] << 32 | __warplens_words_of(x)[2 * i];
      else {
        unsigned long long both = *(const __warplens_words *)at;
        __warplens_words_of(x)[2 * i] = (unsigned)both, __warplens_words_of(x)[2 * i + 1] = (unsigned)(both >> 32);
      }
    } else
#pragma unroll
      for (int part = 0; part < 2; part++) {
        P *at = memory + (column + part) * ldm + row;
        if constexpr (!__is_const(P)) *at = x[2 * i + part];
        else x[2 * i + part] = *at;
      }
  }
}

template <int m, int n, int k, class T>
__WARPLENS_DEVICE__ void load_matrix_sync(fragment<accumulator, m, n, k, T> &c, const T *p, unsigned ldm, layout_t layout) {
  constexpr bool turned = __warplens_sum_shape<m, n>::turned;
  if ((layout == mem_row_major) != turned) __warplens_move_sum<m, n, true>(c.x, p, ldm);
  else __warplens_move_sum<m, n, false>(c.x, p, ldm);
}
template <int m, int n, int k, class T>
__WARPLENS_DEVICE__ void store_matrix_sync(T *p, const fragment<accumulator, m, n, k, T> &c, unsigned ldm, layout_t layout) {
  constexpr bool turned = __warplens_sum_shape<m, n>::turned;
  T *x = const_cast<T *>(c.x);
  if ((layout == mem_row_major) != turned) __warplens_move_sum<m, n, true>(x, p, ldm);
  else __warplens_move_sum<m, n, false>(x, p, ldm);
}

template <class use, int m, int n, int k, class T, class layout, class V>
__WARPLENS_DEVICE__ void fill_fragment(fragment<use, m, n, k, T, layout> &f, const V &value) {
#pragma unroll
  for (int i = 0; i < f.num_elements; i++) f.x[i] = value;
}

/* ---------------------------------------------------------------- products */

/* m8n32k16: the transposed product. */
#define __WL_MULTIPLY(m, n, k, S, T, call)                                                                                 \
  template <class layoutA, class layoutB>                                                                                  \
  __WARPLENS_DEVICE__ void __warplens_multiply(S *d, const fragment<matrix_a, m, n, k, T, layoutA> &a,                     \
                                               const fragment<matrix_b, m, n, k, T, layoutB> &b, const S *c) {             \
    call;                                                                                                                  \
  }
#define __WL_MULTIPLY_SHAPES(S, T, names)                                                                                  \
  __WL_MULTIPLY(16, 16, 16, S, T, __warplens_mma_16x16x16_##names(d, a.x, b.x, c))                                         \
  __WL_MULTIPLY(32, 8, 16, S, T, __warplens_mma_32x8x16_##names(d, a.x, b.x, c))                                           \
  __WL_MULTIPLY(8, 32, 16, S, T, __warplens_mma_32x8x16_##names(d, b.x, a.x, c))
__WL_MULTIPLY_SHAPES(float, __half, f32_f16_f16)
__WL_MULTIPLY_SHAPES(float, __nv_bfloat16, f32_bf16_bf16)
__WL_MULTIPLY_SHAPES(int, signed char, s32_s8_s8)
__WL_MULTIPLY_SHAPES(int, unsigned char, s32_u8_u8)
__WL_MULTIPLY(16, 16, 8, float, precision::tf32, __warplens_mma_16x16x8_f32_tf32_tf32(d, a.x, b.x, c))
__WL_MULTIPLY(8, 8, 4, double, double, __warplens_mma_8x8x4_f64_f64_f64(d, a.x, b.x, c))
#undef __WL_MULTIPLY_SHAPES
#undef __WL_MULTIPLY

/* The types of the sums before and after may differ where the products are of half. */
template <int m, int n, int k, class T, class layoutA, class layoutB, class D, class C>
__WARPLENS_DEVICE__ void mma_sync(fragment<accumulator, m, n, k, D> &d, const fragment<matrix_a, m, n, k, T, layoutA> &a,
                                  const fragment<matrix_b, m, n, k, T, layoutB> &b,
                                  const fragment<accumulator, m, n, k, C> &c) {
  if constexpr (sizeof(D) >= 4 && __is_same(D, C)) __warplens_multiply(d.x, a, b, c.x);
  else {
    /* Sums of half are added up in float and rounded once. */
    float sums[8];
#pragma unroll
    for (int i = 0; i < 8; i++) sums[i] = (float)c.x[i];
    __warplens_multiply(sums, a, b, sums);
#pragma unroll
    for (int i = 0; i < 8; i++) d.x[i] = D(sums[i]);
  }
}
/* `saturate`: what is beyond the range of int becomes its end. The products alone cannot be. */
template <int m, int n, int k, class T, class layoutA, class layoutB>
__WARPLENS_DEVICE__ void mma_sync(fragment<accumulator, m, n, k, int> &d, const fragment<matrix_a, m, n, k, T, layoutA> &a,
                                  const fragment<matrix_b, m, n, k, T, layoutB> &b,
                                  const fragment<accumulator, m, n, k, int> &c, bool saturate) {
  if (!saturate) {
    __warplens_multiply(d.x, a, b, c.x);
    return;
  }
  int sums[8];
#pragma unroll
  for (int i = 0; i < 8; i++) sums[i] = 0;
  __warplens_multiply(sums, a, b, sums);
#pragma unroll
  for (int i = 0; i < 8; i++) {
    long long wide = (long long)c.x[i] + sums[i];
    d.x[i] = wide > 2147483647 ? 2147483647 : wide < -2147483647 - 1 ? -2147483647 - 1 : (int)wide;
  }
}

/* PTX ISA, cvt.rna.tf32.f32: to ten bits of fraction, the nearest, of two the one further from zero. */
__WARPLENS_DEVICE__ float __float_to_tf32(float value) {
  unsigned bits = __builtin_bit_cast(unsigned, value);
  unsigned magnitude = bits & 0x7fffffffu;
  unsigned rounded = (bits + (magnitude < 0x7f800000u ? 0x1000u : 0)) & 0xffffe000u;
  return __builtin_bit_cast(float, magnitude > 0x7f800000u ? 0x7fffffffu : rounded);
}

}
}

#endif
