// Managed memory is global memory, also for pointers whose origin does not tell: they come out of memory here.
// stdout: managed 1 device 1 shared 0
#include <cstdio>
__global__ void ask(int *out, int *const *held) {
  __shared__ int tile[1];
  int *either = out[3] ? tile : held[1];
  out[0] = __isGlobal(held[0]), out[1] = __isGlobal(held[1]), out[2] = __isGlobal(either);
}
int main() {
  int *out, **held;
  cudaMallocManaged(&out, 16), cudaMallocManaged(&held, 2 * sizeof *held);
  held[0] = out, cudaMalloc(&held[1], 4), out[3] = 1;
  ask<<<1, 1>>>(out, held);
  cudaDeviceSynchronize();
  printf("managed %d device %d shared %d\n", out[0], out[1], out[2]);
  return 0;
}
