// A program that tells `long` and `long long` apart: both have 8 bytes and are two types, size_t and int64_t are Linux's `long`.
// levels: nightly
// stdout: 1 2 3 4 3 1
// stdout: unsigned long 5000015000000000 8
// stdout: 0 -1 9 4 -3 10 5000000007
// stdout: 12345678901 -5 2dfdc1c35    -5|12345678901|9223372036854775807
// stdout: 77 9 25 5 12345678901
// stdout: f(long) f(long long) f(int) 9 2
// stdout: 11 5 3
// stdout: 12345678902 12345678900
// stdout: caught 5
#include <algorithm>
#include <atomic>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

using std::abs;
template <class T> static T sum(T a, T b) { return a + b; }
template <class T> struct Number;
template <> struct Number<long> { static const int value = 1; };
template <> struct Number<long long> { static const int value = 2; };
template <> struct Number<uint64_t> { static const int value = 3; };
template <> struct Number<unsigned long long> { static const int value = 4; };
static const char *f(int) { return "f(int)"; }
static const char *f(long) { return "f(long)"; }
static const char *f(long long) { return "f(long long)"; }
template <class T> struct Shared;
template <> struct Shared<unsigned long> {
  static __device__ unsigned long *get() {
    extern __shared__ unsigned long words[];
    return words;
  }
  static constexpr const char *name = "unsigned long";
};
template <> struct Shared<unsigned long long> {};
enum Big : long { big = 1L << 40 };

__global__ void work(long *p, unsigned long v) {
  unsigned long *shared = Shared<unsigned long>::get();
  shared[0] = v;
  if (threadIdx.x == 0) {
    p[0] = max(p[0], p[1]);
    p[1] = min(p[1], p[2]);
    p[2] = abs(p[2]) + sizeof(long);
    p[3] = (long)pow((double)v - 5000000000UL + 2, 2) - v + 5000000000L;
  }
  long got = __shfl_down_sync(~0u, p[4] - threadIdx.x, 3);
  if (threadIdx.x == 0) p[4] = got, p[5] = __ldg(p + 5) + 5L, p[6] = shared[0] + 7;
}

int main() {
  printf("%d %d %d %d %d %d\n", Number<long>::value, Number<long long>::value, Number<unsigned long>::value,
         Number<unsigned long long>::value, Number<size_t>::value, Number<int64_t>::value);
  unsigned long a = 5000000000ul;
  printf("%s %lu %zu\n", Shared<size_t>::name, a * 1000003ul, sizeof(a));
  long *p;
  cudaMallocManaged(&p, 8 * sizeof(long));
  for (int i = 0; i < 8; i++) p[i] = i < 3 ? -i : i == 4 ? 0 : i;
  work<<<1, 32, sizeof(long)>>>(p, a);
  cudaDeviceSynchronize();
  printf("%ld %ld %ld %ld %ld %ld %ld\n", p[0], p[1] + 1, p[2] - 1, p[3], p[4], p[5], p[6]);
  std::stringstream text("12345678901 -5");
  unsigned long x;
  long y;
  text >> x >> y;
  std::cout << x << " " << y << std::flush;
  printf(" %lx %5ld|%-5lu|%ld\n", x, y, x, LONG_MAX);
  long z;
  sscanf("77", "%ld", &z);
  size_t n = 5;
  printf("%ld %d %g %ld %s\n", z, (int)std::max(n, std::vector<int>(9).size()), std::pow(y, 2), std::abs(y), std::to_string(x).c_str());
  std::atomic<long> counter(5);
  counter += 3;
  std::mt19937 engine(1);
  std::uniform_int_distribution<long> distribution(0, 5);
  printf("%s %s %s %ld %ld\n", f(y), f(2LL), f(2), ++counter, distribution(engine));
  size_t free, total;
  cudaMemGetInfo(&free, &total);
  std::unordered_map<long, long> map;
  map[5000000000] = 3;
  long int li = 5;
  printf("%d%d %ld %ld\n", total >= free, big > INT_MAX, li, map[5000000000]);
  printf("%ld %ld\n", (long)sum(x, UINT64_C(1)), (long)sum((int64_t)x, INT64_C(-1)));
  try {
    throw 5L;
  } catch (long value) {
    printf("caught %ld\n", value);
  }
}
