// One warp going round a loop of one kind of operation (`latency.json`: what an H200 took for it, nvcc 13.0 -O3, `ncu
// --clock-control none`), sums by many warps at one address, printf, and loops whose counter has each type.
#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s: %s\n", #x, cudaGetErrorString(e)); exit(1); } } while (0)

#define CHAIN(NAME, TYPE, INIT, BODY)                                   \
  __global__ void NAME(TYPE *out, const TYPE *in, int n) {              \
    TYPE x = in[threadIdx.x & 31]; TYPE y = in[32 + (threadIdx.x & 31)];  INIT; \
    _Pragma("unroll 1") for (int i = 0; i < n; i++) {  BODY;  }                                \
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;                     \
  }
CHAIN(c_fma1, float, , x = x * y + y)
CHAIN(c_fma8, float, , x = x * y + y; x = x * y + y; x = x * y + y; x = x * y + y; x = x * y + y; x = x * y + y; x = x * y + y; x = x * y + y)
CHAIN(c_rsqrt, float, , x = rsqrtf(x) + y; x = rsqrtf(x) + y; x = rsqrtf(x) + y; x = rsqrtf(x) + y)
CHAIN(c_sqrt, float, , x = sqrtf(x) + y; x = sqrtf(x) + y)
CHAIN(c_div, float, , x = y / x; x = y / x)
CHAIN(c_fdivide, float, , x = __fdividef(y, x); x = __fdividef(y, x))
CHAIN(c_exp, float, , x = expf(x) * y; x = expf(x) * y)
CHAIN(c_fexp, float, , x = __expf(x) * y; x = __expf(x) * y)
CHAIN(c_log, float, , x = logf(x) + y; x = logf(x) + y)
CHAIN(c_sin, float, , x = sinf(x) + y; x = sinf(x) + y)
CHAIN(c_pow, float, , x = powf(x, y); x = powf(x, y))
CHAIN(c_tanh, float, , x = tanhf(x) + y; x = tanhf(x) + y)
CHAIN(c_dfma, double, , x = x * y + y; x = x * y + y; x = x * y + y; x = x * y + y)
CHAIN(c_dadd, double, , x = x + y; x = x + y; x = x + y; x = x + y)
CHAIN(c_ddiv, double, , x = y / x; x = y / x)
CHAIN(c_dsqrt, double, , x = sqrt(x) + y; x = sqrt(x) + y)
CHAIN(c_dexp, double, , x = exp(x) * y; x = exp(x) * y)
CHAIN(c_dsin, double, , x = sin(x) + y; x = sin(x) + y)
CHAIN(c_dpow, double, , x = pow(x, y); x = pow(x, y))
CHAIN(c_dcmp, double, , x = x > y ? x * 0.5 : x + y; x = x > y ? x * 0.5 : x + y)
CHAIN(c_imul, int, , x = x * y + i; x = x * y + i; x = x * y + i; x = x * y + i)
CHAIN(c_idiv, int, , x = (y ^ i) / (x | 1); x = (y ^ i) / (x | 1))
CHAIN(c_udiv, unsigned, , x = (y ^ i) / (x | 1); x = (y ^ i) / (x | 1))
CHAIN(c_imod, int, , x = (y ^ i) % (x | 1); x = (y ^ i) % (x | 1))
CHAIN(c_imodk, int, , x = (x * y + i) % 1000003; x = (x * y + i) % 1000003)
CHAIN(c_lmul, long long, , x = x * y + i; x = x * y + i)
CHAIN(c_ldiv, long long, , x = (y ^ i) / (x | 1); x = (y ^ i) / (x | 1))
CHAIN(c_lmod, unsigned long long, , x = (y ^ i) % (x | 1))
CHAIN(c_lmulhi, unsigned long long, , x = __umul64hi(x, y) + i; x = __umul64hi(x, y) + i)
CHAIN(c_xorshift, unsigned, , x ^= x << 13; x ^= x >> 17; x ^= x << 5)
CHAIN(c_popc, unsigned, , x = __popc(x) * y + x; x = __popc(x) * y + x)
CHAIN(c_clz, unsigned, , x = __clz(x) * y + x; x = __ffs(x) * y + x)
CHAIN(c_i2f, float, , x = (float)((int)x) + y; x = (float)((int)x) + y)
CHAIN(c_f2d, float, , x = (float)((double)x + 1.25); x = (float)((double)x + 1.25))
CHAIN(c_minmax, float, , x = fminf(fmaxf(x, y), y + i); x = fminf(fmaxf(x, y), y - i))
CHAIN(c_half, __half, , x = __hfma(x, y, y); x = __hfma(x, y, y); x = __hfma(x, y, y); x = __hfma(x, y, y))
CHAIN(c_shfl, int, , x += __shfl_down_sync(~0u, x, 1); x += __shfl_xor_sync(~0u, x, 3))
CHAIN(c_vote, int, , x += __ballot_sync(~0u, x & 1) + y; x += __any_sync(~0u, x == 7) + y)
CHAIN(c_branch, int, , if (x & 1) { x = x * y + 1; x ^= x >> 3; x = x * y + 3; x ^= x << 2; x = x * y + 5; x ^= x >> 7; x = x * y + 1; x ^= x >> 3; x = x * y + 3; x ^= x << 2; x = x * y + 5; x ^= x >> 7; } else { x = x + y * 3; x ^= x >> 5; x = x * 7 + y; x ^= x << 1; x = x * y + 9; x ^= x >> 9; x = x + y * 3; x ^= x >> 5; x = x * 7 + y; x ^= x << 1; x = x * y + 9; x ^= x >> 9; })
CHAIN(c_while, int, , while ((x & 7) != 0) x = x * 5 + 1; x = x * y + 3)
CHAIN(c_uni, int, , if (n & i) { x = x * y + 1; x ^= x >> 3; x = x * y + 3; x ^= x << 2; x = x * y + 5; x ^= x >> 7; x = x * y + 1; x ^= x >> 3; x = x * y + 3; x ^= x << 2; x = x * y + 5; x ^= x >> 7; } else x += y)
CHAIN(c_sync, int, , x += y; __syncthreads())
CHAIN(c_sync2, float, __shared__ float s[256]; s[threadIdx.x] = x; __syncthreads(), y = s[(threadIdx.x + 1) & 255 & (blockDim.x - 1)]; __syncthreads(); s[threadIdx.x] = x * y; x = y; __syncthreads())
CHAIN(c_syncwarp, int, , x += y; __syncwarp(); x *= y; __syncwarp())
CHAIN(c_atomS_own, int, __shared__ int s[256]; s[threadIdx.x] = 0; __syncthreads(), atomicAdd(&s[threadIdx.x], x))
CHAIN(c_atomS_ret, int, __shared__ int s[256]; s[threadIdx.x] = 0; __syncthreads(), x += atomicAdd(&s[threadIdx.x], x))
CHAIN(c_atomS_one, int, __shared__ int s[256]; s[threadIdx.x] = 0; __syncthreads(), atomicAdd(&s[0], x))
CHAIN(c_atomS_oneK, int, __shared__ int s[256]; s[threadIdx.x] = 0; __syncthreads(), atomicAdd(&s[i & 255], 1))
CHAIN(c_atomS_rnd, int, __shared__ int s[256]; s[threadIdx.x] = 0; __syncthreads(), atomicAdd(&s[x & 255], 1); x = x * 1664525 + 1013904223 )
CHAIN(c_atomS_rnd16, int, __shared__ int s[256]; s[threadIdx.x] = 0; __syncthreads(), atomicAdd(&s[(x >> 8) & 15], 1); x = x * 1664525 + 1013904223 )
CHAIN(c_atomS_f, float, __shared__ float s[256]; s[threadIdx.x] = 0; __syncthreads(), atomicAdd(&s[threadIdx.x], x))
CHAIN(c_atomS_fone, float, __shared__ float s[256]; s[threadIdx.x] = 0; __syncthreads(), atomicAdd(&s[0], x))
CHAIN(c_atomS_inc, unsigned, __shared__ unsigned s[256]; s[threadIdx.x] = 0; __syncthreads(), x += atomicInc(&s[threadIdx.x & 31], 1000))
CHAIN(c_atomG_own, int, , atomicAdd(&out[65536 + blockIdx.x * blockDim.x + threadIdx.x], x))
CHAIN(c_atomG_ret, int, , x += atomicAdd(&out[65536 * 4 + blockIdx.x * blockDim.x + threadIdx.x], x))
CHAIN(c_atomG_one, int, , atomicAdd(&out[65536 * 4], x + i))
CHAIN(c_atomG_oneK, int, , atomicAdd(&out[65536 * 4], 1))
CHAIN(c_atomG_oneRet, int, , x += atomicAdd(&out[65536 * 4], 1))
CHAIN(c_atomG_fone, float, , atomicAdd(&out[65536 * 4], x + i))
CHAIN(c_atomG_fown, float, , atomicAdd(&out[65536 * 4 + blockIdx.x * blockDim.x + threadIdx.x], x + i))
CHAIN(c_atomG_f32, float, , atomicAdd(&out[65536 * 4 + (threadIdx.x & 31)], x + i))
CHAIN(c_atomG_done, double, , atomicAdd(&out[65536 * 4], x + i))
CHAIN(c_atomG_max, int, , atomicMax(&out[65536 * 4], x + i))
CHAIN(c_atomG_lone, unsigned long long, , atomicAdd(&out[65536 * 4], x + i))
CHAIN(c_atomG_cas, int, , x += atomicCAS(&out[65536 * 4 + blockIdx.x * blockDim.x + threadIdx.x], x, y))
CHAIN(c_fence, int, , out[65536 * 4 + blockIdx.x * blockDim.x + threadIdx.x] = x; __threadfence(); x += y)
CHAIN(c_store, int, , out[65536 * 4 + (i & 15) * 65536 + blockIdx.x * blockDim.x + threadIdx.x] = x; x += y)
CHAIN(c_ldst, int, , x += out[65536 * 4 + blockIdx.x * blockDim.x + threadIdx.x]; out[65536 * 4 + blockIdx.x * blockDim.x + threadIdx.x] = x)
CHAIN(c_const, int, , x = in[(x & 31)] + i)
__constant__ int table[1024];
CHAIN(c_constU, int, , x += table[i & 1023])
CHAIN(c_clock, int, , x += clock64() & 1)
CHAIN(c_local, int, int l[32]; for (int k = 0; k < 32; k++) l[k] = k * x, x += l[x & 31]; l[i & 31] = x)
CHAIN(c_nano, float, , x = x * y + __int2float_rn(i) ; y = y + x)

template <int N> __global__ void straight(float *out, const float *in, int n) {
  float x[4];
  for (int k = 0; k < 4; k++) x[k] = in[threadIdx.x & 31] + k;
#pragma unroll 1
  for (int r = 0; r < n; r++) {
#pragma unroll
    for (int i = 0; i < N; i++) x[i & 3] = x[i & 3] * x[(i + 1) & 3] + (0.5f + i * 0.0625f);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x[0] + x[1] + x[2] + x[3];
}
template <int CALLS, int ARGS> __global__ void prints(int from) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < from) return;
#pragma unroll
  for (int i = 0; i < CALLS; i++) {
    if (ARGS == 0) printf("hello\n");
    if (ARGS == 1) printf("hello %d\n", t);
    if (ARGS == 4) printf("hello %d %d %d %f\n", t, i, from, 0.5 * t);
  }
}
template <typename I> __global__ void columns(const float *a, float *out, I rows, I width) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= width) return;
  float s = 0;
  for (I i = 0; i < rows; i++) s += a[width * i + t];
  out[t] = s;
}
template <typename T> void runT(void (*k)(T *, const T *, int), T *out, T *in, int n, bool many = false) {
  k<<<1, 32>>>(out, in, n);
  if (many) { k<<<132, 128>>>(out, in, n); k<<<528, 256>>>(out, in, n); }
  CHECK(cudaDeviceSynchronize());
}
int main() {
  void *out, *in; size_t bytes = 64 << 20;
  CHECK(cudaMalloc(&out, bytes)); CHECK(cudaMalloc(&in, 1 << 20)); CHECK(cudaMemset(out, 0, bytes));
  float *hf = (float *)malloc(1 << 20); for (int i = 0; i < 64; i++) hf[i] = 1.0f + i * 0.01f;
  double *hd = (double *)malloc(1 << 20); for (int i = 0; i < 64; i++) hd[i] = 1.0 + i * 0.01;
  int *hi = (int *)malloc(1 << 20); for (int i = 0; i < 64; i++) hi[i] = i * 7919 + 3;
  long long *hl = (long long *)malloc(1 << 20); for (int i = 0; i < 64; i++) hl[i] = i * 7919LL * 1000003 + 3;
  __half *hh = (__half *)malloc(1 << 20); for (int i = 0; i < 64; i++) hh[i] = __float2half(1.0f / (i + 2));
#define UP(h) CHECK(cudaMemcpy(in, h, 64 * sizeof(*h), cudaMemcpyHostToDevice))
#define F(k, n) runT<float>(k, (float *)out, (float *)in, n);
#define D(k, n) runT<double>(k, (double *)out, (double *)in, n);
#define I(k, n) runT<int>(k, (int *)out, (int *)in, n);
#define U(k, n) runT<unsigned>(k, (unsigned *)out, (unsigned *)in, n);
#define L(k, n) runT<long long>(k, (long long *)out, (long long *)in, n);
#define UL(k, n) runT<unsigned long long>(k, (unsigned long long *)out, (unsigned long long *)in, n);
  UP(hf);
  F(c_fma1, 1000) F(c_fma8, 500) F(c_rsqrt, 300) F(c_sqrt, 300) F(c_div, 300) F(c_fdivide, 300) F(c_exp, 300) F(c_fexp, 300) F(c_log, 300) F(c_sin, 300) F(c_pow, 200) F(c_tanh, 300)
  F(c_i2f, 300) F(c_f2d, 300) F(c_minmax, 500) F(c_sync2, 300) F(c_atomS_f, 200) F(c_atomS_fone, 100) runT<float>(c_atomG_fone, (float *)out, (float *)in, 10, true); F(c_atomG_fown, 100) runT<float>(c_atomG_f32, (float *)out, (float *)in, 20, true); F(c_nano, 1000)
  UP(hd);
  D(c_dfma, 300) D(c_dadd, 300) D(c_ddiv, 200) D(c_dsqrt, 200) D(c_dexp, 200) D(c_dsin, 200) D(c_dpow, 100) D(c_dcmp, 300) runT<double>(c_atomG_done, (double *)out, (double *)in, 10, true);
  UP(hi);
  I(c_imul, 500) I(c_idiv, 300) U(c_udiv, 300) I(c_imod, 300) I(c_imodk, 300) U(c_xorshift, 500) U(c_popc, 500) U(c_clz, 500) I(c_shfl, 300) I(c_vote, 300) I(c_branch, 200) I(c_while, 200) I(c_uni, 200)
  I(c_sync, 500) I(c_syncwarp, 500) I(c_atomS_own, 200) I(c_atomS_ret, 200) I(c_atomS_one, 100) I(c_atomS_oneK, 200) I(c_atomS_rnd, 200) I(c_atomS_rnd16, 200) U(c_atomS_inc, 200)
  I(c_atomG_own, 100) I(c_atomG_ret, 50) runT<int>(c_atomG_one, (int *)out, (int *)in, 20, true); runT<int>(c_atomG_oneK, (int *)out, (int *)in, 20, true); runT<int>(c_atomG_oneRet, (int *)out, (int *)in, 10, true); I(c_atomG_max, 20) I(c_atomG_cas, 50) I(c_fence, 50) I(c_store, 200) I(c_ldst, 100) I(c_const, 200) I(c_constU, 500) I(c_clock, 100) I(c_local, 200)
  UP(hl);
  L(c_lmul, 300) L(c_ldiv, 100) UL(c_lmod, 100) UL(c_lmulhi, 300) runT<unsigned long long>(c_atomG_lone, (unsigned long long *)out, (unsigned long long *)in, 20, true);
  UP(hh);
  runT<__half>(c_half, (__half *)out, (__half *)in, 300);
  UP(hf);
  for (int r = 1; r <= 4; r += 3) {
    F(straight<256>, r) F(straight<1024>, r)
  }
#define P(k) k<<<1, 1>>>(0); k<<<1, 32>>>(0); k<<<1, 256>>>(0); k<<<16, 64>>>(0); k<<<16, 64>>>(1023); CHECK(cudaDeviceSynchronize());
  P((prints<1, 0>)) P((prints<1, 1>)) P((prints<1, 4>)) P((prints<4, 1>))
  for (int w = 2048; w <= 16384; w *= 8) {
    columns<int><<<w / 256, 256>>>((float *)out, (float *)in, 1024 * 1024 / (w / 16) / 4, w);
    columns<size_t><<<w / 256, 256>>>((float *)out, (float *)in, 1024 * 1024 / (w / 16) / 4, w);
    columns<unsigned><<<w / 256, 256>>>((float *)out, (float *)in, 1024 * 1024 / (w / 16) / 4, w);
  }
  CHECK(cudaDeviceSynchronize());
  fprintf(stderr, "done\n");
}
