// libcu++'s atomics as functions, of pointers, of narrow integers, and what their types say of themselves.
// levels: nightly
// stdout: counted 256, flag 1, sums 48 96, pair 64 128, functions 192 9 7
// stdout: greatest 63, least 0, wrong 0
// stdout: host 12 1 5
#include <cuda/atomic>
#include <cstdio>

struct Pair {
  int one, other;
};

__global__ void everyThread(int *out, double *sum, cuda::atomic<float> *real, cuda::std::atomic_flag *flag, Pair *pair) {
  cuda::atomic_ref<int, cuda::thread_scope_device> counter(out[0]);
  counter.fetch_add(1, cuda::memory_order_relaxed);
  ++counter;
  counter += 2;
  cuda::atomic_ref<double> total(*sum);
  total += 0.75;
  real->fetch_add(1.5f, cuda::std::memory_order_relaxed);
  if (!cuda::std::atomic_flag_test_and_set(flag)) out[1] = 1;
  cuda::atomic_ref<Pair> both(*pair);
  Pair seen = both.load();
  while (!both.compare_exchange_weak(seen, Pair{seen.one + 1, seen.other + 2})) {}
  auto *objects = reinterpret_cast<cuda::std::atomic<int> *>(out + 4);
  cuda::std::atomic_fetch_add_explicit(objects, 3, cuda::std::memory_order_relaxed);
  cuda::std::atomic_store(objects + 1, 9);
  cuda::atomic_signal_fence(cuda::memory_order_seq_cst);
  int none = 0;
  cuda::std::atomic_compare_exchange_strong(objects + 2, &none, 7);
}

__global__ void otherTypes(unsigned *out) {
  cuda::std::atomic_thread_fence(cuda::std::memory_order_acq_rel);
  cuda::atomic_ref<unsigned, cuda::thread_scope_block>(out[0]).fetch_max(threadIdx.x, cuda::memory_order_relaxed);
  cuda::atomic_ref<unsigned>(out[1]).fetch_min(threadIdx.x);
  cuda::atomic<unsigned *> place(out);
  if (place.fetch_add(2) != out || place.load() != out + 2 || (place -= 1) != out + 1) atomicAdd(out + 2, 1);
  cuda::atomic<bool> truth(false);
  truth.store(true);
  if (!truth) atomicAdd(out + 2, 1);
  cuda::atomic<short> narrow(3);
  narrow += 4;
  if (narrow != 7) atomicAdd(out + 2, 1);
  cuda::atomic<unsigned char> byte(250);
  byte.fetch_add(10);
  if (byte != 4) atomicAdd(out + 2, 1);
}

static_assert(cuda::atomic_ref<int>::required_alignment == 4 && cuda::atomic<double>::is_always_lock_free);

int main() {
  char *memory;
  cudaMallocManaged(&memory, 256);
  int *out = reinterpret_cast<int *>(memory);
  auto *sum = reinterpret_cast<double *>(memory + 64);
  auto *real = reinterpret_cast<cuda::atomic<float> *>(memory + 72);
  auto *flag = reinterpret_cast<cuda::std::atomic_flag *>(memory + 80);
  auto *pair = reinterpret_cast<Pair *>(memory + 88);
  everyThread<<<2, 32>>>(out, sum, real, flag, pair);
  cudaDeviceSynchronize();
  printf("counted %d, flag %d, sums %g %g, pair %d %d, functions %d %d %d\n", out[0], out[1], *sum, real->load(), pair->one,
         pair->other, out[4], out[5], out[6]);
  unsigned *other = reinterpret_cast<unsigned *>(memory + 128);
  other[1] = 99;
  otherTypes<<<1, 64>>>(other);
  cudaDeviceSynchronize();
  printf("greatest %u, least %u, wrong %u\n", other[0], other[1], other[2]);
  cuda::std::atomic_long own{5};
  long before = cuda::std::atomic_fetch_add(&own, 7L);
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_system);
  printf("host %ld %d %ld\n", cuda::std::atomic_load(&own), cuda::std::atomic_is_lock_free(&own), before);
}
