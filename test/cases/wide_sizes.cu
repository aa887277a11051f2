// `size_t` has 8 bytes, as on Linux: in memory, products, formats, what the runtime writes, and sizes beyond 4 GiB.
// stdout: device 24 8 18446744073709551615
// stdout: 100 12638187200555641996 4294967296 6442450944
// stdout: 512 1 8388608 28 1
// stdout: read 5000000000 3
// stdout: f((size_t)n, n * sizeof(int)) 400
// stdout: 200 100
// stdout: out of memory, out of memory, invalid argument
// stderr: cudaMalloc: out of device memory: more than 4096 MiB wanted
// stderr: out of host memory: the host program asked for 4096 MiB more
// exit: 3
// count: fill global store executed = 4
// count: fill global store sectors = 25
// levels: 2
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#define SHOW(call) printf("%s %d\n", #call, (int)(call))
struct Entry {
  char c;
  std::size_t n;
  const ::size_t more = 3;
};
__device__ float numbers[7];
template <size_t N> struct Block { static constexpr size_t value = N; };
template <class T, size_t N> size_t length(T (&)[N]) { return N; }
static size_t f(size_t a, size_t b) { return a * 0 + b; }

__global__ void fill(size_t n, size_t *out) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = size_t(i) * 0x9E3779B97F4A7C15 + size_t{1};
  if (i == 0) printf("device %d %d %zu\n", (int)sizeof(Entry), (int)alignof(Entry), SIZE_MAX);
}

int main() {
  const size_t n = 100;
  size_t *device, host[n];
  cudaMalloc(&device, n * sizeof(size_t));
  fill<<<1, 128>>>(n, device);
  cudaMemcpy(host, device, sizeof(host), cudaMemcpyDeviceToHost);
  std::vector<size_t> copy(host, host + length(host));
  size_t sum = 0;
  for (size_t v : copy) sum += v;
  size_t hash = 14695981039346656037u;
  for (char c : std::string("a")) hash = (hash ^ c) * 1099511628211;
  int m = 1 << 29;
  printf("%zu %lu %zu %zu\n", copy.size(), hash, m * sizeof(double), Block<3>::value * m * sizeof(float));

  float *rows;
  size_t pitch, available, total, limit, bytes;
  cudaMallocPitch(&rows, &pitch, n * sizeof(float), 3);
  cudaMemGetInfo(&available, &total);
  cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
  cudaGetSymbolSize(&bytes, numbers);
  std::string text = "abc";
  size_t at = text.find('x');
  printf("%zu %d %zu %zu %d\n", pitch, available < total, limit, bytes, at == std::string::npos);
  int read = sscanf("5000000000 3", "%zu %d", &sum, &m);
  printf("read %zu %d\n", sum, m + read - 2);
  m = 1 << 30;
  SHOW(f((size_t)n, n * sizeof(int)));
  printf("%zu %zu\n", std::max(2 * n, copy.size()), std::min(copy.size(), 2 * n));
  double *huge = nullptr;
  cudaError_t first = cudaMalloc(&huge, m * sizeof(double));
  cudaError_t second = cudaMalloc((void **)&huge, sizeof(double) * m);
  printf("%s, %s, %s\n", cudaGetErrorString(first), cudaGetErrorString(second), cudaGetErrorString(cudaMemset(huge, 0, 1)));
  fflush(stdout);
  char *memory = (char *)malloc(m * sizeof(double));
  memory[n] = 1;
  return memory[sum];
}
