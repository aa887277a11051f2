/* The C++ overloads of the runtime API: typed pointers, symbols by reference, kernels by their own type. */
#ifndef WARPLENS_HOST_TEMPLATES_H
#define WARPLENS_HOST_TEMPLATES_H

/* Sizes of allocations have 64 bits: more than there can be is out of memory, and not what is left of it in 32 bits. */
template <class T> __WARPLENS_CALL__ cudaError_t cudaMalloc(T **pointer, unsigned long long bytes) {
  return cudaMalloc((void **)(void *)pointer, __warplens_size(bytes));
}
template <class T>
__WARPLENS_CALL__ cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, unsigned long long width, unsigned long long height) {
  return cudaMallocPitch((void **)(void *)pointer, pitch, __warplens_size(width), __warplens_size(height));
}
template <class T> __WARPLENS_CALL__ cudaError_t cudaMallocHost(T **pointer, unsigned long long bytes, unsigned int flags = 0) {
  return cudaHostAlloc((void **)(void *)pointer, __warplens_size(bytes), flags);
}
template <class T> __WARPLENS_CALL__ cudaError_t cudaHostAlloc(T **pointer, unsigned long long bytes, unsigned int flags) {
  return cudaHostAlloc((void **)(void *)pointer, __warplens_size(bytes), flags);
}
template <class T> __WARPLENS_CALL__ cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags) {
  return cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
template <class T>
__WARPLENS_CALL__ cudaError_t cudaMallocManaged(T **pointer, unsigned long long bytes, unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void **)(void *)pointer, __warplens_size(bytes), flags);
}
template <class T> __WARPLENS_CALL__ cudaError_t cudaMallocAsync(T **pointer, unsigned long long bytes, cudaStream_t stream) {
  return cudaMallocAsync((void **)(void *)pointer, __warplens_size(bytes), stream);
}
template <class T>
__WARPLENS_CALL__ cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *pointer, size_t bytes = 0,
                                                   unsigned int flags = cudaMemAttachSingle) {
  return cudaStreamAttachMemAsync(stream, (void *)pointer, bytes, flags);
}

template <class T>
__WARPLENS_CALL__ cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                             enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <class T>
__WARPLENS_CALL__ cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                                  enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                  cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}
template <class T>
__WARPLENS_CALL__ cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                               enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
__WARPLENS_CALL__ cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                                    enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                    cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}
template <class T> __WARPLENS_CALL__ cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol) {
  return cudaGetSymbolAddress(pointer, (const void *)&symbol);
}
template <class T> __WARPLENS_CALL__ cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol) {
  return cudaGetSymbolSize(bytes, (const void *)&symbol);
}

template <class T>
__WARPLENS_CALL__ cudaError_t cudaLaunchKernel(T *function, dim3 grid, dim3 block, void **arguments,
                                           size_t sharedBytes = 0, cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void *)function, grid, block, arguments, sharedBytes, stream);
}
template <class T>
__WARPLENS_CALL__ cudaError_t cudaLaunchCooperativeKernel(T *function, dim3 grid, dim3 block, void **arguments,
                                                      size_t sharedBytes = 0, cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void *)function, grid, block, arguments, sharedBytes, stream);
}
template <class T> __WARPLENS_CALL__ cudaError_t cudaFuncSetAttribute(T *function, enum cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute((const void *)function, attribute, value);
}
template <class T> __WARPLENS_CALL__ cudaError_t cudaFuncSetCacheConfig(T *function, enum cudaFuncCache config) {
  return cudaFuncSetCacheConfig((const void *)function, config);
}
template <class T> __WARPLENS_CALL__ cudaError_t cudaFuncSetSharedMemConfig(T *function, enum cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig((const void *)function, config);
}
template <class T> __WARPLENS_CALL__ cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, T *function) {
  return cudaFuncGetAttributes(attributes, (const void *)function);
}

template <class T>
__WARPLENS_CALL__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T function, int blockSize,
                                                                        size_t dynamicSharedBytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, blockSize, dynamicSharedBytes);
}
template <class T>
__WARPLENS_CALL__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T function, int blockSize,
                                                                                 size_t dynamicSharedBytes,
                                                                                 unsigned int flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)function, blockSize,
                                                                dynamicSharedBytes, flags);
}
template <class T>
__WARPLENS_CALL__ cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, T function, int blocks,
                                                                    int blockSize) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)function, blocks, blockSize);
}

/* The block size with the most resident threads, larger first; sharedOf(blockSize) gives the dynamic shared memory. */
template <class SharedOf, class T>
__WARPLENS_CALL__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *minGridSize, int *blockSize,
                                                                                  T function, SharedOf sharedOf,
                                                                                  int blockSizeLimit = 0,
                                                                                  unsigned int flags = 0) {
  cudaFuncAttributes attributes;
  cudaError_t status = cudaFuncGetAttributes(&attributes, (const void *)function);
  if (status != cudaSuccess) return status;
  int warp = __warplens_device_attribute(cudaDevAttrWarpSize);
  int limit = attributes.maxThreadsPerBlock;
  if (blockSizeLimit > 0 && blockSizeLimit < limit) limit = blockSizeLimit;
  int best = 0, bestSize = 0, bestBlocks = 0;
  for (int rounded = (limit + warp - 1) / warp * warp; rounded > 0; rounded -= warp) {
    int size = rounded < limit ? rounded : limit, blocks = 0;
    status = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, (const void *)function, size,
                                                                    sharedOf(size), flags);
    if (status != cudaSuccess) return status;
    if (size * blocks > best) {
      best = size * blocks;
      bestSize = size;
      bestBlocks = blocks;
    }
    if (best == (int)__warplens_device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor)) break;
  }
  *minGridSize = bestBlocks * (int)__warplens_device_attribute(cudaDevAttrMultiProcessorCount);
  *blockSize = bestSize;
  return cudaSuccess;
}
template <class SharedOf, class T>
__WARPLENS_CALL__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *minGridSize, int *blockSize, T function,
                                                                         SharedOf sharedOf, int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, function, sharedOf,
                                                                 blockSizeLimit);
}
struct __warplens_constant_shared {
  size_t bytes;
  size_t operator()(int) const { return bytes; }
};
template <class T>
__WARPLENS_CALL__ cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, T function,
                                                                      size_t dynamicSharedBytes = 0,
                                                                      int blockSizeLimit = 0, unsigned int flags = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      minGridSize, blockSize, function, __warplens_constant_shared{dynamicSharedBytes}, blockSizeLimit, flags);
}
template <class T>
__WARPLENS_CALL__ cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, T function,
                                                             size_t dynamicSharedBytes = 0, int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, function, dynamicSharedBytes,
                                                     blockSizeLimit);
}

/* cudaEventCreate(&event, flags) */
__WARPLENS_CALL__ cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}

__WARPLENS_WIDE_SIZES(cudaError_t, cudaMemGetInfo)
__WARPLENS_WIDE_SIZES(cudaError_t, cudaMallocPitch)
__WARPLENS_WIDE_SIZES(cudaError_t, cudaDeviceGetLimit)
__WARPLENS_WIDE_SIZES(cudaError_t, cudaGetSymbolSize)
__WARPLENS_WIDE_SIZES(cudaError_t, cudaOccupancyAvailableDynamicSMemPerBlock)
#endif
