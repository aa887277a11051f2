// The largest textures and surfaces, and what of L2 can be set aside, as an H200 answers (driver 580.159).
// levels: 2
// stdout: textures 131072 131072 65536 16384 32768 2048 268435456 2097120
// stdout: surfaces 32768 131072 65536 16384 2048 2046
// stdout: same 1 1, gather 1, window 39321600 134217728, numa -1
#include <cuda.h>
#include <cstdio>

int main() {
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  printf("textures %d %d %d %d %d %d %d %d\n", p.maxTexture1D, p.maxTexture2D[0], p.maxTexture2D[1], p.maxTexture3D[2],
         p.maxTexture2DLayered[1], p.maxTexture2DLayered[2], p.maxTexture1DLinear, p.maxTexture2DLinear[2]);
  printf("surfaces %d %d %d %d %d %d\n", p.maxSurface1D, p.maxSurface2D[0], p.maxSurface2D[1], p.maxSurface3D[0],
         p.maxSurface1DLayered[1], p.maxSurfaceCubemapLayered[1]);
  int ofRuntime = 0, ofDriver = 0, gather = 0;
  cudaDeviceGetAttribute(&ofRuntime, cudaDevAttrMaxTextureCubemapWidth, 0);
  cuDeviceGetAttribute(&ofDriver, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH, 0);
  cuDeviceGetAttribute(&gather, CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER, 0);
  printf("same %d %d, gather %d, window %d %d, numa %d\n", ofRuntime == p.maxTextureCubemap, ofDriver == ofRuntime, gather,
         p.persistingL2CacheMaxSize, p.accessPolicyMaxWindowSize, p.deviceNumaId);
}
