// Lists of indices are the C++ library's; sizes beside them keep their 8 bytes.
// levels: nightly
// stdout: 6 12 8
#include <cstdio>
#include <tuple>
#include <utility>
template <class F, class Tuple, std::size_t... INDEX>
__host__ __device__ constexpr decltype(auto) applyAll(F &&f, Tuple &&t, std::index_sequence<INDEX...>) {
  return std::forward<F>(f)(std::get<INDEX>(std::forward<Tuple>(t))...);
}
template <size_t... I> __device__ int sumOf(std::index_sequence<I...>, const int *values) { return (0 + ... + values[I]); }
__global__ void kernel(int *values) { values[0] = sumOf(std::make_index_sequence<4>{}, values); }
int main() {
  int values[4] = {3, 4, 5, 0}, *d;
  size_t bytes = sizeof values;
  cudaMalloc(&d, bytes);
  cudaMemcpy(d, values, bytes, cudaMemcpyHostToDevice);
  kernel<<<1, 1>>>(d);
  cudaMemcpy(values, d, bytes, cudaMemcpyDeviceToHost);
  const auto sum = [](int a, int b, int c) { return a + b + c; };
  printf("%d %d %d\n", applyAll(sum, std::make_tuple(1, 2, 3), std::make_index_sequence<3>{}), values[0], (int)sizeof bytes);
}
