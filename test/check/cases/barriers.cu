// cuda::barrier and cuda::pipeline order what threads of a block do; what does not wait for them is a hazard.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cstdio>

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;
constexpr int N = 128;

__global__ void rounds(int *out) {
  __shared__ Barrier barrier;
  __shared__ int s[N];
  int t = threadIdx.x;
  if (t == 0) init(&barrier, N);
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < 4; round++) {
    s[t] = t + round;
    barrier.arrive_and_wait();
    sum += s[(t + 37) % N];
    barrier.wait(barrier.arrive());
  }
  out[t] = sum;
}

__global__ void copied(int *out, const int *in) {
  __shared__ Barrier barrier;
  __shared__ alignas(16) int s[N];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, N);
  block.sync();
  cuda::memcpy_async(block, s, in, cuda::aligned_size_t<16>(sizeof s), barrier);
  barrier.arrive_and_wait();
  out[threadIdx.x] = s[N - 1 - threadIdx.x];
}

__global__ void produced(int *out, const int *in, int tiles) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int tile[2][64];
  auto block = cg::this_thread_block();
  bool isProducer = threadIdx.x < 32;
  auto pipe = cuda::make_pipeline(block, &state, isProducer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  for (int round = 0; round < tiles; round++) {
    if (isProducer) {
      pipe.producer_acquire();
      for (int i = threadIdx.x; i < 64; i += 32) cuda::memcpy_async(&tile[round % 2][i], &in[round * 64 + i], sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      out[round * 64 + threadIdx.x - 32] = tile[round % 2][95 - threadIdx.x];
      pipe.consumer_release();
    }
  }
}

__global__ void withoutWaiting(int *out) {
  __shared__ Barrier barrier;
  __shared__ int s[N];
  int t = threadIdx.x;
  if (t == 0) init(&barrier, N);
  __syncthreads();
  s[t] = t;  //! racecheck hazard error
  (void)barrier.arrive();
  out[t] = s[N - 1 - t];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 512 * sizeof(int));
  cudaMalloc(&out, 512 * sizeof(int));
  cudaMemset(in, 0, 512 * sizeof(int));
  rounds<<<1, N>>>(out);
  copied<<<1, N>>>(out, in);
  produced<<<1, 96>>>(out, in, 8);
  withoutWaiting<<<1, N>>>(out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
