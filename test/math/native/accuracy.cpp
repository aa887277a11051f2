// Measures the error of include/warplens/math against libquadmath, natively (the headers are plain C++ without __device__).
//
// Build and run by test/math/accuracy.mjs. For each function: random bit patterns over the whole format, dense samples of
// the ranges where it has structure, and special values. Prints one line a function: name, largest error in ulp (distance
// from the exact value, in units of the result's last place; a correctly rounded result reads 0.5 or less), NVIDIA's
// documented bound (in ulps from the correctly rounded result), and the worst argument. Exits 1 when a bound is exceeded or
// a special value differs.
#include <quadmath.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#define __device__
#define __forceinline__ inline __attribute__((always_inline))
#define __WL_FN static inline __attribute__((unused))
namespace device {
#include "device_math.h"
}

typedef __float128 quad;
static uint64_t state = 0x9e3779b97f4a7c15ULL;
static uint64_t random64() {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 0x2545f4914f6cdd1dULL;
}
template <class T> T cast(uint64_t bits) {
  T x;
  if constexpr (sizeof(T) == 4) {
    uint32_t b = (uint32_t)bits;
    memcpy(&x, &b, 4);
  } else memcpy(&x, &bits, 8);
  return x;
}
/// Size of the last place of the format at y, never below the least subnormal.
template <class T> quad ulp(quad y) {
  int e;
  frexpq(y, &e);
  const int digits = sizeof(T) == 4 ? 24 : 53, least = sizeof(T) == 4 ? -149 : -1074;
  return ldexpq(1, e - digits < least ? least : e - digits);
}
template <class T> double ulpError(T got, quad want) {
  const quad largest = sizeof(T) == 4 ? (quad)3.4028234663852886e38 : (quad)1.7976931348623157e308;
  if (isnanq(want)) return std::isnan(got) ? 0 : INFINITY;
  if (std::isnan(got)) return INFINITY;
  quad limit = largest + ulp<T>(largest) / 2;
  if (fabsq(want) >= limit) {
    if (std::isinf(got) && (got > 0) == (want > 0)) return 0;
    if (isinfq(want)) return INFINITY;
    return (double)(fabsq(want - got) / ulp<T>(largest));
  }
  if (std::isinf(got)) return (double)((largest + ulp<T>(largest) - fabsq(want)) / ulp<T>(largest));
  if (want == 0 && got == 0) return 0;
  return (double)(fabsq((quad)got - want) / ulp<T>(want));
}

static int failures = 0;
static double effort = 1;
static const char* only = nullptr;

struct Range { double low, high; };
/// Ranges that every function is sampled in, besides all bit patterns.
static const std::vector<Range> usual = {{-1, 1}, {-10, 10}, {-100, 100}, {-1000, 1000}, {0.5, 2}, {-1e-3, 1e-3}};

/// With --expectations: lines "function bound arguments result" in hexadecimal bit patterns, for deviceMath.test.ts.
static FILE* expectations = nullptr;
template <class T> uint64_t bitsOf(T x) {
  uint64_t bits = 0;
  memcpy(&bits, &x, sizeof x);
  return bits;
}
template <class T> static void expectation(const char* name, double bound, std::vector<T> arguments, quad want) {
  fprintf(expectations, "%s %g", name, bound);
  for (T x : arguments) fprintf(expectations, " %0*llx", (int)sizeof(T) * 2, (unsigned long long)bitsOf(x));
  T result = (T)want;
  if (std::isnan(result)) fprintf(expectations, " nan\n");
  else fprintf(expectations, " %0*llx\n", (int)sizeof(T) * 2, (unsigned long long)bitsOf(result));
}

static void report(const char* name, double worst, double bound, double x, double y, bool binary) {
  bool bad = !(worst <= bound + 0.5);
  failures += bad;
  if (binary) printf("%-14s %8.3f ulp  bound %5.1f  at (%a, %a)%s\n", name, worst, bound, x, y, bad ? "  EXCEEDS" : "");
  else printf("%-14s %8.3f ulp  bound %5.1f  at %a = %.9g%s\n", name, worst, bound, x, x, bad ? "  EXCEEDS" : "");
}
static bool wanted(const char* name) { return !only || std::string(name).find(only) == 0; }

template <class T> static void unary(const char* name, double bound, T (*f)(T), std::function<quad(quad)> reference,
                                     std::vector<Range> ranges = {}, Range domain = {-INFINITY, INFINITY}) {
  if (!wanted(name)) return;
  if (expectations) {
    if (strchr(name, ' ')) return;
    std::vector<T> points = {(T)-0.0, (T)1, (T)-1, (T)INFINITY, (T)NAN};
    for (int list = 0; list < 2; list++)
      for (const Range& r : list ? ranges : std::vector<Range>{{-1, 1}, {-20, 20}, {0, 2}})
        for (int i = 0; i < 2; i++) points.push_back((T)(r.low + (r.high - r.low) * ((double)(random64() >> 11) * 0x1p-53)));
    for (T x : points)
      if ((x >= domain.low && x <= domain.high) || std::isnan(x)) expectation<T>(name, bound, {x}, reference((quad)x));
    return;
  }
  double worst = 0, at = 0;
  auto check = [&](T x) {
    if (!(x >= domain.low && x <= domain.high) && !std::isnan(x)) return;
    double e = ulpError<T>(f(x), reference((quad)x));
    if (e > worst) worst = e, at = x;
  };
  for (T x : {(T)0.0, (T)-0.0, (T)1, (T)-1, (T)0.5, (T)-0.5, (T)2, (T)-2, (T)INFINITY, (T)-INFINITY, (T)NAN}) check(x);
  long n = (long)((sizeof(T) == 4 ? 200000 : 100000) * effort);
  for (long i = 0; i < n; i++) check(cast<T>(random64()));
  for (int list = 0; list < 2; list++)
    for (const Range& r : list ? ranges : usual)
      for (long i = 0; i < n / 4; i++) check((T)(r.low + (r.high - r.low) * ((double)(random64() >> 11) * 0x1p-53)));
  // Zeros keep their sign where the reference does.
  for (T z : {(T)0.0, (T)-0.0})
    if (z >= domain.low && reference(z) == 0 && std::signbit(f(z)) != (bool)signbitq(reference(z))) {
      printf("%-14s sign of zero differs at %g\n", name, (double)z);
      failures++;
    }
  report(name, worst, bound, at, 0, false);
}
template <class T> static void binary(const char* name, double bound, T (*f)(T, T), std::function<quad(quad, quad)> reference,
                                      std::vector<Range> ranges = {}) {
  if (!wanted(name)) return;
  if (expectations) {
    if (strstr(name, "norm")) return;
    std::vector<T> special = {(T)-0.0, (T)1, (T)-2, (T)3, (T)INFINITY, (T)NAN};
    for (size_t i = 0; i < special.size(); i++)
      for (size_t j = i & 1; j < special.size(); j += 2) expectation<T>(name, bound, {special[i], special[j]}, reference(special[i], special[j]));
    for (int i = 0; i < 8; i++) {
      T x = (T)((double)(random64() >> 11) * 0x1p-53 * 20 - 5), y = (T)((double)(random64() >> 11) * 0x1p-53 * 20 - 5);
      expectation<T>(name, bound, {x, y}, reference(x, y));
    }
    return;
  }
  double worst = 0, atX = 0, atY = 0;
  auto check = [&](T x, T y) {
    double e = ulpError<T>(f(x, y), reference((quad)x, (quad)y));
    if (e > worst) worst = e, atX = x, atY = y;
  };
  std::vector<T> special = {(T)0.0, (T)-0.0, (T)1, (T)-1, (T)0.5, (T)-0.5, (T)2, (T)-2, (T)3, (T)-3, (T)1e30, (T)-1e30, (T)16777217,
                            (T)INFINITY, (T)-INFINITY, (T)NAN, (T)1e-40, (T)-1e-40};
  for (T x : special)
    for (T y : special) {
      check(x, y);
      quad want = reference(x, y);
      if (want == 0 && f(x, y) == 0 && std::signbit(f(x, y)) != (bool)signbitq(want)) {
        printf("%-14s sign of zero differs at (%g, %g)\n", name, (double)x, (double)y);
        failures++;
      }
    }
  long n = (long)((sizeof(T) == 4 ? 200000 : 100000) * effort);
  for (long i = 0; i < n; i++) check(cast<T>(random64()), cast<T>(random64()));
  auto sample = [](Range r) { return (T)(r.low + (r.high - r.low) * ((double)(random64() >> 11) * 0x1p-53)); };
  std::vector<Range> all = usual;
  all.insert(all.end(), ranges.begin(), ranges.end());
  for (const Range& r : all)
    for (const Range& s : all)
      for (long i = 0; i < n / 20; i++) check(sample(r), sample(s));
  report(name, worst, bound, atX, atY, true);
}

/// For functions whose documented error is absolute.
static void absolute(const char* name, double bound, std::function<double(double)> f, std::function<quad(quad)> reference, Range r) {
  if (!wanted(name) || expectations) return;
  double worst = 0, at = 0;
  for (long i = 0; i < (long)(100000 * effort); i++) {
    double x = r.low + (r.high - r.low) * ((double)(random64() >> 11) * 0x1p-53);
    double e = (double)fabsq((quad)f(x) - reference(x));
    if (!(e <= worst)) worst = e, at = x;
  }
  bool bad = !(worst <= bound);
  failures += bad;
  printf("%-14s %8.2g     bound %8.2g  at %a%s\n", name, worst, bound, at, bad ? "  EXCEEDS" : "");
}

#include "accuracy_references.h"

int main(int count, char** arguments) {
  if (count > 2 && !strcmp(arguments[1], "--expectations")) expectations = fopen(arguments[2], "w"), count = 1;
  if (count > 1) effort = atof(arguments[1]);
  if (count > 2) only = arguments[2];
#include "accuracy_functions.h"
  printf(failures ? "%d failures\n" : "all within bounds\n", failures);
  return failures != 0;
}
