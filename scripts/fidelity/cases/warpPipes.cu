// Throughput of what lanes tell each other and of single instructions beside plain arithmetic: shuffles, votes, matches, reductions, bits, bytes,
// halves, conversions, fast functions. Four chains a thread, by 32 warps of one multiprocessor and by one; a sum of what each kernel left is printed.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define ALL 0xffffffffu
// x: the chain's value, y: a number that the compiler does not know, i: the round
#define K(name, type, ...) \
  __device__ __forceinline__ type step_##name(type x, type y, int i) { __VA_ARGS__ } \
  __global__ void name(const type *in, type *out, int rounds) { \
    int t = threadIdx.x; type y = in[64 + t]; type a = in[t], b = in[t + 1], c = in[t + 2], d = in[t + 3]; \
    _Pragma("unroll 1") for (int i = 0; i < rounds; i++) { \
      a = step_##name(a, y, i); b = step_##name(b, y, i); c = step_##name(c, y, i); d = step_##name(d, y, i); \
      a = step_##name(a, y, i); b = step_##name(b, y, i); c = step_##name(c, y, i); d = step_##name(d, y, i); \
      a = step_##name(a, y, i); b = step_##name(b, y, i); c = step_##name(c, y, i); d = step_##name(d, y, i); \
      a = step_##name(a, y, i); b = step_##name(b, y, i); c = step_##name(c, y, i); d = step_##name(d, y, i); } \
    out[t] = a + b + c + d; }

K(shuffleDown, int, return __shfl_down_sync(ALL, x, 1);)
K(shuffleXor, float, return __shfl_xor_sync(ALL, x, 5);)
K(shuffleAt, int, return __shfl_sync(ALL, x, y & 31);)
K(shuffleDouble, double, return __shfl_xor_sync(ALL, x, 5);)
K(shuffleSum, float, return x + __shfl_xor_sync(ALL, x, 5);)
K(ballot, unsigned, return __ballot_sync(ALL, x & 1) + y;)
K(anyLane, int, return x + __any_sync(ALL, x == y);)
K(allLanes, int, return x + __all_sync(ALL, x == y);)
K(matchAny, unsigned, return __match_any_sync(ALL, x);)
K(matchAll, unsigned, int all; return __match_all_sync(ALL, x, &all) + all;)
K(reduceAdd, unsigned, return __reduce_add_sync(ALL, x) + y;)
K(reduceMax, int, return __reduce_max_sync(ALL, x) + y;)
K(reduceXor, unsigned, return __reduce_xor_sync(ALL, x) + y;)
K(activeLanes, unsigned, return x + __activemask();)
K(warpBarrier, int, __syncwarp(); return x + y;)
K(bitCount, int, return __popc(x) + y;)
K(leadingZeros, int, return __clz(x) + y;)
K(reversed, unsigned, return __brev(x);)
K(firstBit, int, return __ffs(x) + y;)
K(bytesOf, unsigned, return __byte_perm(x, y, 0x2143);)
K(funnel, unsigned, return __funnelshift_l(x, y, 7);)
K(funnelBy, unsigned, return __funnelshift_l(x, x, y);)
K(dot4, int, return __dp4a(x, y, x);)
K(dot2, int, return __dp2a_lo(x, y, x);)
K(sad, unsigned, return __sad(x, y, x);)
K(bytesDifference, unsigned, return __vabsdiffu4(x, y);)
K(bytesSum, unsigned, return __vadd4(x, y);)
K(upperProduct, int, return __mulhi(x, y);)
K(product, int, return x * y;)
K(product64, long long, return x * y;)
K(wideProduct, long long, return (long long)(int)x * (int)y;)
K(sum64, long long, return x + y;)
K(shift64, unsigned long long, return x >> (y & 63);)
K(shiftBy, int, return x << (y & 31);)
K(least, int, return min(x, y) + 1;)
K(leastFloat, float, return fminf(x, y) + 1;)
K(compared, int, return x < y ? x + 3 : y;)
K(halfPairs, __half2, return __hfma2(x, y, x);)
K(halfPairSum, __half2, return __hadd2(x, y);)
K(brainPairs, __nv_bfloat162, return __hfma2(x, y, x);)
K(halfLeast, __half2, return __hmin2(x, y);)
K(halfOfFloat, float, return __half2float(__float2half(x)) + y;)
K(pairOfFloats, float, __half2 p = __floats2half2_rn(x, y); return __low2float(p);)
K(brainOfFloat, float, return __bfloat162float(__float2bfloat16(x)) + y;)
K(floatOfInt, int, return __float_as_int(__int2float_rn(x)) + y;)
K(intOfFloat, float, return __int_as_float(__float2int_rz(x)) + y;)
K(doubleOfInt, int, return __double2hiint(__int2double_rn(x)) + y;)
K(doubleOfFloat, float, return __double2float_rn((double)x * 1.25);)
K(byteOfInt, int, return (int)(signed char)x + y;)
K(floatOfByte, unsigned, return __float_as_uint((float)(unsigned char)(x >> 8)) + y;)
K(expFast, float, return __expf(x);)
K(exp2Fast, float, return exp2f(x);)
K(logFast, float, return __logf(x);)
K(sinFast, float, return __sinf(x);)
K(reciprocal, float, return __frcp_rn(x);)
K(reciprocalFast, float, return __fdividef(1.f, x);)
K(quotientFast, float, return __fdividef(y, x);)
K(rootInverse, float, return rsqrtf(x);)
K(root, float, return sqrtf(x);)
K(quotient, float, return y / x;)
K(tanhFast, float, float r; asm("tanh.approx.f32 %0, %1;" : "=f"(r) : "f"(x)); return r;)
K(doubleFused, double, return fma(x, y, x);)
K(doubleLess, double, return x < y ? x : y;)
K(fused, float, return fmaf(x, y, x);)
K(sums, float, return x + y;)
K(roundedDown, float, return floorf(x) + y;)
K(absolute, float, return fabsf(x) - y;)
K(saturated, float, return __saturatef(x + y);)
K(logic, unsigned, return (x & y) ^ (x >> 3);)
K(predicates, int, return (x > 3 && y > 5) || x == y ? x + y : x - y;)

static char *in, *out;
template <typename T> static void run(void (*kernel)(const T *, T *, int), const char *name) {
  kernel<<<1, 1024>>>((const T *)in, (T *)out, 64);
  kernel<<<1, 32>>>((const T *)in, (T *)out, 256);
  unsigned words[32], sum = 0;
  cudaMemcpy(words, out, sizeof words, cudaMemcpyDeviceToHost);
  for (unsigned word : words) sum = sum * 31 + word;
  printf("%s %08x %s\n", name, sum, cudaGetErrorString(cudaGetLastError()));
}
#define R(name) run(name, #name);

int main() {
  cudaMalloc(&in, 1 << 16); cudaMalloc(&out, 1 << 16);
  float *ones = (float *)malloc(1 << 16);
  for (int i = 0; i < 1 << 14; i++) ones[i] = 1 + (i * 7 % 13) / 16.f;
  cudaMemcpy(in, ones, 1 << 16, cudaMemcpyHostToDevice);
  R(shuffleDown) R(shuffleXor) R(shuffleAt) R(shuffleDouble) R(shuffleSum) R(ballot) R(anyLane) R(allLanes) R(matchAny) R(matchAll) R(reduceAdd) R(reduceMax)
  R(reduceXor) R(activeLanes) R(warpBarrier) R(bitCount) R(leadingZeros) R(reversed) R(firstBit) R(bytesOf) R(funnel) R(funnelBy) R(dot4) R(dot2) R(sad)
  R(bytesDifference) R(bytesSum) R(upperProduct) R(product) R(product64) R(wideProduct) R(sum64) R(shift64) R(shiftBy) R(least) R(leastFloat) R(compared)
  R(halfPairs) R(halfPairSum) R(brainPairs) R(halfLeast) R(halfOfFloat) R(pairOfFloats) R(brainOfFloat) R(floatOfInt) R(intOfFloat) R(doubleOfInt)
  R(doubleOfFloat) R(byteOfInt) R(floatOfByte) R(expFast) R(exp2Fast) R(logFast) R(sinFast) R(reciprocal) R(reciprocalFast) R(quotientFast) R(rootInverse)
  R(root) R(quotient) R(tanhFast) R(doubleFused) R(doubleLess) R(fused) R(sums) R(roundedDown) R(absolute) R(saturated) R(logic) R(predicates)
  return cudaDeviceSynchronize();
}
