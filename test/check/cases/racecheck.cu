// Hazards in shared memory, told at the line of the later access. A line says what must be found there: tool, kind, severity.
#include <cstdio>

constexpr int N = 128;

__global__ void noBarrier(int *out) {
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t] = t;
  out[t] = s[N - 1 - t];  //! racecheck hazard error
}
// What is read in one round is written in the next one.
__global__ void oneBarrier(int *out, int rounds) {
  __shared__ int s[N];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < rounds; i++) {
    s[t] = t + i;
    __syncthreads();
    sum += s[(t + 1) % N];  //! racecheck hazard error
  }
  out[t] = sum;
}
__global__ void inWarp(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  out[t] = s[31 - t];  //! racecheck hazard warning
}
// The barrier of half a warp is none for the other half.
__global__ void halfBarrier(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  __syncwarp(t < 16 ? 0xffff : 0xffff0000);
  out[t] = s[31 - t];  //! racecheck hazard warning
}
__global__ void different(int *out) {
  __shared__ int last;
  last = threadIdx.x;  //! racecheck hazard error
  __syncthreads();
  out[threadIdx.x] = last;
}
__global__ void same(int *out) {
  __shared__ int flag;
  flag = 1;  //! racecheck hazard info
  __syncthreads();
  out[threadIdx.x] = flag;
}
__global__ void plainAndAtomic(int *out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);  //! racecheck hazard error
  out[threadIdx.x] = count;
}
// Those that meet are not all.
__global__ void someMeet(int *out) {
  __shared__ int s[96];
  int t = threadIdx.x;
  s[t] = t;
  if (t < 64) asm volatile("bar.sync 1, 64;" ::: "memory");
  out[t] = s[(t + 32) % 96];  //! racecheck hazard error
}
__global__ void bytesOfOne(unsigned char *out) {
  __shared__ unsigned char s[N];
  __shared__ unsigned short w[N / 2];
  int t = threadIdx.x;
  s[t] = t;
  w[t / 2] = t / 2;  //! racecheck hazard info
  __syncwarp();
  out[t] = s[t ^ 64] + w[t / 2];  //! racecheck hazard error
}

int main() {
  int *out;
  cudaMalloc(&out, N * sizeof(int));
  noBarrier<<<2, N>>>(out);
  oneBarrier<<<1, N>>>(out, 3);
  inWarp<<<1, 32>>>(out);
  halfBarrier<<<1, 32>>>(out);
  different<<<1, N>>>(out);
  same<<<1, N>>>(out);
  plainAndAtomic<<<1, N>>>(out);
  someMeet<<<1, 96>>>(out);
  bytesOfOne<<<1, N>>>((unsigned char *)out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
