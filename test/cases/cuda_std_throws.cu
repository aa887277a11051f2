// Functions of cuda::std that throw on the host stop a kernel.
// stdout: 2 7 2.5, then unspecified launch failure
// stderr: the program executed a trap
#include <cstdio>
#include <cuda/std/array>
#include <cuda/std/optional>
#include <cuda/std/variant>
__global__ void look(unsigned i, bool has, float *out) {
  cuda::std::array<float, 3> numbers = {1, 2, 3};
  cuda::std::optional<int> maybe;
  if (has) maybe = 7;
  cuda::std::variant<int, float> either = 2.5f;
  out[0] = numbers.at(i), out[1] = maybe.value(), out[2] = cuda::std::get<float>(either);
}
int main() {
  float *out;
  cudaMallocManaged(&out, 3 * sizeof *out);
  look<<<1, 1>>>(1, true, out);
  cudaDeviceSynchronize();
  printf("%g %g %g", out[0], out[1], out[2]);
  look<<<1, 1>>>(1, false, out);
  printf(", then %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
