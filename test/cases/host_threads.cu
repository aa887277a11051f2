// Host threads run one after another, each to its end when it is created; OpenMP without its pragmas; long double text.
// levels: nightly
// stdout: thread 0 got 0
// stdout: thread 1 got 32
// stdout: thread 2 got 64
// stdout: joined 0 1 4
// stdout: std::thread sum 496, async 42
// stdout: omp 0 of 1
// stdout: 2.500000 0.25
#include <cstdio>
#include <future>
#include <iostream>
#include <mutex>
#include <omp.h>
#include <pthread.h>
#include <thread>
#include <vector>

__global__ void fill(int *out, int base) { out[threadIdx.x] = base + threadIdx.x; }

struct Work { int index; int square; };

static void *onThread(void *argument) {
  Work *work = static_cast<Work *>(argument);
  int *device, first;
  cudaMalloc(&device, 32 * sizeof(int));
  fill<<<1, 32>>>(device, 32 * work->index);
  cudaMemcpy(&first, device, sizeof first, cudaMemcpyDeviceToHost);
  cudaFree(device);
  printf("thread %d got %d\n", work->index, first);
  work->square = work->index * work->index;
  return work;
}

int main() {
  pthread_t threads[3];
  Work work[3];
  for (int i = 0; i < 3; i++) {
    work[i].index = i;
    if (pthread_create(&threads[i], nullptr, onThread, &work[i]) != 0) return 1;
  }
  printf("joined");
  for (int i = 0; i < 3; i++) {
    void *result;
    if (pthread_join(threads[i], &result) != 0) return 2;
    printf(" %d", static_cast<Work *>(result)->square);
  }
  printf("\n");

  std::mutex lock;
  int sum = 0;
  std::vector<std::thread> workers;
  for (int i = 0; i < 32; i++)
    workers.emplace_back([&, i] {
      std::lock_guard<std::mutex> held(lock);
      sum += i;
    });
  for (std::thread &worker : workers) worker.join();
  printf("std::thread sum %d, async %d\n", sum, std::async(std::launch::async, [] { return 42; }).get());
#pragma omp parallel
  printf("omp %d of %d\n", omp_get_thread_num(), omp_get_num_threads());
  printf("%Lf ", 2.5L);
  std::cout << 0.25L << "\n";
  return 0;
}
