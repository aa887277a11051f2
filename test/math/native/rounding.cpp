// Compares the intrinsics with explicit rounding and the conversions with the processor's own rounding modes, bit for bit,
// on random, nearly equal, subnormal and special operands; and the fast intrinsics with NVIDIA's documented bounds.
//
// Build and run by test/math/accuracy.mjs (needs -frounding-math). Exits 1 on any difference.
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>

#define __device__
#define __forceinline__ inline
#define __WL_FN static inline __attribute__((unused))
namespace device {
#include "device_math.h"
}

static uint64_t state = 88172645463325252ULL;
static uint64_t random64() {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 0x2545f4914f6cdd1dULL;
}
static float toFloat(uint64_t bits) {
  float x;
  uint32_t b = (uint32_t)bits;
  memcpy(&x, &b, 4);
  return x;
}
static double toDouble(uint64_t bits) {
  double x;
  memcpy(&x, &bits, 8);
  return x;
}
static int failures = 0;
template <class T> static void same(const char* name, T got, T want, double a, double b, double c) {
  if ((got != got && want != want) || memcmp(&got, &want, sizeof got) == 0) return;
  if (failures++ < 40) printf("%s(%a, %a, %a) = %a, not %a\n", name, a, b, c, (double)got, (double)want);
}

/// `operation` in the processor's mode against the intrinsic; volatile operands keep it between the mode's changes.
#define CHECK(type, name, operation, ...)                \
  {                                                      \
    fesetround(mode);                                    \
    volatile type want = operation;                      \
    fesetround(FE_TONEAREST);                            \
    same<type>(#name, device::name(__VA_ARGS__), want, (double)x, (double)y, (double)z); \
  }
#define FLOATS(suffix)                                                     \
  CHECK(float, __fadd_##suffix, x + y, x, y)                               \
  CHECK(float, __fsub_##suffix, x - y, x, y)                               \
  CHECK(float, __fmul_##suffix, x * y, x, y)                               \
  CHECK(float, __fdiv_##suffix, x / y, x, y)                               \
  CHECK(float, __frcp_##suffix, 1.0f / x, x)                               \
  CHECK(float, __fsqrt_##suffix, std::sqrt((float)x), x)                   \
  CHECK(float, __fmaf_##suffix, std::fma((float)x, (float)y, (float)z), x, y, z)
#define DOUBLES(suffix)                                                       \
  CHECK(double, __dadd_##suffix, x + y, x, y)                                 \
  CHECK(double, __dsub_##suffix, x - y, x, y)                                 \
  CHECK(double, __dmul_##suffix, x * y, x, y)                                 \
  CHECK(double, __ddiv_##suffix, x / y, x, y)                                 \
  CHECK(double, __drcp_##suffix, 1.0 / x, x)                                  \
  CHECK(double, __dsqrt_##suffix, std::sqrt((double)x), x)                    \
  CHECK(double, __fma_##suffix, std::fma((double)x, (double)y, (double)z), x, y, z) \
  CHECK(float, __double2float_##suffix, (float)x, x)
#define INTEGERS(suffix)                                               \
  CHECK(float, __ll2float_##suffix, (float)(long long)x, x)            \
  CHECK(float, __ull2float_##suffix, (float)(unsigned long long)x, x)  \
  CHECK(double, __ll2double_##suffix, (double)(long long)x, x)         \
  CHECK(double, __ull2double_##suffix, (double)(unsigned long long)x, x) \
  CHECK(float, __int2float_##suffix, (float)(int)x, (int)x)            \
  CHECK(float, __uint2float_##suffix, (float)(unsigned)x, (unsigned)x)
#define MODES(GROUP)                             \
  for (int mode : {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD}) \
    switch (mode) {                              \
      case FE_TONEAREST: GROUP(rn) break;        \
      case FE_TOWARDZERO: GROUP(rz) break;       \
      case FE_UPWARD: GROUP(ru) break;           \
      default: GROUP(rd)                         \
    }

static double special() {
  static const double list[] = {0.0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 3, 5e-324, -5e-324, 1e-310, 2.2250738585072014e-308,
                                1.7976931348623157e308, -1.7976931348623157e308, 3.4028234663852886e38, 1e-45, -1e-45, 1.17549435e-38};
  return list[random64() % (sizeof list / sizeof *list)];
}
/// Kinds: any bits, magnitudes close together, subnormal and near, special.
static float someFloat(int kind) {
  uint64_t bits = random64() & 0x807fffff;
  if (kind == 0) return toFloat(random64());
  if (kind == 1) return toFloat(bits | ((120 + random64() % 14) << 23));
  if (kind == 2) return toFloat(bits | ((random64() % 2 ? random64() % 3 : 110 + random64() % 30) << 23));
  return (float)special();
}
static double someDouble(int kind) {
  uint64_t bits = random64() & 0x800fffffffffffffULL;
  if (kind == 0) return toDouble(random64());
  if (kind == 1) return toDouble(bits | ((1010 + random64() % 30) << 52));
  if (kind == 2) return toDouble(bits | ((random64() % 2 ? random64() % 4 : 1000 + random64() % 40) << 52));
  return special();
}

/// The largest fraction of a bound reached so far.
struct Bound {
  const char* name;
  double reached = 0;
  void ulps(float got, double want, double bound) {
    if (!(std::fabs(want) > 1.2e-38 && std::fabs(want) < 3.4e38)) return;
    int e;
    std::frexp(want, &e);
    take((std::fabs(got - want) / std::ldexp(1.0, e - 24) - 0.5) / bound);
  }
  void distance(float got, double want, double bits) { take(std::fabs(got - want) * std::exp2(bits)); }
  void take(double r) {
    if (r > reached) reached = r;
  }
  void print() {
    failures += reached > 1;
    printf("%-10s %5.2f of the documented bound\n", name, reached);
  }
};

int main() {
  for (int i = 0; i < 400000; i++) {
    int kind = i % 4;
    {
      volatile float x = someFloat(kind), y = someFloat(kind), z = someFloat(kind);
      MODES(FLOATS)
    }
    {
      volatile double x = someDouble(kind), y = someDouble(kind), z = someDouble(kind);
      MODES(DOUBLES)
    }
    {
      volatile unsigned long long x = random64() >> (random64() % 64), y = 0, z = 0;
      MODES(INTEGERS)
    }
  }
  printf("%d differences in directed rounding\n", failures);

  Bound exp{"__expf"}, exp10{"__exp10f"}, log2{"__log2f"}, log{"__logf"}, log10{"__log10f"}, sin{"__sinf"}, cos{"__cosf"};
  for (int i = 0; i < 1000000; i++) {
    double unit = (double)(random64() >> 11) * 0x1p-53;
    float t = (float)(unit * 200 - 100), s = t * 0.38f, x = std::fabs(toFloat(random64())), near = (float)(0.5 + 1.5 * unit), p = t * 0.0314159f;
    exp.ulps(device::__expf(t), std::exp((double)t), 2 + std::floor(std::fabs(1.173 * t)));
    exp10.ulps(device::__exp10f(s), std::pow(10.0, (double)s), 2 + std::floor(std::fabs(2.97 * s)));
    if (x > 0 && x < INFINITY && (x < 0.5 || x > 2)) {
      log2.ulps(device::__log2f(x), std::log2((double)x), 2);
      log.ulps(device::__logf(x), std::log((double)x), 3);
      log10.ulps(device::__log10f(x), std::log10((double)x), 3);
    }
    log2.distance(device::__log2f(near), std::log2((double)near), 22);
    log.distance(device::__logf(near), std::log((double)near), 21.41);
    log10.distance(device::__log10f(near), std::log10((double)near), 24);
    sin.distance(device::__sinf(p), std::sin((double)p), 21.41);
    cos.distance(device::__cosf(p), std::cos((double)p), 21.19);
  }
  for (Bound* b : {&exp, &exp10, &log2, &log, &log10, &sin, &cos}) b->print();

  long misrounded = 0;
  for (uint32_t bits = 0x3f800000; bits < 0x40800000; bits += 7) {
    float x = toFloat(bits);
    misrounded += device::__frsqrt_rn(x) != (float)(1 / std::sqrt((long double)x));
  }
  printf("__frsqrt_rn misrounded: %ld\n", misrounded);
  return failures != 0 || misrounded != 0;
}
