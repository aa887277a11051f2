// __nv_bfloat16 and __nv_bfloat162: comparison, NaN rules, integers, pairs, shuffles, atomics.
// stdout: nan 7fff 3f80 7fff 7fff, zero 8000 0, compare 0 1 1 0
// stdout: convert 2147483647 -2147483648 0 -3 65535 9223372036854775807
// stdout: pair 6 -12 1 0, mask ffff, sat 1 0, relu 0, square root 1.41406
// stdout: shuffled 31 30, atomic 524, pair 32 64, exchanged 3
#include <cstdio>
#include <cuda_bf16.h>
typedef unsigned short u16;
__global__ void special(unsigned *bits, long long *whole, float *f) {
  __nv_bfloat16 nan = __ushort_as_bfloat16(0xffc1), one(1), two(2), zero = __ushort_as_bfloat16(0), minus = __ushort_as_bfloat16(0x8000);
  bits[0] = __bfloat16_as_ushort(nan + one), bits[1] = __hmax(nan, one).__x, bits[2] = __hmax_nan(one, nan).__x, bits[3] = __hmin(nan, nan).__x;
  bits[4] = __hmin(zero, minus).__x, bits[5] = __hmax(minus, zero).__x;
  bits[6] = __hlt(nan, one), bits[7] = __hltu(nan, one), bits[8] = nan != one, bits[9] = __hne(nan, one);
  __nv_bfloat16 big(1e30f);
  whole[0] = __bfloat162int_rz(big), whole[1] = __bfloat162int_rn(-big), whole[2] = __bfloat162int_rn(nan);
  whole[3] = __bfloat162int_rd(__nv_bfloat16(-2.5f)), whole[4] = __bfloat162ushort_rz(big), whole[5] = __bfloat162ll_rn(big);
  __nv_bfloat162 p(two, -__nv_bfloat16(4)), q = __float2bfloat162_rn(3);
  __nv_bfloat162 product = p * q, truths = __hgt2(p, q), less = __hlt2(p, q);
  f[0] = __low2float(product), f[1] = __high2float(product), f[2] = (float)less.x, f[3] = (float)truths.y;
  bits[10] = __hlt2_mask(p, __nv_bfloat162(q.x, -q.y * q.y)), f[4] = (float)__hadd_sat(two, two), f[5] = (float)__hsub_sat(one, two);
  f[6] = (float)__hfma_relu(one, -two, one), f[7] = (float)hsqrt(two);
}
__global__ void crossLanes(float *out, __nv_bfloat16 *sum, __nv_bfloat162 *sums, u16 *words) {
  int lane = threadIdx.x;
  __nv_bfloat16 mine(lane);
  __nv_bfloat162 both(mine, mine);
  if (lane == 0) *sum = __nv_bfloat16(32);
  __syncwarp();
  __nv_bfloat16 last = __shfl_sync(~0u, mine, 31);
  __nv_bfloat162 swapped = __shfl_xor_sync(~0u, both, 30);
  if (lane == 0) out[0] = (float)last, out[1] = (float)swapped.y;
  atomicAdd(sum, mine);
  atomicAdd(sums, __nv_bfloat162(1.0f, 2.0f));
  atomicCAS(words, (u16)lane, (u16)(lane + 1));
}
int main() {
  unsigned *b;
  long long *w;
  float *f;
  cudaMallocManaged(&b, 256), cudaMallocManaged(&w, 256), cudaMallocManaged(&f, 256);
  special<<<1, 1>>>(b, w, f);
  cudaDeviceSynchronize();
  printf("nan %x %x %x %x, zero %x %x, compare %d %d %d %d\n", b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9]);
  printf("convert %lld %lld %lld %lld %lld %lld\n", w[0], w[1], w[2], w[3], w[4], w[5]);
  printf("pair %g %g %g %g, mask %x, sat %g %g, relu %g, square root %g\n", f[0], f[1], f[2], f[3], b[10], f[4], f[5], f[6], f[7]);
  __nv_bfloat16 *sum;
  __nv_bfloat162 *sums;
  u16 *words;
  cudaMallocManaged(&sum, 4), cudaMallocManaged(&sums, 4), cudaMallocManaged(&words, 4);
  words[0] = 3, words[1] = 2;
  *sums = __nv_bfloat162(0.0f, 0.0f);
  crossLanes<<<1, 32>>>(f, sum, sums, words + 1);
  cudaDeviceSynchronize();
  printf("shuffled %g %g, atomic %g, pair %g %g, exchanged %d\n", f[0], f[1], (float)*sum, (float)sums->x, (float)sums->y, words[0]);
}
