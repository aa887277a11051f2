// The driver API's addresses and memory apart: an array that grows in place, memory that moves with its contents, what is refused.
// levels: nightly
// stdout: supported 1 1 0
// stdout: granularity 2097152, reserved 0 0, wanted 1
// stdout: grown 0 0 0: 1 2 3, whole 4194304
// stdout: properties 0 1 0, of none 1
// stdout: closed 1, unmapped 0, moved 3, freed 0 0
// stdout: wrong size 1, occupied 1, twice 801, in use 1, cudaFree 1
// stderr: cuMemMap: memory that is mapped at two places at the same time is not supported
#include <cstdio>
#include <cuda.h>

__global__ void fill(int *values, int value, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = value;
}

int main() {
  cuInit(0);
  int supported[3];
  cuDeviceGetAttribute(&supported[0], CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED, 0);
  cuDeviceGetAttribute(&supported[1], CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0);
  cuDeviceGetAttribute(&supported[2], CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED, 0);
  printf("supported %d %d %d\n", supported[0], supported[1], supported[2]);
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemAccessDesc access = {properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  size_t step = 0;
  cuMemGetAllocationGranularity(&step, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  CUdeviceptr first, second;
  int reserved = cuMemAddressReserve(&first, 4 * step, 0, 0, 0);
  int other = cuMemAddressReserve(&second, 2 * step, 0, first + 8 * step, 0);
  printf("granularity %d, reserved %d %d, wanted %d\n", (int)step, reserved, other, second == first + 8 * step);

  CUmemGenericAllocationHandle memory[2];
  int results[3], values[3];
  for (int part = 0; part < 2; part++) {
    results[0] = cuMemCreate(&memory[part], step, &properties, 0);
    results[1] = cuMemMap(first + part * step, step, 0, memory[part], 0);
    results[2] = cuMemSetAccess(first + part * step, step, &access, 1);
    fill<<<step / 1024, 256>>>((int *)(first + part * step), 1 + 2 * part, step / 4);
  }
  fill<<<1, 256>>>((int *)(first + step / 2), 2, 256);
  cuMemcpyDtoH(&values[0], first, 4);
  cuMemcpyDtoH(&values[1], first + step / 2 + 4, 4);
  cuMemcpyDtoH(&values[2], first + 2 * step - 4, 4);
  int *copy;
  cudaMalloc(&copy, 2 * step);
  cudaError_t whole = cudaMemcpy(copy, (void *)first, 2 * step, cudaMemcpyDeviceToDevice);
  printf("grown %d %d %d: %d %d %d, whole %d\n", results[0], results[1], results[2], values[0], values[1], values[2],
         whole == cudaSuccess ? (int)(2 * step) : -1);

  CUmemAllocationProp asked;
  int known = cuMemGetAllocationPropertiesFromHandle(&asked, memory[1]);
  printf("properties %d %d %d, of none %d\n", known, asked.type, asked.location.id, cuMemGetAllocationPropertiesFromHandle(&asked, 77));

  access.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  cuMemSetAccess(first, step, &access, 1);
  int closed = cudaMemcpy(values, (void *)first, 4, cudaMemcpyDeviceToHost);
  int unmapped = cuMemUnmap(first, 2 * step);
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  cuMemMap(second, step, 0, memory[1], 0);
  cuMemSetAccess(second, step, &access, 1);
  cuMemcpyDtoH(values, second + 8, 4);
  printf("closed %d, unmapped %d, moved %d, freed %d %d\n", closed != 0, unmapped, values[0], cuMemRelease(memory[0]),
         cuMemAddressFree(first, 4 * step));

  CUmemGenericAllocationHandle spare;
  cuMemCreate(&spare, step, &properties, 0);
  int wrong = cuMemCreate(&memory[0], 1000, &properties, 0), occupied = cuMemMap(second, step, 0, spare, 0);
  int twice = cuMemMap(second + step, step, 0, memory[1], 0), inUse = cuMemAddressFree(second, 2 * step);
  printf("wrong size %d, occupied %d, twice %d, in use %d, cudaFree %d\n", wrong, occupied, twice, inUse, cudaFree((void *)second));
  cuMemUnmap(second, step);
  cuMemRelease(memory[1]);
  cuMemRelease(spare);
}
