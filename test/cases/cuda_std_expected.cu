// libcu++: cuda::std::expected on both sides: values, errors, chains of functions, of no value, of strings of the host.
// levels: nightly
// stdout: expected: 0 differ, 8 1 8, chain 0 77 1270003
// stdout: nothing but an error, which is long as well 1 1
// stdout: caught nothing but an error, which is long as well
#include <cuda/std/expected>
#include <cstdio>
#include <string>
enum class Fault { negative, large };
__host__ __device__ cuda::std::expected<int, Fault> root(int x) {
  if (x < 0) return cuda::std::unexpected(Fault::negative);
  int r = 0;
  while ((r + 1) * (r + 1) <= x) r++;
  return r;
}
__host__ __device__ cuda::std::expected<void, int> small(int x) {
  if (x > 10) return cuda::std::unexpected<int>(x);
  return {};
}
__host__ __device__ int chain(int x) {
  auto twice = root(x).transform([](int r) { return r * 2.5; }).and_then([](double d) -> cuda::std::expected<int, Fault> {
    if (d > 20) return cuda::std::unexpected<Fault>(Fault::large);
    return (int)d;
  });
  auto other = twice.or_else([](Fault f) { return cuda::std::expected<int, Fault>(f == Fault::large ? 1000 : -1); });
  auto told = root(x).transform_error([](Fault f) { return (int)f + 7; });
  return *other * 10 + (told ? 0 : told.error()) + (small(x) ? 0 : small(x).error()) * 10000 + twice.value_or(3);
}
__global__ void kernel(int *out, cuda::std::expected<int, Fault> given) {
  out[threadIdx.x] = chain((int)threadIdx.x * 9 - 9);
  if (threadIdx.x == 0) {
    out[32] = given.value() + given.has_value() + (given == 5) + (root(-1) == cuda::std::unexpected(Fault::negative));
    cuda::std::expected<int, Fault> e(cuda::std::unexpect, Fault::large);
    out[33] = !e;
    e = 7;
    e.emplace(e.value() + 1);
    out[34] = *e;
    small(3).value();
  }
}
int main() {
  int *out;
  cudaMallocManaged(&out, 40 * sizeof(int));
  kernel<<<1, 16>>>(out, root(26));
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < 16; i++) wrong += out[i] != chain(i * 9 - 9);
  printf("expected: %d differ, %d %d %d, chain %d %d %d\n", wrong, out[32], out[33], out[34], out[0], out[2], out[15]);
  cuda::std::expected<std::string, std::string> text = std::string("a long text that is on the heap of the host"), copy = text;
  copy = cuda::std::unexpected<std::string>("nothing but an error, which is long as well");
  text = copy;
  printf("%s %d %d\n", text.error().c_str(), (int)(text == copy), (int)std::is_trivially_copyable<cuda::std::expected<int, Fault>>::value);
  try {
    text.value();
  } catch (const cuda::std::bad_expected_access<std::string> &bad) {
    printf("caught %s\n", bad.error().c_str());
  }
}
