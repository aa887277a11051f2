// Headers may name the tensor memory accelerator's descriptors and products of bits (CUTLASS's do) beside what a program uses.
// stdout: map 128 128, types 6 9 15, swizzle 3
// stdout: encoder 801 0
// stdout: sum 6
// stderr: cudaGetDriverEntryPoint is not supported
#include <cstdio>
#include <cuda.h>
#include <cudaTypedefs.h>
#include <mma.h>
template <class T> constexpr CUtensorMapDataType typeOf() {
  return sizeof(T) == 2 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
}
struct BitProduct {
  template <class D, class A> __device__ void operator()(D &d, const A &a) const {
    using namespace nvcuda::wmma;
    bmma_sync(d, a, a, d, experimental::bmmaBitOpXOR, experimental::bmmaAccumulateOpPOPC);
  }
};
__global__ void sum(int *out) { *out += threadIdx.x; }
int main() {
  printf("map %d %d, types %d %d %d, swizzle %d\n", int(sizeof(CUtensorMap)), int(alignof(CUtensorMap)), typeOf<short>(),
         CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B, CU_TENSOR_MAP_SWIZZLE_128B);
  PFN_cuTensorMapEncodeTiled encode = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaError_t error = cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", (void **)&encode, cudaEnableDefault, &found);
  printf("encoder %d %d\n", error, encode != nullptr);
  int *out;
  cudaMallocManaged(&out, sizeof *out);
  *out = 6;
  sum<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf("sum %d\n", *out);
}
