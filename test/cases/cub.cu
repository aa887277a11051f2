// CUB from the system's headers (Debian: libcub-dev): a block's algorithms, and those of the whole device.
// needs: /usr/include/cub/version.cuh
// needs: /usr/include/thrust/version.h
// levels: 2
// reference: off
// stdout: block 0 311158 4987
// stdout: device 12497500 4999 12497500
// stdout: in place 0 0 1 0 1 3 1 1 1 0 1 2
// stdout: sorted 1
// stdout: histogram 500 500 selected 1667
#include <cstdio>
#include <cub/cub.cuh>
template <int T> __global__ void block(int *x, int *out) {
  typedef cub::BlockScan<int, T> Scan;
  typedef cub::BlockReduce<int, T> Reduce;
  typedef cub::BlockRadixSort<unsigned, T, 4> Sort;
  typedef cub::BlockLoad<unsigned, T, 4, cub::BLOCK_LOAD_TRANSPOSE> Load;
  __shared__ union {
    typename Scan::TempStorage scan;
    typename Reduce::TempStorage reduce;
    typename Sort::TempStorage sort;
    typename Load::TempStorage load;
  } temp;
  unsigned keys[4];
  Load(temp.load).Load((unsigned *)x, keys);
  __syncthreads();
  Sort(temp.sort).Sort(keys);
  __syncthreads();
  int mine = keys[0], sum;
  Scan(temp.scan).ExclusiveSum(mine, sum);
  __syncthreads();
  int most = Reduce(temp.reduce).Reduce(keys[3], cub::Max());
  out[threadIdx.x] = sum;
  if (threadIdx.x == 0) out[T] = most;
}
template <class F> void twice(F f) {
  size_t bytes = 0;
  void *temp = nullptr;
  f(temp, bytes);
  cudaMalloc(&temp, bytes);
  cudaError_t error = f(temp, bytes);
  if (error != cudaSuccess) printf("error %s\n", cudaGetErrorString(error));
  cudaDeviceSynchronize();
  cudaFree(temp);
}
int main() {
  const int n = 5000;
  int *x, *y, *z, *k;
  cudaMallocManaged(&x, n * 4), cudaMallocManaged(&y, n * 4), cudaMallocManaged(&z, n * 4), cudaMallocManaged(&k, n * 4);
  for (int i = 0; i < n; i++) x[i] = i * 7919 % n;
  block<128><<<1, 128>>>(x, y);
  cudaDeviceSynchronize();
  printf("block %d %d %d\n", y[1], y[127], y[128]);
  twice([&](void *t, size_t &b) { return cub::DeviceReduce::Sum(t, b, x, y, n); });
  twice([&](void *t, size_t &b) { return cub::DeviceReduce::Max(t, b, x, y + 1, n); });
  twice([&](void *t, size_t &b) { return cub::DeviceScan::InclusiveSum(t, b, x, z, n); });
  printf("device %d %d %d\n", y[0], y[1], z[n - 1]);
  for (int i = 0; i < n; i++) z[i] = i % 3;
  twice([&](void *t, size_t &b) { return cub::DeviceScan::ExclusiveSum(t, b, z, 3); });
  twice([&](void *t, size_t &b) { return cub::DeviceScan::InclusiveSum(t, b, z + 3, 3, cudaStream_t(0)); });
  twice([&](void *t, size_t &b) { return cub::DeviceScan::ExclusiveScan(t, b, z + 6, cub::Max(), 1, 3); });
  twice([&](void *t, size_t &b) { return cub::DeviceScan::InclusiveScan(t, b, z + 9, cub::Max(), 3); });
  printf("in place");
  for (int i = 0; i < 12; i++) printf(" %d", z[i]);
  printf("\n");
  twice([&](void *t, size_t &b) { return cub::DeviceRadixSort::SortPairs(t, b, x, y, x, k, n); });
  bool sorted = true;
  for (int i = 0; i < n; i++) sorted = sorted && y[i] == i && k[i] == i;
  printf("sorted %d\n", sorted);
  twice([&](void *t, size_t &b) { return cub::DeviceHistogram::HistogramEven(t, b, x, y, 11, 0, n, n); });
  twice([&](void *t, size_t &b) {
    return cub::DeviceSelect::If(t, b, x, z, k, n, [] __host__ __device__(int v) { return v % 3 == 0; });
  });
  printf("histogram %d %d selected %d\n", y[0], y[9], k[0]);
}
