// libcu++: cuda::std::mdspan of each layout, with sizes that are known and that are not, as arguments and in shared memory.
// levels: nightly
// stdout: mdspan: 0 wrong, strides 65 1 and 1 33, sizes 2145 2 2
// stdout: sum 4560, strided 23 10 24 0, general 65, dynamic 20, rank 0 7
// count: transpose global load sectors = 353
#include <cuda/std/mdspan>
#include <cstdio>
namespace cs = cuda::std;
using Matrix = cs::mdspan<float, cs::dextents<int, 2>>;
using Columns = cs::mdspan<float, cs::dextents<int, 2>, cs::layout_left>;
__global__ void transpose(cs::mdspan<const float, cs::dextents<int, 2>> in, Columns out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < in.extent(0) && x < in.extent(1)) out(y, x) = in(y, x);
}
__global__ void stencil(cs::mdspan<float, cs::extents<int, cs::dynamic_extent, 4, 8>> grid, float *sum) {
  __shared__ float room[32];
  cs::mdspan tile(room, cs::extents<int, 4, 8>());
  tile(threadIdx.y, threadIdx.x) = 0;
  for (int z = 0; z < grid.extent(0); z++) tile(threadIdx.y, threadIdx.x) += grid(z, threadIdx.y, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0)
    for (int i = 0; i < tile.size(); i++) *sum += room[i];
}
int main() {
  float *a, *b;
  cudaMallocManaged(&a, 33 * 65 * sizeof(float));
  cudaMallocManaged(&b, 33 * 65 * sizeof(float));
  Matrix in(a, 33, 65);
  Columns out(b, 33, 65);
  for (int y = 0; y < in.extent(0); y++)
    for (int x = 0; x < in.extent(1); x++) in(y, x) = y * 100 + x;
  transpose<<<dim3(3, 5), dim3(32, 8)>>>(in, out);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int y = 0; y < 33; y++)
    for (int x = 0; x < 65; x++) wrong += b[x * 33 + y] != y * 100 + x || out[cs::array<int, 2>{y, x}] != in(y, x);
  printf("mdspan: %d wrong, strides %d %d and %d %d, sizes %d %d %d\n", wrong, in.stride(0), in.stride(1), out.stride(0), out.stride(1),
         (int)in.size(), (int)Matrix::rank(), (int)Matrix::rank_dynamic());
  float *sum = b;
  *sum = 0;
  for (int i = 0; i < 96; i++) a[i] = i;
  stencil<<<1, dim3(8, 4)>>>(cs::mdspan<float, cs::extents<int, cs::dynamic_extent, 4, 8>>(a, 3), sum);
  cudaDeviceSynchronize();
  cs::mdspan every(a, cs::layout_stride::mapping<cs::extents<int, 3, 2>>(cs::extents<int, 3, 2>(), cs::array<int, 2>{10, 3}));
  cs::mdspan<const float, cs::dextents<long long, 2>, cs::layout_stride> general(in);
  printf("sum %g, strided %g %g %d %d, general %d, dynamic %d, rank 0 %g\n", *sum, every(2, 1), every(1, 0), every.mapping().required_span_size(),
         (int)every.is_exhaustive(), (int)general.stride(0), (int)cs::mdspan(a, 3, 4, 5).stride(0), cs::mdspan<float, cs::extents<int>>(a + 7)());
}
