// Every atomic function, type and scope, on global and on shared memory: the old values and what remains.
// stdout: int 32 -7 5 3 0 0 5, unsigned 31 496 3 5 0
// stdout: long long 3200000000000 -5 9 1f, float 16.5 7, double 48.5
// stdout: shared 32 1.5 7 31 40, cas 5 12, halves 2048 64 96, 16 bits 32
// stdout: scopes 64 64 64
// stdout: bytes 66 3, fetch 10 13
#include <cstdio>
#include <cuda/atomic>
#include <cuda_fp16.h>
struct Everything {
  int add, sub, most, least, conjunction, disjunction, parity, exchanged;
  unsigned increment, sum, decrement, mixed, ring;
  long long big, smallest;
  unsigned long long top, bits;
  float f, g;
  double d;
};
__global__ void globals(Everything *e) {
  int lane = threadIdx.x;
  atomicAdd(&e->add, 1), atomicSub(&e->sub, 1), atomicMax(&e->most, lane - 27), atomicMin(&e->least, 34 - lane);
  atomicAnd(&e->conjunction, ~(1 << lane)), atomicOr(&e->disjunction, 0), atomicXor(&e->parity, lane == 3 ? 5 : 0);
  atomicInc(&e->increment, 100), atomicDec(&e->decrement, 34), atomicAdd(&e->sum, lane), atomicInc(&e->ring, 4);
  atomicAdd((unsigned long long *)&e->big, 100000000000ull), atomicMin(&e->smallest, (long long)-5 - lane + 31 - 31 + lane);
  atomicMax(&e->top, (unsigned long long)(lane % 10)), atomicOr(&e->bits, 1ull << (lane % 5));
  atomicAdd(&e->f, 0.5f), atomicAdd(&e->d, 1.5);
  if (lane == 0) atomicExch(&e->g, 7.0f);
}
__global__ void shared(double *out) {
  __shared__ int sum, most;
  __shared__ float f;
  __shared__ unsigned long long big;
  __shared__ unsigned ring;
  int lane = threadIdx.x;
  if (lane == 0) sum = 0, f = 0, most = 0, big = 7, ring = 0;
  __syncthreads();
  atomicAdd(&sum, 1), atomicAdd(&f, 0.046875f), atomicMax(&most, lane), atomicMin(&big, (unsigned long long)lane + 7), atomicInc(&ring, 63);
  __syncthreads();
  if (lane == 0) out[0] = sum, out[1] = f, out[2] = big, out[3] = most, out[4] = ring + 8;
}
__global__ void exchange(int *x, __half *h, __half2 *pair, unsigned short *words) {
  if (threadIdx.x == 0) x[1] = atomicCAS(x, 5, 12);
  atomicAdd(h, __half(1.0f));
  atomicAdd(pair, __half2(2.0f, 3.0f));
  // A lock-free increment of 16 bits, beside others.
  unsigned short seen, old = words[1];
  do old = atomicCAS(words + 1, seen = old, (unsigned short)(seen + 1));
  while (old != seen);
}
__global__ void scopes(int *x) { atomicAdd_block(x, 1), atomicAdd_system(x + 1, 1), atomicAdd(x + 2, 1); }
__global__ void narrow(unsigned char *bytes, int *out) {
  __atomic_fetch_add(bytes + 1, 2, __ATOMIC_RELAXED);
  __atomic_fetch_max((signed char *)bytes + 2, (signed char)(threadIdx.x % 4), __ATOMIC_RELAXED);
  cuda::atomic_ref<int, cuda::thread_scope_device> r(out[0]);
  if (threadIdx.x == 0) out[1] = r.fetch_add(3);
}
int main() {
  Everything *e;
  double *d;
  int *x;
  cudaMallocManaged(&e, sizeof *e), cudaMallocManaged(&d, 256), cudaMallocManaged(&x, 256);
  *e = {0, 25, -100, 100, -1, 0, 0, 0, 31 - 32 + 0u, 0, 0, 0, 3, 0, 100, 0, 0, 0.5f, 0, 0.5};
  e->increment = 99;
  globals<<<1, 32>>>(e);
  cudaDeviceSynchronize();
  printf("int %d %d %d %d %d %d %d, unsigned %u %u %u %u %u\n", e->add, e->sub, e->most + 1, e->least, e->conjunction, e->disjunction, e->parity,
         e->increment + 1, e->sum, e->decrement, e->ring + 5, e->mixed);
  printf("long long %lld %lld %llu %llx, float %g %g, double %g\n", e->big, e->smallest, e->top, e->bits, e->f, e->g, e->d);
  shared<<<1, 32>>>(d);
  x[0] = 5;
  __half *h;
  __half2 *pair;
  unsigned short *words;
  cudaMallocManaged(&h, 4), cudaMallocManaged(&pair, 4), cudaMallocManaged(&words, 4);
  *h = __half(2040.0f), *pair = __half2(0.0f, 0.0f);
  exchange<<<1, 32>>>(x, h, pair, words);
  cudaDeviceSynchronize();
  printf("shared %g %g %g %g %g, cas %d %d, halves %g %g %g, 16 bits %d\n", d[0], d[1], d[2], d[3], d[4], x[1], x[0], (float)*h, (float)pair->x,
         (float)pair->y, words[1]);
  x[0] = x[1] = x[2] = 0;
  scopes<<<2, 32>>>(x);
  unsigned char *bytes;
  cudaMallocManaged(&bytes, 4);
  bytes[1] = 2, bytes[2] = 0xff, x[8] = 10;
  narrow<<<1, 32>>>(bytes, x + 8);
  cudaDeviceSynchronize();
  printf("scopes %d %d %d\nbytes %d %d, fetch %d %d\n", x[0], x[1], x[2], bytes[1], bytes[2], x[9], x[8]);
}
