// libcu++: cuda::std on both sides, and what it adds.
// levels: nightly
// stdout: identity 5, array 6, tuple 7, swap 2 1, complex 3 4, optional 4, limits 2147483647
// stdout: device: sorted position 2, sum 10, bits 3 16 2, span 4 9, atomic 64 63, max 3 min 2, ceil 4, round 12
// stdout: same 1, then host
#include <cuda/atomic>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/std/algorithm>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/bit>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/concepts>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <nv/target>
#include <cstdio>
#include <vector>

__host__ __device__ const char *side() {
  NV_IF_TARGET(NV_IS_DEVICE, (return "device";), (return "host";))
}

__host__ __device__ int total(cuda::std::span<const int> values) {
  return cuda::std::accumulate(values.begin(), values.end(), 0);
}

__global__ void everything(cuda::std::array<int, 3> given, cuda::std::atomic<int> *counter, int *greatest) {
  int ticket = counter->fetch_add(1, cuda::std::memory_order_relaxed);
  cuda::atomic_ref<int, cuda::thread_scope_device>(*greatest).fetch_max(ticket);
  if (threadIdx.x || blockIdx.x) return;
  cuda::std::array<int, 3> array = given;
  array[1] += 1;
  auto tuple = cuda::std::make_tuple(1, 2.0f);
  cuda::std::get<0>(tuple) = 7;
  int one = 1, two = 2;
  cuda::std::swap(one, two);
  cuda::std::complex<float> c(1, 2);
  c += cuda::std::complex<float>(2, 2);
  cuda::std::optional<int> maybe;
  if (one == 2) maybe = 4;
  printf("identity %d, array %d, tuple %d, swap %d %d, complex %g %g, optional %d, limits %d\n", cuda::std::identity()(5),
         array[0] + array[1] + array[2], cuda::std::get<0>(tuple), one, two, c.real(), c.imag(), *maybe,
         cuda::std::numeric_limits<int>::max());
  int values[4] = {1, 2, 3, 4};
  cuda::std::span<int> view(values);
  int *at = cuda::std::lower_bound(values, values + 4, 3);
  printf("%s: sorted position %d, sum %d, bits %d %u %d, span %d %d, ", side(), (int)(at - values), total(values),
         cuda::std::popcount(7u), cuda::std::bit_ceil(9u), cuda::std::countl_zero((uint8_t)0x3f), (int)view.size(),
         total(view.subspan(1)));
}

int main() {
  cuda::std::atomic<int> *counter;
  int *greatest;
  cudaMallocManaged(&counter, sizeof *counter);
  cudaMallocManaged(&greatest, sizeof(int));
  new (counter) cuda::std::atomic<int>(0);
  *greatest = -1;
  everything<<<2, 32>>>({1, 2, 2}, counter, greatest);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  printf("atomic %d %d, max %d min %d, ceil %d, round %d\n", static_cast<volatile cuda::std::atomic<int> *>(counter)->load(cuda::memory_order_acquire), *greatest, cuda::maximum<int>()(2, 3),
         cuda::minimum<>()(2, 3), cuda::ceil_div(10, 3), cuda::round_up(10, 4));
  auto proclaimed = cuda::proclaim_return_type<int>([] __device__(int x) { return x; });
  static_assert(cuda::std::is_same<cuda::std::remove_cvref_t<const int &>, int>::value, "as the standard's");
  static_assert(cuda::std::integral<int> && !cuda::std::floating_point<int> && cuda::std::same_as<int, int>, "concepts");
  static_assert(cuda::std::copyable<int> && !cuda::std::copyable<cuda::std::atomic<int>>, "concepts");
  static_assert(cuda::std::invocable<decltype(proclaimed), int>, "concepts");
  std::vector<int> host = {1, 2, 3};
  printf("same %d, then %s\n", total(host) == 6, side());
}
