/* The kernels of cuBLAS for matrices that do not lie in memory whole: bands, and packed triangles. Operations are numbered as
   CUBLAS_OP_... are. */
#ifndef WARPLENS_CUBLAS_COMPACT_KERNELS_H
#define WARPLENS_CUBLAS_COMPACT_KERNELS_H

#include <warplens/cublas_numbers.h>

namespace warplens {

/* The diagonals of a matrix around its main one, each a row; of a triangle one of the two numbers is 0. */
template <class T> struct Band {
  const T *a;
  int lda, below, above;
  __device__ bool has(int i, int j) const { return i - j <= below && j - i <= above; }
  __device__ int place(int i, int j) const { return j * lda + above + i - j; }
  /* The columns in which a row, or a column of it turned, may have something. */
  __device__ int first(int i) const { return i - (below > above ? below : above); }
  __device__ int last(int i) const { return i + (below > above ? below : above); }
};
/* The columns of a triangle one behind the other. */
template <class T> struct Packed {
  const T *a;
  int n;
  bool lower;
  __device__ bool has(int i, int j) const { return lower ? i >= j : i <= j; }
  __device__ int place(int i, int j) const { return lower ? j * (2 * n - j - 1) / 2 + i : j * (j + 1) / 2 + i; }
  __device__ int first(int) const { return 0; }
  __device__ int last(int) const { return n - 1; }
};

/* op(A)(i, j), 0 where nothing is stored. */
template <class T, template <class> class Storage> __device__ T compactElement(Storage<T> a, int operation, int i, int j) {
  if (operation != 0) return a.has(j, i) ? conjugate(a.a[a.place(j, i)], operation == 2) : T(0);
  return a.has(i, j) ? a.a[a.place(i, j)] : T(0);
}
/* A(i, j) of a symmetric (or Hermitian) matrix of which one triangle is stored. */
template <class T, template <class> class Storage>
__device__ T compactSymmetricElement(Storage<T> a, bool hermitian, int i, int j) {
  T value = a.has(i, j) ? a.a[a.place(i, j)] : a.has(j, i) ? conjugate(a.a[a.place(j, i)], hermitian) : T(0);
  return hermitian && i == j ? T(realPart(value)) : value;
}

/* y = alpha op(A) x + beta y. */
template <class T>
__global__ void gbmv(int operation, int rows, int columns, T alpha, const T *alphaOnDevice, Band<T> a, const T *x, int incx, T beta,
                     const T *betaOnDevice, T *y, int incy) {
  if (alphaOnDevice) alpha = *alphaOnDevice, beta = *betaOnDevice;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  T sum = 0;
  for (int k = max(0, a.first(i)); k <= min(columns - 1, a.last(i)); k++) sum += compactElement(a, operation, i, k) * x[k * incx];
  y[i * incy] = beta == 0 ? alpha * sum : alpha * sum + beta * y[i * incy];
}
/* The same of a symmetric or Hermitian matrix. */
template <class T, template <class> class Storage>
__global__ void compactSymv(bool hermitian, int n, T alpha, const T *alphaOnDevice, Storage<T> a, const T *x, int incx, T beta,
                            const T *betaOnDevice, T *y, int incy) {
  if (alphaOnDevice) alpha = *alphaOnDevice, beta = *betaOnDevice;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T sum = 0;
  for (int k = max(0, a.first(i)); k <= min(n - 1, a.last(i)); k++) sum += compactSymmetricElement(a, hermitian, i, k) * x[k * incx];
  y[i * incy] = beta == 0 ? alpha * sum : alpha * sum + beta * y[i * incy];
}
/* x = op(A) x with a triangular A, by one block: a block's worth of rows at a time, those first that no later row reads. */
template <class T, template <class> class Storage>
__global__ void compactTrmv(bool lower, int operation, bool unit, int n, Storage<T> a, T *x, int incx) {
  bool forward = lower != (operation == 0);
  for (int start = 0; start < n; start += blockDim.x) {
    int at = start + threadIdx.x, i = forward ? at : n - 1 - at;
    T sum = 0;
    if (at < n)
      for (int k = max(0, a.first(i)); k <= min(n - 1, a.last(i)); k++)
        sum += (unit && i == k ? T(1) : compactElement(a, operation, i, k)) * x[k * incx];
    __syncthreads();
    if (at < n) x[i * incx] = sum;
    __syncthreads();
  }
}
/* Solves op(A) x = b over b by one block. */
template <class T, template <class> class Storage>
__global__ void compactTrsv(bool lower, int operation, bool unit, int n, Storage<T> a, T *x, int incx) {
  bool forward = lower == (operation == 0);
  for (int at = 0; at < n; at++) {
    int i = forward ? at : n - 1 - at;
    if (threadIdx.x == 0 && !unit) x[i * incx] = x[i * incx] / compactElement(a, operation, i, i);
    __syncthreads();
    for (int later = at + 1 + threadIdx.x; later < n; later += blockDim.x) {
      int k = forward ? later : n - 1 - later;
      x[k * incx] -= compactElement(a, operation, k, i) * x[i * incx];
    }
    __syncthreads();
  }
}
/* A packed triangle of A += alpha x x', and with `both` of alpha x y' + alpha' y x'. */
template <class T>
__global__ void spr(bool lower, bool hermitian, bool both, int n, T alpha, const T *x, int incx, const T *y, int incy, T *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  Packed<T> packed = {a, n, lower};
  if (i >= n || !packed.has(i, j)) return;
  T sum = alpha * x[i * incx] * conjugate(y[j * incy], hermitian);
  if (both) sum += conjugate(alpha, hermitian) * y[i * incy] * conjugate(x[j * incx], hermitian);
  sum += a[packed.place(i, j)];
  a[packed.place(i, j)] = hermitian && i == j ? T(realPart(sum)) : sum;
}
/* A triangle from one form into the other. */
template <class T> __global__ void unpackTriangle(Packed<T> packed, T *a, int lda) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i < packed.n && packed.has(i, j)) a[j * lda + i] = packed.a[packed.place(i, j)];
}
template <class T> __global__ void packTriangle(bool lower, int n, const T *a, int lda, T *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  Packed<T> packed = {out, n, lower};
  if (i < n && packed.has(i, j)) out[packed.place(i, j)] = a[j * lda + i];
}

} // namespace warplens

#endif
