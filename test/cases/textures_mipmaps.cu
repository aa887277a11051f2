// Mipmapped arrays: their levels, and lookups with a level of detail; values of the nearest levels and of levels' sums as an H200 has them.
// levels: 2
// stdout: malloc 0, levels 5, beyond 1
// stdout: nearest 9 9 104 104 211 301 400, without 104
// stdout: sums 9 53.5 75.4 104 268.7, biased 25
// stdout: gradient 104, array 105 of level 1, freed 0 400
#include <cstdio>
#include <vector>

__global__ void lookUp(cudaTextureObject_t texture, const float *levels, float *out) {
  out[threadIdx.x] = tex2DLod<float>(texture, 0.3f, 0.6f, levels[threadIdx.x]);
}
__global__ void without(cudaTextureObject_t texture, float *out) { *out = tex2D<float>(texture, 0.3f, 0.6f); }
__global__ void gradient(cudaTextureObject_t texture, float *out) {
  *out = tex2DGrad<float>(texture, 0.3f, 0.6f, make_float2(0.08f, 0.02f), make_float2(0.005f, 0.091f));
}

static cudaTextureObject_t textureOf(cudaMipmappedArray_t array, cudaTextureFilterMode filter, float bias, float lowest) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  description.normalizedCoords = 1;
  description.mipmapFilterMode = filter;
  description.mipmapLevelBias = bias;
  description.minMipmapLevelClamp = lowest;
  description.maxMipmapLevelClamp = 9;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  return texture;
}

int main() {
  cudaMipmappedArray_t mipmapped;
  cudaArray_t level;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  int made = cudaMallocMipmappedArray(&mipmapped, &format, make_cudaExtent(16, 16, 0), 9), count = 0;
  for (int size = 16; size > 0; size /= 2, count++) {
    cudaGetMipmappedArrayLevel(&level, mipmapped, count);
    std::vector<float> texels(size * size);
    for (int i = 0; i < size * size; i++) texels[i] = 100 * count + i * 7 % 13;
    cudaMemcpy2DToArray(level, 0, 0, texels.data(), size * 4, size * 4, size, cudaMemcpyHostToDevice);
  }
  printf("malloc %d, levels %d, beyond %d\n", made, count, cudaGetMipmappedArrayLevel(&level, mipmapped, count));

  float *levels, *out;
  cudaMallocManaged(&levels, 64);
  cudaMallocManaged(&out, 64);
  const float asked[] = {-1, 0.47f, 0.5325f, 1.47f, 1.5325f, 3.3f, 7};
  for (int i = 0; i < 7; i++) levels[i] = asked[i];
  cudaTextureObject_t nearest = textureOf(mipmapped, cudaFilterModePoint, 0, 0), high = textureOf(mipmapped, cudaFilterModePoint, 0, 1);
  lookUp<<<1, 7>>>(nearest, levels, out);
  without<<<1, 1>>>(high, out + 7);
  cudaDeviceSynchronize();
  printf("nearest %g %g %g %g %g %g %g, without %g\n", out[0], out[1], out[2], out[3], out[4], out[5], out[6], out[7]);

  const float between[] = {-0.5f, 0.47f, 0.7f, 1, 2.642f};
  for (int i = 0; i < 5; i++) levels[i] = between[i];
  levels[5] = -0.585f;
  cudaTextureObject_t sums = textureOf(mipmapped, cudaFilterModeLinear, 0, 0), biased = textureOf(mipmapped, cudaFilterModeLinear, 0.75f, 0);
  lookUp<<<1, 5>>>(sums, levels, out);
  lookUp<<<1, 1>>>(biased, levels + 5, out + 5);
  gradient<<<1, 1>>>(nearest, out + 6);
  cudaDeviceSynchronize();
  printf("sums %.4g %.3g %.3g %.4g %.4g, biased %.3g\n", out[0], out[1], out[2], out[3], out[4], out[5]);

  float texel = 0;
  cudaGetMipmappedArrayLevel(&level, mipmapped, 1);
  cudaMemcpy2DFromArray(&texel, 4, level, 4 * 2, 1, 4, 1, cudaMemcpyDeviceToHost);
  int freed = cudaFreeMipmappedArray(mipmapped);
  printf("gradient %g, array %g of level 1, freed %d %d\n", out[6], texel, freed, cudaFreeMipmappedArray(mipmapped));
}
