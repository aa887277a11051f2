// Atomic functions with memory order and scope.
// stdout: 32 31 0 7 1 5
#include <cstdio>

__global__ void use(unsigned *word, int *most) {
  __nv_atomic_fetch_add(word, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_max(most, (int)threadIdx.x, __NV_ATOMIC_RELAXED);
  if (threadIdx.x == 0) {
    __nv_atomic_store_n(word + 2, 7, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_SYSTEM);
    unsigned expected = 3;
    bool changed = __nv_atomic_compare_exchange_n(word + 2, &expected, 9u, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED);
    word[1] = changed;
    word[3] = expected == __nv_atomic_load_n(word + 2, __NV_ATOMIC_ACQUIRE);
    __nv_atomic_exchange_n(word + 4, 5, __NV_ATOMIC_SEQ_CST);
  }
}

int main() {
  unsigned *word = nullptr;
  cudaMallocManaged(&word, 8 * sizeof(unsigned));
  int *most = (int *)(word + 5);
  for (int i = 0; i < 8; i++) word[i] = 0;
  use<<<1, 32>>>(word, most);
  cudaDeviceSynchronize();
  printf("%u %d %u %u %u %u\n", word[0], *most, word[1], word[2], word[3], word[4]);
  return 0;
}
