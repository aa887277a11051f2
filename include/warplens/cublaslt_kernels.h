/* The kernel behind cublasLtMatmul. */
#ifndef WARPLENS_CUBLASLT_KERNELS_H
#define WARPLENS_CUBLASLT_KERNELS_H

#include <warplens/cublas_kernels.h>

namespace warplens {
/* Element (i, j) of matrix number k is at p[i * alongColumn + j * alongRow + k * batch]. */
struct Strided {
  void *p;
  long long alongColumn, alongRow, batch;
  __device__ long long at(int i, int j) const { return i * alongColumn + j * alongRow + blockIdx.z * batch; }
};
struct Epilogue {
  int bits;
  const void *bias;
  long long biasBatch;
  Strided aux;
};
/* cuBLASLt's GELU is the form with tanh. */
template <class T> __device__ T gelu(T x) {
  return T(0.5) * x * (1 + tanh(T(0.7978845608028654) * (x + T(0.044715) * x * x * x)));
}
template <class T> __device__ T geluGradient(T x) {
  T t = tanh(T(0.7978845608028654) * (x + T(0.044715) * x * x * x));
  return T(0.5) * (1 + t) + T(0.5) * x * (1 - t * t) * T(0.7978845608028654) * (1 + T(3 * 0.044715) * x * x);
}
/* D = epilogue(alpha op(A) op(B) + beta C + bias) by square tiles. a and b are seen as m x k and k x n (a transposed operand has
   its two strides exchanged). In, Out: the types of A and B, and of C, D, bias and auxiliary matrix; T is computed in. */
template <class T, class In, class Out, class Scale>
__global__ void matmul(int m, int n, int k, T alpha, const Scale *alphaOnDevice, Strided a, Strided b, T beta,
                       const Scale *betaOnDevice, Strided c, Strided d, Epilogue e) {
  __shared__ T tileA[tile][tile + 1], tileB[tile][tile + 1];
  if (alphaOnDevice) alpha = (T)*alphaOnDevice, beta = (T)*betaOnDevice;
  int row = blockIdx.x * tile + threadIdx.x, column = blockIdx.y * tile + threadIdx.y;
  T sum = 0;
  for (int start = 0; start < k; start += tile) {
    int alongA = start + threadIdx.y, alongB = start + threadIdx.x;
    tileA[threadIdx.y][threadIdx.x] = row < m && alongA < k ? (T)((const In *)a.p)[a.at(row, alongA)] : T(0);
    tileB[threadIdx.y][threadIdx.x] = column < n && alongB < k ? (T)((const In *)b.p)[b.at(alongB, column)] : T(0);
    __syncthreads();
    for (int i = 0; i < tile; i++) sum += tileA[i][threadIdx.x] * tileB[threadIdx.y][i];
    __syncthreads();
  }
  if (row >= m || column >= n) return;
  T value = beta == 0 ? alpha * sum : alpha * sum + beta * (T)((const Out *)c.p)[c.at(row, column)];
  if (e.bits & CUBLASLT_EPILOGUE_BIAS) value += (T)((const Out *)e.bias)[row + blockIdx.z * e.biasBatch];
  if (e.bits == CUBLASLT_EPILOGUE_DGELU) value *= geluGradient((T)((const Out *)e.aux.p)[e.aux.at(row, column)]);
  else if (e.bits & 128) ((Out *)e.aux.p)[e.aux.at(row, column)] = (Out)value;
  if (e.bits & CUBLASLT_EPILOGUE_RELU) value = value > 0 ? value : T(0);
  if (e.bits & CUBLASLT_EPILOGUE_GELU) value = gelu(value);
  ((Out *)d.p)[d.at(row, column)] = (Out)value;
}
/* The same for integers, which have no epilogue. */
template <class T, class In, class Out, class Scale>
__global__ void integerMatmul(int m, int n, int k, T alpha, const Scale *alphaOnDevice, Strided a, Strided b, T beta,
                              const Scale *betaOnDevice, Strided c, Strided d, Epilogue) {
  if (alphaOnDevice) alpha = (T)*alphaOnDevice, beta = (T)*betaOnDevice;
  int row = blockIdx.x * tile + threadIdx.x, column = blockIdx.y * tile + threadIdx.y;
  if (row >= m || column >= n) return;
  T sum = 0;
  for (int i = 0; i < k; i++) sum += (T)((const In *)a.p)[a.at(row, i)] * (T)((const In *)b.p)[b.at(i, column)];
  ((Out *)d.p)[d.at(row, column)] = beta == 0 ? alpha * sum : alpha * sum + beta * ((const Out *)c.p)[c.at(row, column)];
}
} // namespace warplens

#endif
