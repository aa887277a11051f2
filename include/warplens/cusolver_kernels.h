/* The kernels behind cusolverDn.h, each one block for a matrix. Matrices are stored by columns; results lie as LAPACK's do:
   reflectors below the diagonal with their factors apart, eigenvalues in ascending and singular values in descending order. */
#ifndef WARPLENS_CUSOLVER_KERNELS_H
#define WARPLENS_CUSOLVER_KERNELS_H

#include <warplens/cublas_structured_kernels.h>
#include <warplens/cublas_reflector_kernels.h>

namespace warplens {
template <class T, class Pivot> __global__ void getrf(int m, int n, T *a, int lda, Pivot *pivots, int *info) {
  int failed = factorLu(m, n, a, lda, pivots);
  if (threadIdx.x == 0) *info = failed;
}
template <class T, class Pivot>
__global__ void getrs(int operation, int n, int columns, const T *a, int lda, const Pivot *pivots, T *b, int ldb, int *info) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  solveLu(thread, gridDim.x * blockDim.x, operation, n, columns, a, lda, pivots, b, ldb);
  if (thread == 0) *info = 0;
}

/* A = L L' (or U' U) over that triangle of A; matrix blockIdx.x of a list where `list` is not null. */
template <class T> __global__ void potrf(bool lower, int n, T *single, T *const *list, int lda, int *info) {
  T *a = list ? list[blockIdx.x] : single;
  int failed = 0;
  /* L(i, j), which lies transposed in an upper triangle. */
  auto at = [&](int i, int j) -> T & { return lower ? a[j * lda + i] : a[i * lda + j]; };
  for (int k = 0; k < n && !failed; k++) {
    auto pivot = realPart(at(k, k));
    if (!(pivot > 0)) {
      failed = k + 1;
      break;
    }
    auto diagonal = sqrt(pivot);
    __syncthreads();
    for (int i = k + threadIdx.x; i < n; i += blockDim.x) at(i, k) = i == k ? T(diagonal) : at(i, k) / T(diagonal);
    __syncthreads();
    int rest = n - k - 1;
    for (int each = threadIdx.x; each < rest * rest; each += blockDim.x) {
      int i = k + 1 + each % rest, j = k + 1 + each / rest;
      if (i >= j) at(i, j) -= lower ? at(i, k) * conjugate(at(j, k), true) : conjugate(at(j, k), true) * at(i, k);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) info[blockIdx.x] = failed;
}
/* Solves A X = B over B from the triangle that potrf left: each thread a column. */
template <class T>
__global__ void potrs(bool lower, int n, int columns, const T *a, int lda, T *b, int ldb, int *info) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column == 0) *info = 0;
  if (column >= columns) return;
  T *x = b + column * ldb;
  auto factor = [&](int i, int j) { return lower ? a[j * lda + i] : conjugate(a[i * lda + j], true); };
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) x[i] -= factor(i, k) * x[k];
    x[i] = x[i] / factor(i, i);
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) x[i] -= conjugate(factor(k, i), true) * x[k];
    x[i] = x[i] / factor(i, i);
  }
}

template <class T> __global__ void geqrf(int m, int n, T *a, int lda, T *tau, int *info) {
  factorQr(m, n, a, lda, tau);
  if (threadIdx.x == 0) *info = 0;
}
template <class T>
__global__ void ormqr(bool left, bool trans, int m, int n, int k, const T *a, int lda, const T *tau, T *c, int ldc, int *info) {
  int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line == 0) *info = 0;
  /* Q C takes the last reflector first, C Q the first. */
  if (line < (left ? n : m))
    reflect(!left, trans, left != trans, left ? m : n, k, a, lda, tau, left ? c + line * ldc : c + line, left ? 1 : ldc);
}
/* The first n columns of Q over A; `copy` holds the reflectors meanwhile. */
template <class T> __global__ void orgqr(int m, int n, int k, T *a, int lda, const T *tau, T *copy, int *info) {
  for (int at = threadIdx.x; at < m * k; at += blockDim.x) copy[at] = a[at / m * lda + at % m];
  __syncthreads();
  for (int j = threadIdx.x; j < n; j += blockDim.x) {
    for (int i = 0; i < m; i++) a[j * lda + i] = T(i == j);
    reflect(false, false, true, m, k, copy, m, tau, a + j * lda, 1);
  }
  if (threadIdx.x == 0) *info = 0;
}

/* x as a real size times a phase of absolute value 1, which real numbers do not need. */
template <class T> __device__ T phaseOf(T x, T &size) { return size = x, T(1); }
template <class R> __device__ Complex<R> phaseOf(Complex<R> x, R &size) {
  size = hypot(x.x, x.y);
  return size == 0 ? Complex<R>(1) : Complex<R>(x.x / size, x.y / size);
}

/* Eigenvalues of a symmetric or Hermitian matrix by Jacobi's rotations, in place; its eigenvectors over A if wanted. `work` has
   n * n + n elements a matrix; matrix blockIdx.x lies `stride` elements behind the first. */
template <class T>
__global__ void syev(bool vectors, bool lower, int n, T *as, int lda, int stride, RealOf<T> *ws, T *works, int *info, int sweeps,
                     RealOf<T> tolerance) {
  typedef RealOf<T> R;
  T *a = as + blockIdx.x * stride, *v = works + blockIdx.x * (n * n + n);
  R *w = ws + blockIdx.x * n, *diagonal = (R *)(v + n * n);
  for (int at = threadIdx.x; at < n * n; at += blockDim.x) {
    int i = at % n, j = at / n;
    v[at] = T(i == j);
    if (lower ? i < j : i > j) a[j * lda + i] = conjugate(a[i * lda + j], true);
  }
  __syncthreads();
  R whole = 0;
  for (int at = threadIdx.x; at < n * n; at += blockDim.x) whole += squared(a[at / n * lda + at % n]);
  whole = blockSum(whole);
  int failed = n;
  for (int sweep = 0; sweep <= sweeps; sweep++) {
    R beside = 0;
    for (int at = threadIdx.x; at < n * n; at += blockDim.x)
      if (at % n != at / n) beside += squared(a[at / n * lda + at % n]);
    if (blockSum(beside) <= tolerance * tolerance * whole) {
      failed = 0;
      break;
    }
    if (sweep == sweeps) break;
    for (int p = 0; p < n - 1; p++)
      for (int q = p + 1; q < n; q++) {
        R apq, app = realPart(a[p * lda + p]), aqq = realPart(a[q * lda + q]);
        T phase = phaseOf(a[q * lda + p], apq), back = conjugate(phase, true);
        __syncthreads();
        if (apq == 0) continue;
        R theta = (aqq - app) / (2 * apq), t = 1 / ((theta < 0 ? -theta : theta) + sqrt(theta * theta + 1));
        if (theta < 0) t = -t;
        R c = 1 / sqrt(t * t + 1), s = t * c;
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
          T ip = a[p * lda + i], iq = back * a[q * lda + i], vp = v[p * n + i], vq = back * v[q * n + i];
          a[p * lda + i] = c * ip - s * iq, a[q * lda + i] = s * ip + c * iq;
          v[p * n + i] = c * vp - s * vq, v[q * n + i] = s * vp + c * vq;
        }
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
          T pi = a[i * lda + p], qi = phase * a[i * lda + q];
          a[i * lda + p] = c * pi - s * qi, a[i * lda + q] = s * pi + c * qi;
        }
        __syncthreads();
        if (threadIdx.x == 0)
          a[q * lda + p] = a[p * lda + q] = 0, a[p * lda + p] = app - t * apq, a[q * lda + q] = aqq + t * apq;
        __syncthreads();
      }
  }
  /* Each takes its place among the others. */
  for (int i = threadIdx.x; i < n; i += blockDim.x) diagonal[i] = realPart(a[i * lda + i]);
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    R value = diagonal[i];
    int place = 0;
    for (int j = 0; j < n; j++) place += diagonal[j] < value || (diagonal[j] == value && j < i);
    w[place] = value;
    for (int k = 0; vectors && k < n; k++) a[place * lda + k] = v[i * n + k];
  }
  if (threadIdx.x == 0) info[blockIdx.x] = failed;
}

/* The inverse of a triangle over it: `copy` gets the triangle (n * n elements), and each thread solves for columns. */
template <class T>
__global__ void trtri(bool lower, bool unit, int n, T *a, int lda, T *copy, int *info) {
  __shared__ int zero;
  if (threadIdx.x == 0) zero = n;
  __syncthreads();
  for (int at = threadIdx.x; at < n * n; at += blockDim.x) copy[at] = a[at / n * lda + at % n];
  for (int i = threadIdx.x; !unit && i < n; i += blockDim.x)
    if (a[i * lda + i] == T(0)) atomicMin(&zero, i);
  __syncthreads();
  if (threadIdx.x == 0) *info = zero == n ? 0 : zero + 1;
  if (zero < n) return;
  for (int j = threadIdx.x; j < n; j += blockDim.x) {
    T *x = a + j * lda;
    int last = lower ? n - 1 : 0, step = lower ? 1 : -1;
    if (!unit) x[j] = T(1) / copy[j * n + j];
    for (int i = j + step; lower ? i <= last : i >= last; i += step) {
      T sum = copy[j * n + i] * (unit ? T(1) : x[j]);
      for (int k = j + step; k != i; k += step) sum += copy[k * n + i] * x[k];
      x[i] = unit ? -sum : -sum / copy[i * n + i];
    }
  }
}

/* The other triangle of a symmetric matrix. */
template <class T> __global__ void mirror(bool lower, int n, T *a, int lda) {
  for (int at = threadIdx.x; at < n * n; at += blockDim.x) {
    int i = at % n, j = at / n;
    if (lower ? i < j : i > j) a[j * lda + i] = a[i * lda + j];
  }
}

/* Where a matrix lies: how far its rows and columns are apart. */
struct Steps {
  int row, column;
};
/* x = length * direction, with a length that is real. */
template <class T> __device__ T directionOf(T x, T *length) { return *length = x, T(1); }
template <class R> __device__ Complex<R> directionOf(Complex<R> x, R *length) {
  R size = sqrt(squared(x));
  *length = size;
  return size > 0 ? Complex<R>(x.x / size, x.y / size) : Complex<R>(1);
}
/* Singular values of A (m by n, m >= n) by rotations of its columns, which become U times the values. `u` gets the first `given`
   columns of U (null for none), `right` V (its conjugates if `conjugates`) or nothing. `work`: (m + n) * n + n elements. */
template <class T>
__device__ void singularValues(int m, int n, const T *a, Steps stepsA, RealOf<T> *values, T *u, int ldu, int given, T *right,
                               Steps stepsV, bool conjugates, T *work, int *info, int sweeps) {
  typedef RealOf<T> R;
  T *b = work, *v = b + m * n;
  R *norms = (R *)(v + n * n);
  for (int at = threadIdx.x; at < m * n; at += blockDim.x) b[at] = a[at / m * stepsA.column + at % m * stepsA.row];
  for (int at = threadIdx.x; at < n * n; at += blockDim.x) v[at] = T(R(at / n == at % n));
  __syncthreads();
  const R tolerance = sizeof(R) == 4 ? R(1e-7) : R(1e-15);
  int failed = 1;
  for (int sweep = 0; sweep < sweeps && failed; sweep++) {
    failed = 0;
    for (int p = 0; p < n - 1; p++)
      for (int q = p + 1; q < n; q++) {
        R pp = 0, qq = 0, length;
        T product = T(0);
        for (int i = threadIdx.x; i < m; i += blockDim.x) {
          T x = b[p * m + i], y = b[q * m + i];
          pp += squared(x), qq += squared(y), product += conjugate(x, true) * y;
        }
        pp = blockSum(pp), qq = blockSum(qq), product = blockSum(product);
        /* Column q is turned by this, and the product is real. */
        T turn = conjugate(directionOf(product, &length), true);
        if ((length < 0 ? -length : length) <= tolerance * sqrt(pp) * sqrt(qq)) continue;
        failed = 1;
        R theta = (qq - pp) / (2 * length), t = 1 / ((theta < 0 ? -theta : theta) + sqrt(theta * theta + 1));
        if (theta < 0) t = -t;
        R cosine = 1 / sqrt(t * t + 1);
        T c = T(cosine), s = T(t * cosine);
        for (int i = threadIdx.x; i < m; i += blockDim.x) {
          T x = b[p * m + i], y = b[q * m + i] * turn;
          b[p * m + i] = c * x - s * y, b[q * m + i] = s * x + c * y;
        }
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
          T x = v[p * n + i], y = v[q * n + i] * turn;
          v[p * n + i] = c * x - s * y, v[q * n + i] = s * x + c * y;
        }
        __syncthreads();
      }
  }
  for (int j = threadIdx.x; j < n; j += blockDim.x) {
    R sum = 0;
    for (int i = 0; i < m; i++) sum += squared(b[j * m + i]);
    norms[j] = sqrt(sum);
  }
  __syncthreads();
  __shared__ int rank;
  if (threadIdx.x == 0) rank = 0;
  __syncthreads();
  for (int j = threadIdx.x; j < n; j += blockDim.x) {
    R value = norms[j];
    int place = 0;
    for (int k = 0; k < n; k++) place += norms[k] > value || (norms[k] == value && k < j);
    values[place] = value;
    if (value > 0) atomicAdd(&rank, 1);
    for (int i = 0; u && place < given && value > 0 && i < m; i++) u[place * ldu + i] = b[j * m + i] / T(value);
    for (int i = 0; right && i < n; i++)
      right[i * stepsV.row + place * stepsV.column] = conjugate(v[j * n + i], conjugates);
  }
  __syncthreads();
  /* Further columns: unit vectors, less what they have of the columns before. */
  int next = 0;
  for (int column = rank; u && column < given; column++)
    for (; next < m; next++) {
      for (int i = threadIdx.x; i < m; i += blockDim.x) u[column * ldu + i] = T(R(i == next));
      __syncthreads();
      for (int again = 0; again < 2; again++)
        for (int k = 0; k < column; k++) {
          T product = T(0);
          for (int i = threadIdx.x; i < m; i += blockDim.x) product += conjugate(u[k * ldu + i], true) * u[column * ldu + i];
          product = blockSum(product);
          for (int i = threadIdx.x; i < m; i += blockDim.x) u[column * ldu + i] -= product * u[k * ldu + i];
          __syncthreads();
        }
      R length = 0;
      for (int i = threadIdx.x; i < m; i += blockDim.x) length += squared(u[column * ldu + i]);
      length = sqrt(blockSum(length));
      if (length < R(0.5) / m) continue;
      for (int i = threadIdx.x; i < m; i += blockDim.x) u[column * ldu + i] = u[column * ldu + i] / T(length);
      __syncthreads();
      next++;
      break;
    }
  if (threadIdx.x == 0) *info = failed;
}

/* A = U S V': matrix blockIdx.x of several that lie `strides` apart (A, values, U, V). `isTurned`: V' is wanted. A wide
   matrix, which must be real, is taken for its transpose, whose U is V. */
template <class T> struct SingularValues {
  int m, n;
  T *a;
  int lda, strideA;
  RealOf<T> *values;
  int strideValues;
  T *u;
  int ldu, strideU;
  T *v;
  int ldv, strideV;
  bool isTurned;
  /* Columns of the larger of U and V. */
  int given;
};
template <class T> __global__ void gesvd(SingularValues<T> p, T *work, int *info, int sweeps) {
  int many = blockIdx.x, small = p.m < p.n ? p.m : p.n;
  T *a = p.a + many * p.strideA;
  RealOf<T> *values = p.values + many * p.strideValues;
  T *u = p.u ? p.u + many * p.strideU : p.u, *v = p.v ? p.v + many * p.strideV : p.v;
  work += many * (p.m + p.n + 1) * small;
  if (p.m >= p.n)
    singularValues(p.m, p.n, a, {1, p.lda}, values, u, p.ldu, p.given, v, p.isTurned ? Steps{p.ldv, 1} : Steps{1, p.ldv},
                   p.isTurned, work, info + many, sweeps);
  else
    singularValues(p.n, p.m, a, {p.lda, 1}, values, v, p.ldv, p.given, u, {1, p.ldu}, false, work, info + many,
                   sweeps);
}

} // namespace warplens

#endif
