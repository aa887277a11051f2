// One warp's chains of products of 32-bit numbers with 64-bit results, and of sums of two words: how long each waits for
// its factor, for what it adds, and for a carry.
#include <cstdio>
#include <cstdlib>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s: %s\n", #x, cudaGetErrorString(e)); exit(1); } } while (0)
typedef unsigned long long u64;
#define CHAIN(NAME, BODY)                                                               \
  __global__ void NAME(u64 *out, const u64 *in, int n) {                                \
    u64 x = in[threadIdx.x], y = in[32 + threadIdx.x], z = in[64 + threadIdx.x];        \
    unsigned a = (unsigned)y, b = (unsigned)z, c = (unsigned)x;                         \
    _Pragma("unroll 1") for (int i = 0; i < n; i++) { BODY BODY BODY BODY BODY BODY BODY BODY }  \
    out[blockIdx.x * blockDim.x + threadIdx.x] = x + c;                                 \
  }
// The low word is the next one's factor.
CHAIN(w_factor, x = (u64)(unsigned)x * a + y;)
// The high word is.
CHAIN(w_high, x = (u64)(unsigned)(x >> 32) * a + y;)
CHAIN(w_umulhi, c = __umulhi(c, a);)
CHAIN(w_umulhi_add, c = __umulhi(c, a) + b;)
// The product is added to; its factors wait for nothing.
CHAIN(w_added, x = (u64)a * b + x; a ^= 5;)
// Sums of two words.
CHAIN(w_sum, x = (x + y) ^ z;)
CHAIN(w_sums, x = (x + y) ^ z; x = x - (y | 1);)
// The sum's high word is a factor.
CHAIN(w_sum_high, x = (u64)(unsigned)((x + y) >> 32) * a + z;)
// Products of two words each, and their upper halves.
CHAIN(w_product, x = x * y + z;)
CHAIN(w_product_xor, x = (x * y) ^ z;)
CHAIN(w_umul64hi, x = __umul64hi(x, y);)
CHAIN(w_umul64hi_xor, x = __umul64hi(x, y) ^ z;)
CHAIN(w_mul64hi, x = (u64)__mul64hi((long long)x, (long long)y);)
// Products of 128 bits, as hashes of 64 bits and Montgomery's take them.
CHAIN(w_mix, { u64 h = __umul64hi(x, y); x = (x * y) ^ h; })
CHAIN(w_carry, { u64 s = x + y; x = z + (s < y); })
CHAIN(w_mod, x = (x * y) % 1000000007ull;)

int main() {
  u64 *in, *out, host[96];
  for (int i = 0; i < 96; i++) host[i] = 0x9E3779B97F4A7C15ull * (i + 1) | 1;
  CHECK(cudaMalloc(&in, sizeof host)); CHECK(cudaMalloc(&out, sizeof host));
  CHECK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
#define RUN(NAME) NAME<<<1, 32>>>(out, in, 200); CHECK(cudaDeviceSynchronize());
  RUN(w_factor) RUN(w_high) RUN(w_umulhi) RUN(w_umulhi_add) RUN(w_added) RUN(w_sum) RUN(w_sums) RUN(w_sum_high)
  RUN(w_product) RUN(w_product_xor) RUN(w_umul64hi) RUN(w_umul64hi_xor) RUN(w_mul64hi) RUN(w_mix) RUN(w_carry) RUN(w_mod)
  printf("ok\n");
}
