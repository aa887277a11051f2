// libcu++'s barriers that do something at the end of a phase, waits with a time limit, barriers and pipelines in functions for
// both sides, and clocks that kernels read.
// levels: nightly
// reference: off
// stdout: phases 6, late 0
// stdout: in time 1 1 1 1, too early 0 0
// stdout: both sides 3 3
// stdout: clocks 1 1
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/chrono>
#include <cstdio>
#include <new>

struct CountsPhases {
  int *phases;
  __host__ __device__ void operator()() { *phases += 1; }
};
using Counting = cuda::barrier<cuda::thread_scope_block, CountsPhases>;
using Block = cuda::barrier<cuda::thread_scope_block>;
using namespace cuda::std::chrono;

__global__ void countsPhases(int *phasesOut, int *late) {
  __shared__ alignas(Counting) char room[sizeof(Counting)];
  __shared__ int phases;
  Counting *barrier = reinterpret_cast<Counting *>(room);
  if (threadIdx.x == 0) {
    phases = 0;
    new (barrier) Counting(blockDim.x, CountsPhases{&phases});
  }
  __syncthreads();
  for (int i = 0; i < 6; i++) {
    barrier->arrive_and_wait();
    if (phases < i + 1) atomicAdd(late, 1);
  }
  if (threadIdx.x == 0) *phasesOut = phases;
}

__global__ void waitsInTime(int *out) {
  __shared__ Block barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  bool ofToken = barrier.try_wait_for(barrier.arrive(), seconds(1));
  barrier.arrive_and_wait();
  bool ofParity = barrier.try_wait_parity_for(true, seconds(1));
  __syncthreads();
  if (threadIdx.x != 0) return;
  out[0] = ofToken;
  out[1] = ofParity;
  out[4] = barrier.try_wait_for(barrier.arrive(), nanoseconds(500));
  out[5] = barrier.try_wait_until(barrier.arrive(), high_resolution_clock::now() + nanoseconds(500));
  (void)barrier.arrive(blockDim.x - 2);
  out[2] = barrier.try_wait_parity_until(false, high_resolution_clock::now() + seconds(1));
  auto begin = system_clock::now();
  __nanosleep(1000);
  out[3] = system_clock::now() >= begin;
}

template <class Barrier> __host__ __device__ int copies(Barrier &barrier) {
  int from = 3, to = 0;
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&to, &from, sizeof from, pipe);
  pipe.producer_commit();
  if (!pipe.consumer_wait_for(seconds(1))) return -1;
  pipe.consumer_release();
  cuda::memcpy_async(&from, &to, sizeof to, barrier);
  barrier.arrive_and_wait();
  return from;
}

__global__ void onTheDevice(int *out) {
  cuda::barrier<cuda::thread_scope_thread> barrier(1);
  *out = copies(barrier);
}

int main() {
  int *out;
  cudaMallocManaged(&out, 64);
  countsPhases<<<1, 96>>>(out, out + 1);
  cudaDeviceSynchronize();
  printf("phases %d, late %d\n", out[0], out[1]);
  waitsInTime<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  printf("in time %d %d %d %d, too early %d %d\n", out[0], out[1], out[2], out[3], out[4], out[5]);
  onTheDevice<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  cuda::barrier<cuda::thread_scope_system> own(1);
  printf("both sides %d %d\n", out[0], copies(own));
  auto begin = high_resolution_clock::now();
  printf("clocks %d %d\n", system_clock::now().time_since_epoch().count() > 0, high_resolution_clock::now() >= begin);
}
