// libcu++'s latches and semaphores between blocks and in shared memory, and pointers with properties of accesses.
// levels: nightly
// stdout: latch: sum 64, arrived 1 1, most 1
// stdout: semaphore: at most 2 of 3 at a time, 24 in all, binary 1 0 1
// stdout: turns: 0 1 2 3
// stdout: annotated: 45 9 120 1
#include <cuda/annotated_ptr>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/chrono>
#include <cuda/std/latch>
#include <cuda/std/semaphore>
#include <cstdio>

using Latch = cuda::latch<cuda::thread_scope_device>;
using Semaphore = cuda::counting_semaphore<cuda::thread_scope_device, 3>;

// The first block adds what all have written, behind the latch.
__global__ void addsBehindLatch(Latch *latch, volatile int *parts, int *sum) {
  __shared__ cuda::std::latch *within;
  __shared__ __align__(8) unsigned char room[sizeof(cuda::std::latch)];
  if (threadIdx.x == 0) within = new (room) cuda::std::latch(blockDim.x);
  __syncthreads();
  if (threadIdx.x == 3) parts[blockIdx.x] = 16;
  within->arrive_and_wait();
  if (threadIdx.x == 0) {
    __threadfence();
    latch->count_down();
    if (blockIdx.x == 0) {
      latch->wait();
      for (int i = 0; i < gridDim.x; i++) *sum += parts[i];
    }
  }
}

__global__ void entersByTurns(Semaphore *semaphore, int *inside, int *most, int *all) {
  semaphore->acquire();
  int now = atomicAdd(inside, 1) + 1;
  atomicMax(most, now);
  atomicAdd(all, 1);
  atomicSub(inside, 1);
  semaphore->release();
}

__global__ void triesOnce(cuda::binary_semaphore<cuda::thread_scope_device> *semaphore, int *got) {
  got[0] = semaphore->try_acquire();
  got[1] = semaphore->try_acquire_for(cuda::std::chrono::microseconds(2));
  semaphore->release();
  got[2] = semaphore->try_acquire_for(cuda::std::chrono::seconds(1));
}

// Each block lets the next one go on.
__global__ void oneAfterTheOther(cuda::std::binary_semaphore *turns, int *order, int *at) {
  turns[blockIdx.x].acquire();
  order[(*at)++] = blockIdx.x;
  __threadfence();
  if (blockIdx.x + 1 < gridDim.x) turns[blockIdx.x + 1].release();
}

__global__ void annotated(int *values, int *out) {
  cuda::annotated_ptr<int, cuda::access_property::persisting> kept(values);
  cuda::annotated_ptr<const int, cuda::access_property::persisting> either(kept);
  cuda::annotated_ptr<int, cuda::access_property> chosen(out, cuda::access_property(cuda::access_property::streaming{}, 0.5f));
  int sum = 0;
  for (int i = 0; i < 10; i++) sum += either[i];
  chosen[0] = sum;
  chosen[1] = &kept[9] - either.get();
  *cuda::associate_access_property(out + 2, cuda::access_property::normal{}) = *kept + 120;
  cuda::apply_access_property(values, cuda::aligned_size_t<4>(40), cuda::access_property::persisting{});
  chosen[3] = kept ? 1 : 0;
  cuda::discard_memory(values, 0);
}

int main() {
  char *memory;
  cudaMallocManaged(&memory, 4096);
  int *numbers;
  cudaMallocManaged(&numbers, 64 * sizeof(int));

  auto *latch = new (memory) Latch(4);
  addsBehindLatch<<<4, 32>>>(latch, numbers, numbers + 8);
  cudaDeviceSynchronize();
  cuda::latch<cuda::thread_scope_system> own(2);
  own.count_down();
  bool before = own.try_wait();
  own.arrive_and_wait();
  printf("latch: sum %d, arrived %d %d, most %d\n", numbers[8], !before, latch->try_wait(), Latch::max() > 1000);

  auto *semaphore = new (memory + 128) Semaphore(2);
  entersByTurns<<<24, 1>>>(semaphore, numbers + 16, numbers + 17, numbers + 18);
  auto *binary = new (memory + 256) cuda::binary_semaphore<cuda::thread_scope_device>(1);
  triesOnce<<<1, 1>>>(binary, numbers + 20);
  cudaDeviceSynchronize();
  printf("semaphore: at most %d of %d at a time, %d in all, binary %d %d %d\n", numbers[17] <= 2 ? 2 : numbers[17],
         (int)Semaphore::max(), numbers[18], numbers[20], numbers[21], numbers[22]);

  auto *turns = reinterpret_cast<cuda::std::binary_semaphore *>(memory + 512);
  for (int i = 0; i < 4; i++) new (turns + i) cuda::std::binary_semaphore(i == 0);
  oneAfterTheOther<<<4, 1>>>(turns, numbers + 32, numbers + 40);
  cudaDeviceSynchronize();
  printf("turns: %d %d %d %d\n", numbers[32], numbers[33], numbers[34], numbers[35]);

  int *values = numbers + 48;
  for (int i = 0; i < 10; i++) values[i] = i;
  annotated<<<1, 1>>>(values, numbers);
  cudaDeviceSynchronize();
  printf("annotated: %d %d %d %d\n", numbers[0], numbers[1], numbers[2], numbers[3]);
}
