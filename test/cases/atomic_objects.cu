// cuda::atomic of a structure, both orders of a compare-exchange, flags as locks, waits.
// levels: nightly
// stdout: exchanged 1 0 1 2
// stdout: assigned 5 6
// stdout: locked 64
// stdout: waited 42
// stdout: bits 7 4 3
#include <cstdio>
#include <cuda/atomic>

struct alignas(8) Pair {
  unsigned key, value;
};
typedef cuda::atomic<Pair, cuda::thread_scope_device> Slot;

__device__ Slot slot;
__device__ cuda::std::atomic_flag lock;
__device__ int sum;
__device__ cuda::atomic<int, cuda::thread_scope_device> ready;
__device__ int message;

__global__ void exchange(unsigned *out) {
  Pair expected = {0, 0};
  out[0] = slot.compare_exchange_strong(expected, Pair{1, 2}, cuda::memory_order_acq_rel, cuda::memory_order_relaxed);
  out[1] = slot.compare_exchange_weak(expected, Pair{3, 4}, cuda::memory_order_acq_rel, cuda::memory_order_relaxed);
  out[2] = expected.key;
  out[3] = slot.load(cuda::memory_order_relaxed).value;
  slot = Pair{5, 6};
}
__global__ void locked() {
  bool done = false;
  while (!done) {
    if (!lock.test_and_set(cuda::std::memory_order_acquire)) {
      sum = sum + 1;
      lock.clear(cuda::std::memory_order_release);
      done = true;
    }
  }
}
__global__ void waits(int *out) {
  if (blockIdx.x == 0) {
    ready.wait(0);
    *out = message;
  } else {
    message = 42;
    ready.store(1);
    ready.notify_all();
  }
}

int main() {
  unsigned *out;
  cudaMallocManaged(&out, 4 * sizeof *out);
  exchange<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf("exchanged %u %u %u %u\n", out[0], out[1], out[2], out[3]);
  Pair pair;
  cudaMemcpyFromSymbol(&pair, slot, sizeof pair);
  printf("assigned %u %u\n", pair.key, pair.value);
  locked<<<2, 32>>>();
  int total;
  cudaMemcpyFromSymbol(&total, sum, sizeof total);
  printf("locked %d\n", total);
  waits<<<2, 1>>>((int *)out);
  cudaDeviceSynchronize();
  printf("waited %u\n", out[0]);
  cuda::atomic<int> bits{5};
  cuda::atomic_ref<int> same(total);
  total = 6;
  const int both = bits |= 2, kept = bits &= 4;
  printf("bits %d %d %d\n", both, kept, same ^= 5);
  return 0;
}
