// Where constants lie: only __constant__ variables in constant memory; `__device__ const` ones, constexpr ones and static
// ones of functions in global memory, as nvcc places them (PTX: ld.global.nc). More than 64 KB of them are no mistake.
// A function's table of shared arrays is each launch's matter: it is no variable in global memory.
// stdout: 5 7 40 7 9 4 101
// stdout: 34 3
// levels: 2
// count: device_const global load executed = 1
// count: device_const constant load executed = 0
// count: declared_constant global load executed = 0
// count: static_of_function global load executed = 1
// count: constexpr_device global load executed = 1
// count: known_index global load executed = 0
#include <cstdio>
static __device__ const int squares[4] = {0, 1, 4, 9};
__device__ const int primes[4] = {2, 3, 5, 7};
__device__ constexpr int tens[4] = {10, 20, 30, 40};
__constant__ int weights[4] = {1, 3, 5, 7};
static __constant__ const int others[4] = {1, 1, 1, 1};
static __device__ const int large[20000] = {100, 101};

__global__ void device_const(int *out, int n) { out[0] = primes[n]; }
__global__ void constexpr_device(int *out, int n) { out[2] = tens[n + 1]; }
__global__ void declared_constant(int *out, int n) { out[1] = weights[n + 1] * others[n]; }
__global__ void static_of_function(int *out, int n) {
  static const int table[] = {3, 5, 7, 9};
  out[3] = table[n];
}
__global__ void known_index(int *out) { out[4] = squares[3]; }
__global__ void others_of_class(int *out, int n) { out[5] = squares[n]; }
__global__ void many(int *out, int n) { out[6] = large[n - 1]; }
__global__ void takes_turns(int *out, int n) {
  extern __shared__ char dynamic[];
  __shared__ int fixed[32];
  int *buffers[2] = {(int *)(dynamic + 512), fixed};
  for (int i = 0; i < n; i++) {
    buffers[i & 1][threadIdx.x] = (i ? out[threadIdx.x] : threadIdx.x) + i;
    __syncthreads();
    out[threadIdx.x] = buffers[i & 1][31 - threadIdx.x];
    __syncthreads();
  }
}

int main() {
  int *d, h[32];
  cudaMalloc(&d, sizeof h);
  device_const<<<1, 1>>>(d, 2);
  declared_constant<<<1, 1>>>(d, 2);
  constexpr_device<<<1, 1>>>(d, 2);
  static_of_function<<<1, 1>>>(d, 2);
  known_index<<<1, 1>>>(d);
  others_of_class<<<1, 1>>>(d, 2);
  many<<<1, 1>>>(d, 2);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d %d %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4], h[5], h[6]);
  takes_turns<<<1, 32, 1024>>>(d, 3);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[31]);
}
