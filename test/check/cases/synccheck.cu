// Barriers and calls of a warp that not all come to who should. A line says what must be found there: tool, kind, severity.
#include <cstdio>

__global__ void halfWarp(int *out) {
  if (threadIdx.x < 16) __syncthreads();  //! synccheck divergent-barrier error
  out[threadIdx.x] = 1;
}
__global__ void oneWarp(int *out) {
  if (threadIdx.x < 32) {
    out[threadIdx.x] = 1;
    __syncthreads();  //! synccheck divergent-barrier error
  }
  out[threadIdx.x] = 2;
}
__global__ void rounds(int *out) {
  for (int i = 0; i < threadIdx.x / 32 + 1; i++) {
    out[threadIdx.x] = i;
    __syncthreads();  //! synccheck divergent-barrier error
  }
  out[threadIdx.x] += 1;
}
__global__ void twoLines(int *out) {
  if (threadIdx.x & 1) {
    out[threadIdx.x] = 1;
    __syncthreads();
  } else {
    out[threadIdx.x] = 2;
    __syncthreads();  //! synccheck divergent-barrier error
  }
  out[threadIdx.x] += 1;
}
__global__ void shuffle(int *out) {
  int v = threadIdx.x;
  if (v < 16) v = __shfl_xor_sync(0xffffffff, v, 1);  //! synccheck missing-lanes error
  out[threadIdx.x] = v;
}
__global__ void vote(int *out, unsigned mask) {
  out[threadIdx.x] = __ballot_sync(mask, threadIdx.x & 1);  //! synccheck invalid-mask error
}
__global__ void warpBarrier(int *out) {
  int t = threadIdx.x;
  if (t < 8) __syncwarp(0xffff);  //! synccheck missing-lanes error
  out[t] = t;
}

int main() {
  int *out;
  cudaMalloc(&out, 1024 * sizeof(int));
  halfWarp<<<1, 32>>>(out);
  oneWarp<<<1, 64>>>(out);
  rounds<<<1, 64>>>(out);
  twoLines<<<1, 64>>>(out);
  shuffle<<<1, 32>>>(out);
  vote<<<1, 32>>>(out, 0xffff);
  warpBarrier<<<1, 32>>>(out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
