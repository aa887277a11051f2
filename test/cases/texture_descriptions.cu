// What texture and surface objects were made of.
// stdout: 0 0: 2 1 64 32, 3 0
// stdout: 0: 0 1
// stdout: invalid argument
#include <cstdio>

int main() {
  float *v;
  cudaMalloc(&v, 64);
  cudaResourceDesc made{}, got{};
  made.resType = cudaResourceTypeLinear;
  made.res.linear = {v, cudaCreateChannelDesc<float>(), 64};
  cudaTextureDesc how{}, was{};
  how.addressMode[1] = cudaAddressModeBorder;
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &made, &how, nullptr);
  int status = cudaGetTextureObjectResourceDesc(&got, texture);
  printf("%d %d: %d %d %d %d, %d %d\n", status, cudaGetTextureObjectTextureDesc(&was, texture), got.resType,
         got.res.linear.devPtr == v, (int)got.res.linear.sizeInBytes, got.res.linear.desc.x, was.addressMode[1], was.filterMode);
  cudaDestroyTextureObject(texture);

  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, 8, 8, cudaArraySurfaceLoadStore);
  made.resType = cudaResourceTypeArray;
  made.res.array.array = array;
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &made);
  status = cudaGetSurfaceObjectResourceDesc(&got, surface);
  printf("%d: %d %d\n", status, got.resType, got.res.array.array == array);
  cudaDestroySurfaceObject(surface);
  puts(cudaGetErrorString(cudaGetSurfaceObjectResourceDesc(&got, surface)));
}
