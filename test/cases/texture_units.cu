// Lookups as the texture unit makes them: out of the L1 by all of an H200's multiprocessors, one after the other, along rows and in
// squares; gathered ones of texels with one channel, and a program's own `texture` and `surface`.
// levels: 2
// reference: off
// stdout: 184.5 93 93 92
// stdout: 186.5 94 94 93
// stdout: 246.5 124 124 123
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s: %s\n", #x, cudaGetErrorString(e)); exit(1); } } while (0)

struct texture { int factor; __device__ float scaled(float x) const { return factor * x; } };
struct surface { float offset; };

__global__ void again(float *out, cudaTextureObject_t t) {
  int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int i = 0; i < 64; i++) sum += tex2D<float>(t, x + (i & 7) + 0.5f, y + (i >> 3) + 0.5f);
  out[(blockIdx.x * blockDim.y + y) * blockDim.x + x] = sum;
}
__global__ void fours(float *out, cudaTextureObject_t t) {
  int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int i = 0; i < 64; i++) {
    float4 v = tex2D<float4>(t, x + (i & 7) + 0.8f, y + (i >> 3) + 0.7f);
    sum += v.x + v.y + v.z + v.w;
  }
  out[(blockIdx.x * blockDim.y + y) * blockDim.x + x] = sum;
}
__global__ void chain(float *out, cudaTextureObject_t t) {
  int x = threadIdx.x;
  float last = 0;
#pragma unroll 1
  for (int i = 0; i < 256; i++) {
    last = tex2D<float>(t, x + 0.5f, (i & 7) + 0.5f);
    x = threadIdx.x + (last > 1e9f);
  }
  out[threadIdx.x] = last;
}
__global__ void copy(float *out, cudaSurfaceObject_t s, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float v = surf2Dread<float>(s, x * 4, y);
  surf2Dwrite(v + 1, s, x * 4, y);
  out[y * width + x] = v;
}
__global__ void gathered(float4 *out, cudaTextureObject_t t, int width, texture own, surface other) {
  float4 v = tex2Dgather<float4>(t, threadIdx.x + 1.0f, (float)width);
  out[threadIdx.x] = make_float4(own.scaled(v.x) + other.offset, v.y, v.z, v.w);
}

template <class T> cudaArray_t planeOf(int width, unsigned flags) {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, width, width, flags));
  std::vector<float> data((size_t)width * width * sizeof(T) / 4);
  for (size_t i = 0; i < data.size(); i++) data[i] = i % 251;
  CHECK(cudaMemcpy2DToArray(array, 0, 0, data.data(), width * sizeof(T), width * sizeof(T), width, cudaMemcpyHostToDevice));
  return array;
}
cudaTextureObject_t textureOf(cudaArray_t array, bool linear) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  for (auto &mode : how.addressMode) mode = cudaAddressModeClamp;
  how.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  cudaTextureObject_t t;
  CHECK(cudaCreateTextureObject(&t, &resource, &how, nullptr));
  return t;
}

int main() {
  const int width = 512;
  float *out;
  CHECK(cudaMalloc(&out, 132 * 8 * 256 * sizeof(float)));
  cudaArray_t floats = planeOf<float>(width, cudaArraySurfaceLoadStore | cudaArrayTextureGather);
  cudaTextureObject_t points = textureOf(floats, false);
  again<<<132 * 8, dim3(32, 8)>>>(out, points);
  fours<<<132 * 8, dim3(32, 8)>>>(out, textureOf(planeOf<float4>(64, 0), true));
  chain<<<1, 32>>>(out, points);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = floats;
  cudaSurfaceObject_t s;
  CHECK(cudaCreateSurfaceObject(&s, &resource));
  copy<<<dim3(2, 512), 256>>>(out, s, width);
  copy<<<dim3(32, 32), dim3(16, 16)>>>(out, s, width);
  gathered<<<1, 32>>>((float4 *)out, points, width, texture{2}, surface{0.5f});
  float4 v[32];
  CHECK(cudaMemcpy(v, out, sizeof v, cudaMemcpyDeviceToHost));
  for (int i : {0, 1, 31}) printf("%g %g %g %g\n", v[i].x, v[i].y, v[i].z, v[i].w);
}
