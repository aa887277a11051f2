// 128-bit integers in device code: every operation against the host's, on numbers of all lengths; in structures, arrays of every memory,
// arguments, results, recursion and switches. 16 bytes at a place of 16 are one access, as LDG.128, LDS.128 and LDL.128 of nvcc's.
// levels: nightly
// stdout: sizes 16 16 32 16
// stdout: arithmetic: 0 of 30720 differ
// stdout: shifts and bits: 0 of 30720 differ
// stdout: comparisons: 0 of 30720 differ
// stdout: divisions: 0 of 30720 differ
// stdout: floats: 0 of 30720 differ
// stdout: argument 30:fffffffffffffff0 fffffffffffffffe:0
// stdout: members 0:8 7:f
// stdout: shared 0:3f 0:3e
// stdout: local 3:9 0:0
// stdout: constants 123456789abcdef:fedcba9876543210 ffffffffffffffff:ffffffffffffffff
// stdout: cases 0 1 2 9
// stdout: power f4e629ac12d2187 fibonacci 7dd446c1f9:5e43f356255be4c8
// stdout: factorial d13f6370f96:865df5dd54000000
// stdout: by zero ffffffffffffffff:ffffffffffffffff
// count: oneAccess global load executed = 1
// count: oneAccess global load sectors = 16
// count: oneAccess global store executed = 1
// count: oneHalf global load executed = 1
// count: inShared shared load wavefronts = 4
// count: inShared shared store wavefronts = 4
#include <cstdint>
#include <cstdio>

typedef unsigned __int128 u128;
typedef __int128 i128;

static void pairOf(const u128 *numbers, int count, int index, u128 &a, u128 &b) {
  a = numbers[index % count];
  b = numbers[(index * 7 + index / count) % count];
}

struct Results {
  u128 values[6];
};

__host__ __device__ Results arithmetic(u128 a, u128 b) {
  return {{a + b, a - b, a * b, (u128)(uint64_t)a * (uint64_t)b, (u128)((i128)(int64_t)a * (int64_t)b),
           a * 1000003u - (uint32_t)b}};
}

__host__ __device__ Results shiftsAndBits(u128 a, u128 b) {
  int n = (int)(b & 127);
  u128 rotated = n ? a << n | a >> (128 - n) : a;
  return {{a << n, a >> n, (u128)((i128)a >> n) + (a << 77) + (a >> 99) + (a << 64) + (a >> 5), (a & b) | (a ^ ~b), rotated,
           ((u128)(uint32_t)(a >> 40) << 96) | (uint16_t)b}};
}

__host__ __device__ Results comparisons(u128 a, u128 b) {
  i128 x = (i128)a, y = (i128)b;
  u128 flags = (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a > b) << 4 | (a >= b) << 5;
  flags |= (x < y) << 6 | (x <= y) << 7 | (x > y) << 8 | (x >= y) << 9 | (x < 0) << 10 | (x > -1) << 11 | (a > ~(u128)0 >> 1) << 12;
  return {{flags, a < b ? a : b, x < y ? a : b, (u128)(x < 0 ? -x : x), a > b ? a - b : 0, a < b ? 5 : (u128)(int64_t)(int32_t)b}};
}

__host__ __device__ Results divisions(u128 a, u128 b) {
  u128 d = b ? b : 1;
  i128 x = (i128)a, y = (i128)d;
  if (y == -1) y = 3;
  return {{a / d, a % d, (u128)(x / y), (u128)(x % y), a % ((uint64_t)d | 1) + a / 10, (u128)(x / 1000000007)}};
}

__host__ __device__ Results floats(u128 a, u128 b) {
  double d = (double)a, s = (double)(i128)a;
  float f = (float)(i128)b;
  double inside = (double)(b >> 1);
  union { double d; uint64_t bits; } first = {d}, second = {s};
  union { float f; uint32_t bits; } third = {f}, fourth = {(float)(b >> 20)};
  return {{first.bits, second.bits, (u128)third.bits << 32 | fourth.bits, (u128)(inside * 0.75), (u128)(i128)(-inside * 0.5), (u128)(1.5f * (float)(uint32_t)a)}};
}

template <Results (*Function)(u128, u128)> __global__ void apply(const u128 *a, const u128 *b, Results *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = Function(a[i], b[i]);
}

template <Results (*Function)(u128, u128)> void check(const char *name, int parts) {
  const int bases = 80, n = 5120;
  static u128 numbers[bases];
  uint64_t state = 88172645463325252ull;
  for (int i = 0; i < bases; i++) {
    u128 x = 0;
    for (int k = 0; k < 2; k++) {
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      x = x << 64 | state;
    }
    x >>= (i * 13) % 128;
    numbers[i] = i % 8 == 0 ? (u128)1 << (i * 3 % 128) : i % 8 == 1 ? ~(u128)0 << (i * 5 % 128) : i % 8 == 2 ? ~x : i == 3 ? 0 : x;
  }
  u128 *a, *b;
  Results *out;
  cudaMallocManaged(&a, n * sizeof(u128));
  cudaMallocManaged(&b, n * sizeof(u128));
  cudaMallocManaged(&out, n * sizeof(Results));
  for (int i = 0; i < n; i++) pairOf(numbers, bases, i, a[i], b[i]);
  apply<Function><<<n / 128, 128>>>(a, b, out, n);
  cudaDeviceSynchronize();
  int differing = 0;
  for (int i = 0; i < n; i++) {
    Results expected = Function(a[i], b[i]);
    for (int part = 0; part < parts; part++) differing += out[i].values[part] != expected.values[part];
  }
  printf("%s: %d of %d differ\n", name, differing, n * parts);
  cudaFree(a), cudaFree(b), cudaFree(out);
}

struct Member {
  uint32_t tag;
  u128 value;
};

__constant__ u128 known[2] = {(u128)0x123456789abcdefull << 64 | 0xfedcba9876543210ull, ~(u128)0};
__device__ u128 variable = (u128)7 << 100 | 9;

__global__ void takesArgument(u128 *out, char small, u128 a, i128 b) {
  out[0] = a * small;
  out[1] = (u128)(b << 1);
}

__global__ void changesMembers(Member *members) { members[threadIdx.x].value += members[threadIdx.x].tag + 1; }

__global__ void oneAccess(const u128 *in, u128 *out) { out[threadIdx.x] = in[threadIdx.x] + 1; }

__global__ void oneHalf(const u128 *in, uint64_t *out) { out[threadIdx.x] = (uint64_t)(in[threadIdx.x] >> 64); }

__global__ void inShared(u128 *out) {
  __shared__ u128 tile[32];
  tile[threadIdx.x] = out[threadIdx.x] + 32;
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}

__global__ void inLocal(u128 *out, const int *order) {
  u128 own[4];
  for (int i = 0; i < 4; i++) own[i] = (u128)i << 64 | i * threadIdx.x;
  out[threadIdx.x] = own[order[threadIdx.x]];
}

__global__ void readsConstants(u128 *out) {
  out[0] = known[0];
  out[1] = known[threadIdx.x + 1] & ~(variable ^ variable);
}

__device__ int caseOf(u128 x) {
  switch (x) {
  case 5: return 0;
  case (u128)5 << 64: return 1;
  case ~(u128)0: return 2;
  default: return 9;
  }
}

__global__ void switches(int *out, const u128 *in) { out[threadIdx.x] = caseOf(in[threadIdx.x]); }

__device__ uint64_t powerOf(uint64_t base, uint64_t exponent, uint64_t modulus) {
  uint64_t result = 1;
  for (; exponent; exponent >>= 1) {
    if (exponent & 1) result = (uint64_t)((u128)result * base % modulus);
    base = (uint64_t)((u128)base * base % modulus);
  }
  return result;
}

__device__ u128 factorial(int n) { return n < 2 ? (u128)1 : n * factorial(n - 1); }

__global__ void numbers(u128 *out, int n) {
  out[0] = powerOf(3, 1ull << 62, 0xffffffffffffffc5ull);
  u128 a = 0, b = 1;
  for (int i = 0; i < n; i++) {
    u128 next = a + b;
    a = b;
    b = next;
  }
  out[1] = a;
  out[2] = factorial(n / 5);
  out[3] = out[0] / out[4];
}

static const char *text(u128 x) {
  static char texts[4][40];
  static int at = 0;
  char *text = texts[at++ & 3];
  snprintf(text, 40, "%llx:%llx", (unsigned long long)(x >> 64), (unsigned long long)x);
  return text;
}

int main() {
  printf("sizes %d %d %d %d\n", (int)sizeof(u128), (int)alignof(i128), (int)sizeof(Member), (int)alignof(Member));
  check<arithmetic>("arithmetic", 6);
  check<shiftsAndBits>("shifts and bits", 6);
  check<comparisons>("comparisons", 6);
  check<divisions>("divisions", 6);
  check<floats>("floats", 6);

  u128 *out;
  cudaMallocManaged(&out, 64 * sizeof(u128));
  takesArgument<<<1, 1>>>(out, 16, (u128)3 << 64 | 0xfffffffffffffff, (i128)-1 << 64);
  cudaDeviceSynchronize();
  printf("argument %s %s\n", text(out[0]), text(out[1]));

  Member *members;
  cudaMallocManaged(&members, 8 * sizeof(Member));
  for (int i = 0; i < 8; i++) members[i] = {(uint32_t)(7 + i), (u128)i << 64};
  changesMembers<<<1, 8>>>(members);
  cudaDeviceSynchronize();
  printf("members %s %s\n", text(members[0].value), text(members[7].value));

  for (int i = 0; i < 32; i++) out[i] = i;
  oneAccess<<<1, 32>>>(out, out + 32);
  oneHalf<<<1, 32>>>(out, (uint64_t *)(out + 32));
  inShared<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  printf("shared %s %s\n", text(out[0]), text(out[1]));

  int *order;
  cudaMallocManaged(&order, 32 * sizeof(int));
  for (int i = 0; i < 32; i++) order[i] = i & 3;
  inLocal<<<1, 32>>>(out, order);
  cudaDeviceSynchronize();
  printf("local %s %s\n", text(out[3]), text(out[4]));

  readsConstants<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf("constants %s %s\n", text(out[0]), text(out[1]));

  const u128 cases[] = {5, (u128)5 << 64, ~(u128)0, 6};
  for (int i = 0; i < 4; i++) out[i] = cases[i];
  switches<<<1, 4>>>(order, out);
  cudaDeviceSynchronize();
  printf("cases %d %d %d %d\n", order[0], order[1], order[2], order[3]);

  out[4] = 0;
  numbers<<<1, 1>>>(out, 150);
  cudaDeviceSynchronize();
  printf("power %llx fibonacci %s\n", (unsigned long long)out[0], text(out[1]));
  printf("factorial %s\n", text(out[2]));
  printf("by zero %s\n", text(out[3]));
}
