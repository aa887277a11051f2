// PTX's cvt in assembly: every kind of source and destination, roundings, limits, its parts in any order that ptxas takes.
// stdout: integers of floats 0
// stdout: integers of integers 0
// stdout: floats 0
// stdout: u8 0 0 2 4 255 255 0 0
// stdout: tf32 3f802000 3f800000 bf802000 7f800000 7fffffff
// stdout: pair 40003c00 c0003f80 relu 00003c00
#include <cmath>
#include <cstdio>
#include <cuda_fp16.h>
#define FLOATS 24
__constant__ float inputs[FLOATS] = {0,      -0.0f,  0.5f,   1.5f,     2.5f,     -0.5f,    -1.5f,   3.7f,  -3.7f,  127.5f,  128.2f, -128.5f,
                                     -130.f, 254.5f, 255.5f, 40000.3f, 70000.7f, 3000.5f, 3e9f, 5e9f, -5e9f, 1e-40f, -1e-40f, 1e20f};
__device__ int differences[3];

template <class T, class F> __device__ T limited(F x) {
  constexpr T high = T(-1) < T(0) ? T((1ull << (8 * sizeof(T) - 1)) - 1) : T(-1);
  constexpr T low = T(~high);
  const double whole = x;
  return whole <= low ? low : whole >= high ? high : T(whole);
}
template <class T> __device__ unsigned long long bitsOf(T x) { return x; }
__device__ unsigned long long bitsOf(float x) { return __float_as_uint(x); }
template <class T> __device__ void expect(int kind, T got, T wanted) {
  if (bitsOf(got) != bitsOf(wanted)) {
    atomicAdd(&differences[kind], 1);
    printf("kind %d thread %d: got %.9g, not %.9g\n", kind, threadIdx.x, double(got), double(wanted));
  }
}
#define TO_INTEGER(opcode, T, letter, Register, rounded)          \
  {                                                               \
    Register r;                                                   \
    asm(opcode " %0, %1;" : "=" letter(r) : "f"(x));              \
    expect<Register>(0, r, (Register)limited<T>(rounded));        \
  }
#define TO_INTEGERS(rounding, rounded)                                             \
  TO_INTEGER("cvt." rounding ".u8.f32", unsigned char, "r", unsigned, rounded)     \
  TO_INTEGER("cvt." rounding ".sat.s8.f32", signed char, "r", int, rounded)        \
  TO_INTEGER("cvt." rounding ".s16.f32", short, "h", short, rounded)               \
  TO_INTEGER("cvt.u16.f32." rounding ".sat", unsigned short, "r", unsigned, rounded) \
  TO_INTEGER("cvt." rounding ".s32.f32", int, "r", int, rounded)                   \
  TO_INTEGER("cvt.sat." rounding ".u32.f32", unsigned, "r", unsigned, rounded)     \
  TO_INTEGER("cvt." rounding ".s64.f32", long long, "l", long long, rounded)       \
  TO_INTEGER("cvt." rounding ".u64.f32", unsigned long long, "l", unsigned long long, rounded)
#define OF_DOUBLE(opcode, T, Register, rounded)                    \
  {                                                                \
    Register r;                                                    \
    asm(opcode " %0, %1;" : "=r"(r) : "d"((double)x));             \
    expect<Register>(0, r, (Register)limited<T>(rounded));         \
  }

__global__ void toIntegers() {
  const float x = inputs[threadIdx.x];
  TO_INTEGERS("rni", rintf(x))
  TO_INTEGERS("rzi", truncf(x))
  TO_INTEGERS("rmi", floorf(x))
  TO_INTEGERS("rpi", ceilf(x))
  const float flushed = fabsf(x) < 1e-38f ? 0 : x;
  TO_INTEGER("cvt.rmi.ftz.s32.f32", int, "r", int, floorf(flushed))
  TO_INTEGER("cvt.rpi.ftz.u8.f32", unsigned char, "r", unsigned, ceilf(flushed))
  OF_DOUBLE("cvt.rni.u8.f64", unsigned char, unsigned, rintf(x))
  OF_DOUBLE("cvt.rmi.sat.s16.f64", short, int, floorf(x))
  OF_DOUBLE("cvt.rpi.s32.f64", int, int, ceilf(x))
  if (fabsf(x) <= 3000.5f && fabsf(x) != 3.7f && (x == 0 || fabsf(x) > 0.1f)) {
    TO_INTEGER("{ .reg .b16 t; cvt.rn.f16.f32 t, %1; cvt.rni.s8.f16 %0, t; } //", signed char, "r", int, rintf(__half2float(__float2half(x))))
  }
}

#define LIMITED(opcode, T, x, letter, wanted)                         \
  {                                                                   \
    int r;                                                            \
    asm(opcode " %0, %1;" : "=r"(r) : letter(x));                     \
    expect<int>(1, r, int(wanted));                                   \
  }

__global__ void integers() {
  const int x = (int)(threadIdx.x * 2654435761u) >> (threadIdx.x % 4 * 8);
  const long long wide = (long long)x << (threadIdx.x % 3 * 8);
  LIMITED("cvt.sat.u8.s32", unsigned char, x, "r", x < 0 ? 0 : x > 255 ? 255 : x)
  LIMITED("cvt.sat.s8.u32", signed char, x, "r", (unsigned)x > 127 ? 127 : x)
  LIMITED("cvt.sat.s16.s32", short, x, "r", x < -32768 ? -32768 : x > 32767 ? 32767 : x)
  LIMITED("cvt.u32.s32.sat", unsigned, x, "r", x < 0 ? 0 : x)
  LIMITED("cvt.sat.s32.u32", int, x, "r", x < 0 ? 0x7fffffff : x)
  LIMITED("cvt.sat.s32.s64", int, wide, "l", wide < -0x7fffffffll - 1 ? -0x7fffffffll - 1 : wide > 0x7fffffff ? 0x7fffffff : wide)
  LIMITED("cvt.sat.u16.s64", unsigned short, wide, "l", wide < 0 ? 0 : wide > 65535 ? 65535 : wide)
  LIMITED("cvt.s8.s32", signed char, x, "r", (signed char)x)
  LIMITED("cvt.u16.s32", unsigned short, x, "r", (unsigned short)x)
}

#define TO_FLOAT(opcode, x, letter, wanted)              \
  {                                                      \
    float r;                                             \
    asm(opcode " %0, %1;" : "=f"(r) : letter(x));        \
    expect<float>(2, r, wanted);                         \
  }

__global__ void floats() {
  const float x = inputs[threadIdx.x];
  const int n = (int)(threadIdx.x * 2654435761u);
  const double d = x * 1.000000123456789;
  TO_FLOAT("cvt.sat.f32.f32", x, "f", __saturatef(x))
  TO_FLOAT("cvt.rni.f32.f32", x, "f", rintf(x))
  TO_FLOAT("cvt.rpi.sat.f32.f32", x, "f", __saturatef(ceilf(x)))
  TO_FLOAT("cvt.ftz.f32.f32", x, "f", fabsf(x) < 1e-38f ? copysignf(0, x) : x)
  TO_FLOAT("cvt.f32.f32", x, "f", x)
  TO_FLOAT("cvt.rn.f32.f64", d, "d", __double2float_rn(d))
  TO_FLOAT("cvt.rm.f32.f64", d, "d", __double2float_rd(d))
  TO_FLOAT("cvt.f32.rp.f64", d, "d", __double2float_ru(d))
  TO_FLOAT("cvt.rz.sat.f32.f64", d, "d", __saturatef(__double2float_rz(d)))
  TO_FLOAT("cvt.rn.f32.s32", n, "r", __int2float_rn(n))
  TO_FLOAT("cvt.rp.f32.u32", n, "r", __uint2float_ru(n))
  TO_FLOAT("cvt.rm.sat.f32.s32", n, "r", n > 0 ? 1.f : 0.f)
  TO_FLOAT("cvt.rn.f32.s8", n, "r", (float)(signed char)n)
  TO_FLOAT("cvt.rz.f32.u16", n, "r", (float)(unsigned short)n)
}

__global__ void bits(unsigned *out) {
  const float u8s[8] = {-3, 0.5f, 1.5f, 3.7f, 255.5f, 1e20f, NAN, -INFINITY};
  for (int i = 0; i < 8; ++i) asm("cvt.rni.u8.f32.sat %0, %1;" : "=r"(out[i]) : "f"(u8s[i]));
  const unsigned tf32s[5] = {0x3f801000, 0x3f800fff, 0xbf801000, 0x7f7fffff, 0xffc00000};
  for (int i = 0; i < 5; ++i) asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(out[8 + i]) : "f"(__uint_as_float(tf32s[i])));
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(out[13]) : "f"(2.f), "f"(1.f));
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(out[14]) : "f"(-2.f), "f"(1.f));
  asm("cvt.rz.relu.f16x2.f32 %0, %1, %2;" : "=r"(out[15]) : "f"(-2.f), "f"(1.0001f));
}

int main() {
  toIntegers<<<1, FLOATS>>>();
  integers<<<1, 64>>>();
  floats<<<1, FLOATS>>>();
  unsigned *out, h[16];
  int n[3];
  cudaMalloc(&out, sizeof h);
  bits<<<1, 1>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(n, differences, sizeof n);
  printf("integers of floats %d\nintegers of integers %d\nfloats %d\nu8", n[0], n[1], n[2]);
  for (int i = 0; i < 8; ++i) printf(" %u", h[i]);
  printf("\ntf32 %08x %08x %08x %08x %08x\n", h[8], h[9], h[10], h[11], h[12]);
  printf("pair %08x %08x relu %08x\n", h[13], h[14], h[15]);
}
