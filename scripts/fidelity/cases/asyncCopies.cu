#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
__global__ void groupCopy(const int *in, int *out, int n) {
  extern __shared__ __align__(128) int s[];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, s, in, sizeof(int) * n);
  cg::wait(block);
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = s[i];
}
__global__ void groupCopyAligned(const int *in, int *out, int n) {
  extern __shared__ __align__(128) int s[];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, s, in, cuda::aligned_size_t<16>(sizeof(int) * n));
  cg::wait(block);
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = s[i];
}
__global__ void groupCopyCounts(const int *in, int *out, int n) {
  extern __shared__ __align__(128) int s[];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, s, n, in, n);
  cg::wait(block);
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = s[i];
}
__global__ void tileCopy(const int *in, int *out, int n) {
  extern __shared__ __align__(128) int s[];
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int each = n / (blockDim.x / 32), at = each * (threadIdx.x / 32);
  cg::memcpy_async(tile, s + at, in + at, sizeof(int) * each);
  cg::wait(tile);
  for (int i = tile.thread_rank(); i < each; i += 32) out[at + i] = s[at + i];
}
__global__ void barrierCopy(const int *in, int *out, int n) {
  extern __shared__ __align__(128) int s[];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(block, s, in, sizeof(int) * n, bar);
  bar.arrive_and_wait();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = s[i];
}
__global__ void barrierCopyAligned(const int *in, int *out, int n) {
  extern __shared__ __align__(128) int s[];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(block, s, in, cuda::aligned_size_t<16>(sizeof(int) * n), bar);
  bar.arrive_and_wait();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = s[i];
}
template <class T> __global__ void pipelineCopy(const T *in, T *out) {
  extern __shared__ __align__(128) char raw[];
  T *s = (T *)raw;
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(s + threadIdx.x, in + threadIdx.x, sizeof(T), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
  pipe.consumer_release();
}
template <class T> __global__ void pipelineCopyAligned(const T *in, T *out) {
  extern __shared__ __align__(128) char raw[];
  T *s = (T *)raw;
  auto pipe = cuda::make_pipeline();
  const auto shape = cuda::aligned_size_t<alignof(T)>(sizeof(T));
  pipe.producer_acquire();
  cuda::memcpy_async(s + threadIdx.x, in + threadIdx.x, shape, pipe);
  pipe.producer_commit();
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
  pipe.consumer_release();
}
__global__ void pipelineBlock(const int *in, int *out, int n) {
  extern __shared__ __align__(128) int s[];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int each = blockDim.x;
  for (int stage = 0, fetch = 0; stage < n; stage++) {
    for (; fetch < n && fetch < stage + 2; fetch++) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, s + (fetch & 1) * each, in + fetch * each, sizeof(int) * each, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    out[stage * each + threadIdx.x] = s[(stage & 1) * each + (threadIdx.x ^ 1)];
    pipe.consumer_release();
  }
}
__global__ void barrierOnly(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  for (int i = 0; i < 5; i++) bar.arrive_and_wait();
  out[threadIdx.x] = 1;
}
__global__ void barrierToken(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  auto token = bar.arrive();
  out[threadIdx.x + 1024] = 1;
  bar.wait(std::move(token));
  out[threadIdx.x] = 1;
}
struct alignas(16) F4 { float x, y, z, w; };
int main() {
  int *a, *o; cudaMalloc(&a, 1 << 20); cudaMalloc(&o, 1 << 20); cudaMemset(a, 0, 1 << 20);
  for (int n : {1024, 1000, 130}) {
    groupCopy<<<1, 128, 8192>>>(a, o, n); groupCopy<<<1, 128, 8192>>>(a + 1, o, n); groupCopyCounts<<<1, 128, 8192>>>(a, o, n);
    barrierCopy<<<1, 128, 8192>>>(a, o, n);
  }
  groupCopyAligned<<<1, 128, 8192>>>(a, o, 1024); tileCopy<<<1, 128, 8192>>>(a, o, 1024); barrierCopyAligned<<<1, 128, 8192>>>(a, o, 1024);
  pipelineCopy<int><<<1, 128, 8192>>>(a, o); pipelineCopy<double><<<1, 128, 8192>>>((double *)a, (double *)o); pipelineCopy<F4><<<1, 128, 8192>>>((F4 *)a, (F4 *)o); pipelineCopy<char><<<1, 128, 8192>>>((char *)a, (char *)o); pipelineCopy<short><<<1, 128, 8192>>>((short *)a, (short *)o);
  pipelineCopyAligned<int><<<1, 128, 8192>>>(a, o); pipelineCopyAligned<double><<<1, 128, 8192>>>((double *)a, (double *)o); pipelineCopyAligned<F4><<<1, 128, 8192>>>((F4 *)a, (F4 *)o);
  pipelineBlock<<<1, 128, 8192>>>(a, o, 4); pipelineBlock<<<1, 32, 8192>>>(a, o, 8);
  barrierOnly<<<1, 32>>>(o); barrierOnly<<<1, 256>>>(o); barrierToken<<<1, 256>>>(o);
  return cudaDeviceSynchronize();
}
