// Lookups of textures and accesses of surfaces: of each kind one a thread from memory, 64 a thread out of the L1, 64 at places without
// order, and 256 that each need the one before (`textures.json`: what an H200 read, nvcc 13.0 -O3, `ncu --clock-control none`).
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s: %s\n", #x, cudaGetErrorString(e)); exit(1); } } while (0)

__device__ float sumOf(float v) { return v; }
__device__ float sumOf(float2 v) { return v.x + v.y; }
__device__ float sumOf(float4 v) { return v.x + v.y + v.z + v.w; }
__device__ float sumOf(unsigned char v) { return v; }
__device__ float sumOf(uchar4 v) { return v.x + v.y + v.z + v.w; }

struct Fetch1D { template <class T> static __device__ T at(cudaTextureObject_t t, int x, int y, int width) { return tex1Dfetch<T>(t, y * width + x); } };
struct Plane { template <class T> static __device__ T at(cudaTextureObject_t t, int x, int y, int) { return tex2D<T>(t, x + 0.5f, y + 0.5f); } };
struct Between { template <class T> static __device__ T at(cudaTextureObject_t t, int x, int y, int) { return tex2D<T>(t, x + 0.8f, y + 0.7f); } };
struct Volume { template <class T> static __device__ T at(cudaTextureObject_t t, int x, int y, int) { return tex3D<T>(t, (x & 127) + 0.8f, (y & 127) + 0.7f, (x >> 7) + 0.6f); } };
struct Layer { template <class T> static __device__ T at(cudaTextureObject_t t, int x, int y, int) { return tex2DLayered<T>(t, (x & 127) + 0.5f, (y & 127) + 0.5f, x >> 7); } };
struct Gather { template <class T> static __device__ float4 at(cudaTextureObject_t t, int x, int y, int) { return tex2Dgather<float4>(t, x + 1.0f, y + 1.0f); } };
struct Surface { template <class T> static __device__ T at(cudaSurfaceObject_t s, int x, int y, int) { return surf2Dread<T>(s, x * (int)sizeof(T), y); } };

template <class T, class Kind> __global__ void once(float *out, unsigned long long t, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = sumOf(Kind::template at<T>(t, x, y, width));
}
template <class T, class Kind> __global__ void again(float *out, unsigned long long t, int width) {
  int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int i = 0; i < 64; i++) sum += sumOf(Kind::template at<T>(t, x + (i & 7), y + (i >> 3), width));
  out[(blockIdx.x * blockDim.y + y) * blockDim.x + x] = sum;
}
template <class T, class Kind> __global__ void anywhere(float *out, unsigned long long t, int width) {
  unsigned place = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < 64; i++) {
    unsigned h = (place * 64 + i) * 2654435761u;
    h ^= h >> 15;
    sum += sumOf(Kind::template at<T>(t, (int)(h & (width - 1)), (int)((h >> 12) & (width - 1)), width));
  }
  out[place] = sum;
}
template <class T, class Kind> __global__ void chain(float *out, unsigned long long t, int width) {
  int x = threadIdx.x;
  float last = 0;
#pragma unroll 1
  for (int i = 0; i < 256; i++) {
    last = sumOf(Kind::template at<T>(t, x, i & 7, width));
    x = threadIdx.x + (last > 1e9f);
  }
  out[threadIdx.x] = last;
}
template <class T> __global__ void fill(unsigned long long s, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  surf2Dwrite((T)(x ^ y), s, x * (int)sizeof(T), y);
}

const int WIDTH = 4096, SMALL = 1024;
template <class T, class Kind> void run(unsigned long long t, float *out, int width) {
  for (int rows = 1; rows <= 16; rows *= 16)
    once<T, Kind><<<dim3(width / (256 / rows), width / rows), dim3(256 / rows, rows)>>>(out, t, width);
  again<T, Kind><<<132 * 8, dim3(32, 8)>>>(out, t, width);
  again<T, Kind><<<132 * 8, dim3(16, 16)>>>(out, t, width);
  anywhere<T, Kind><<<132 * 4, dim3(32, 8)>>>(out, t, width);
  if (sizeof(T) > 1) chain<T, Kind><<<1, 32>>>(out, t, width); // of bytes nvcc knows the end
  CHECK(cudaDeviceSynchronize());
}
cudaTextureObject_t texture(cudaResourceDesc resource, bool linear, bool normalized = false) {
  cudaTextureDesc how = {};
  for (auto &mode : how.addressMode) mode = cudaAddressModeClamp;
  how.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  how.readMode = normalized ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  cudaTextureObject_t t;
  CHECK(cudaCreateTextureObject(&t, &resource, &how, nullptr));
  return t;
}
template <class T> cudaResourceDesc plane(int width, unsigned flags) {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  CHECK(cudaMallocArray(&resource.res.array.array, &format, width, width, flags));
  std::vector<T> data((size_t)width * width);
  CHECK(cudaMemcpy2DToArray(resource.res.array.array, 0, 0, data.data(), width * sizeof(T), width * sizeof(T), width, cudaMemcpyHostToDevice));
  return resource;
}
template <class T> cudaResourceDesc linear(int width) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.desc = cudaCreateChannelDesc<T>();
  resource.res.linear.sizeInBytes = (size_t)width * width * sizeof(T);
  CHECK(cudaMalloc(&resource.res.linear.devPtr, resource.res.linear.sizeInBytes));
  CHECK(cudaMemset(resource.res.linear.devPtr, 0, resource.res.linear.sizeInBytes));
  return resource;
}
template <class T> cudaResourceDesc volume(unsigned flags) {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  CHECK(cudaMalloc3DArray(&resource.res.array.array, &format, make_cudaExtent(128, 128, 32), flags));
  std::vector<T> data(128 * 128 * 32);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(data.data(), 128 * sizeof(T), 128, 128);
  copy.dstArray = resource.res.array.array;
  copy.extent = make_cudaExtent(128, 128, 32);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  return resource;
}

int main() {
  float *out;
  CHECK(cudaMalloc(&out, (size_t)WIDTH * WIDTH * sizeof(float)));
  run<float, Fetch1D>(texture(linear<float>(WIDTH), false), out, WIDTH);
  run<float4, Fetch1D>(texture(linear<float4>(SMALL), false), out, SMALL);
  cudaResourceDesc floats = plane<float>(WIDTH, cudaArraySurfaceLoadStore), fours = plane<float4>(SMALL, 0);
  cudaResourceDesc bytes = plane<unsigned char>(WIDTH, 0), pixels = plane<uchar4>(SMALL, 0);
  run<float, Plane>(texture(floats, false), out, WIDTH);
  run<float, Between>(texture(floats, true), out, WIDTH);
  run<float4, Plane>(texture(fours, false), out, SMALL);
  run<float4, Between>(texture(fours, true), out, SMALL);
  run<unsigned char, Plane>(texture(bytes, false), out, WIDTH);
  run<float4, Between>(texture(pixels, true, true), out, SMALL);
  run<float, Volume>(texture(volume<float>(0), true), out, WIDTH);
  run<float, Layer>(texture(volume<float>(cudaArrayLayered), false), out, WIDTH);
  cudaResourceDesc gathered = plane<float>(SMALL, cudaArrayTextureGather);
  run<float, Gather>(texture(gathered, false), out, SMALL);
  cudaSurfaceObject_t surface;
  CHECK(cudaCreateSurfaceObject(&surface, &floats));
  run<float, Surface>(surface, out, WIDTH);
  for (int rows = 1; rows <= 16; rows *= 16)
    fill<float><<<dim3(WIDTH / (256 / rows), WIDTH / rows), dim3(256 / rows, rows)>>>(surface, WIDTH);
  CHECK(cudaDeviceSynchronize());
  printf("done\n");
}
