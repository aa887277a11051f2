/* The kernels behind cusparse.h. Elements of a dense matrix lie `acrossRows` and `acrossColumns` apart; `beta` 0 reads nothing of what
   was there. Products that scatter (of transposed matrices, and of lists of coordinates) add atomically. */
#ifndef WARPLENS_CUSPARSE_KERNELS_H
#define WARPLENS_CUSPARSE_KERNELS_H

namespace warplens {
constexpr int sparseThreads = 256;

/* Numbers of 32 bits, or of 64 (`step` 2), of which the lower half is all that fits into memory. */
struct SparseIndices {
  const int *words;
  int step;
  __device__ int operator[](int i) const { return words[i * step]; }
  __host__ __device__ explicit operator bool() const { return words; }
};
/* The same to be written: what a conversion or a product makes. */
struct SparseSlots {
  int *words;
  int step;
  __device__ int get(int i) const { return words[i * step]; }
  __device__ void set(int i, int index) const {
    words[i * step] = index;
    if (step == 2) words[i * 2 + 1] = 0;
  }
  __host__ __device__ explicit operator bool() const { return words; }
};
/* Rows and columns as stored: of a matrix compressed by columns, or transposed, they are the other way round. */
template <class T> struct SparseMatrix {
  int rows, nonzeros, base;
  /* Where each row begins in the other two, or the row of each element. */
  SparseIndices offsets, places, columns;
  const T *values;
};
template <class T> struct DenseMatrix {
  T *values;
  int columns, acrossRows, acrossColumns;
  __device__ T &at(int row, int column) const { return values[row * acrossRows + column * acrossColumns]; }
};
/* A scalar argument: its value, or where on the device it is. */
template <class T> struct SparseScalar {
  T value;
  const T *onDevice;
  __device__ T get() const { return onDevice ? *onDevice : value; }
};

template <class T> __device__ inline T sparseWarpSum(T sum) {
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(~0u, sum, distance);
  return sum;
}
/* y = alpha A x + beta y: a warp for each row. */
template <class T>
__global__ void sparseVector(SparseMatrix<T> a, SparseScalar<T> alpha, const T *x, SparseScalar<T> beta, T *y) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= a.rows) return;
  T sum = 0;
  for (int i = a.offsets[row] - a.base + lane, end = a.offsets[row + 1] - a.base; i < end; i += 32)
    sum += a.values[i] * x[a.columns[i] - a.base];
  sum = sparseWarpSum(sum);
  if (lane == 0) y[row] = beta.get() == 0 ? alpha.get() * sum : alpha.get() * sum + beta.get() * y[row];
}
/* C = alpha A B + beta C: a thread for each element. */
template <class T>
__global__ void sparseMatrix(SparseMatrix<T> a, SparseScalar<T> alpha, DenseMatrix<const T> b, SparseScalar<T> beta, DenseMatrix<T> c) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y;
  if (row >= a.rows) return;
  T sum = 0;
  for (int i = a.offsets[row] - a.base, end = a.offsets[row + 1] - a.base; i < end; i++)
    sum += a.values[i] * b.at(a.columns[i] - a.base, column);
  T &result = c.at(row, column);
  result = beta.get() == 0 ? alpha.get() * sum : alpha.get() * sum + beta.get() * result;
}
template <class T> __global__ void sparseScale(int rows, SparseScalar<T> beta, DenseMatrix<T> c) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y;
  if (row < rows) c.at(row, column) = beta.get() == 0 ? T(0) : beta.get() * c.at(row, column);
}
/* C += alpha A B of coordinates, or with the matrix transposed: a thread for each element of A. */
template <class T>
__global__ void sparseScatter(bool transposed, SparseMatrix<T> a, SparseScalar<T> alpha, DenseMatrix<const T> b, DenseMatrix<T> c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y;
  if (i >= a.nonzeros) return;
  int from = a.columns[i] - a.base, to;
  if (a.places) to = a.places[i] - a.base;
  else {
    int low = 0, high = a.rows;
    while (high - low > 1) {
      int middle = (low + high) / 2;
      if (a.offsets[middle] - a.base <= i) low = middle;
      else high = middle;
    }
    to = low;
  }
  if (transposed) atomicAdd(&c.at(from, column), alpha.get() * a.values[i] * b.at(to, column));
  else atomicAdd(&c.at(to, column), alpha.get() * a.values[i] * b.at(from, column));
}
/* A y = alpha x for a triangular A: one warp, row after row; elements of the other triangle do not count. */
template <class T>
__global__ void sparseSolve(bool upper, bool unit, SparseMatrix<T> a, SparseScalar<T> alpha, const T *x, T *y) {
  for (int k = 0; k < a.rows; k++) {
    int row = upper ? a.rows - 1 - k : k;
    T sum = 0, diagonal = 0;
    for (int i = a.offsets[row] - a.base + threadIdx.x, end = a.offsets[row + 1] - a.base; i < end; i += 32) {
      int column = a.columns[i] - a.base;
      if (column == row) diagonal = a.values[i];
      else if (upper ? column > row : column < row) sum += a.values[i] * y[column];
    }
    sum = sparseWarpSum(sum);
    diagonal = sparseWarpSum(diagonal);
    if (threadIdx.x == 0) y[row] = (alpha.get() * x[row] - sum) / (unit ? T(1) : diagonal);
    __syncwarp();
  }
}
/* op(A) C = alpha B for a triangular A as it is stored, rows in order: a warp for each column. Of a transposed matrix each row is a column: what
   is known of the result goes into the rest as soon as it is. */
template <class T>
__global__ void sparseSolveColumns(bool upper, bool unit, bool transposed, int rows, SparseMatrix<T> a, SparseScalar<T> alpha,
                                   DenseMatrix<const T> b, DenseMatrix<T> c) {
  const int column = blockIdx.x, lane = threadIdx.x;
  const auto firstOf = [&](int row) -> int {
    if (a.offsets) return a.offsets[row] - a.base;
    int low = 0, high = a.nonzeros;
    while (low < high) {
      int middle = (low + high) / 2;
      if (a.places[middle] - a.base < row) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  for (int row = lane; row < rows; row += 32) c.at(row, column) = alpha.get() * b.at(row, column);
  __syncwarp();
  for (int k = 0; k < rows; k++) {
    const int row = upper != transposed ? rows - 1 - k : k, first = firstOf(row), end = firstOf(row + 1);
    T sum = 0, diagonal = 0;
    for (int i = first + lane; i < end; i += 32) {
      int other = a.columns[i] - a.base;
      if (other == row) diagonal = a.values[i];
      else if (!transposed && (upper ? other > row : other < row)) sum += a.values[i] * c.at(other, column);
    }
    sum = sparseWarpSum(sum);
    diagonal = sparseWarpSum(diagonal);
    const T known = (c.at(row, column) - sum) / (unit ? T(1) : diagonal);
    __syncwarp();
    if (lane == 0) c.at(row, column) = known;
    if (transposed)
      for (int i = first + lane; i < end; i += 32) {
        int other = a.columns[i] - a.base;
        if (upper ? other > row : other < row) c.at(other, column) -= a.values[i] * known;
      }
    __syncwarp();
  }
}
} // namespace warplens

#endif
