// A texture reference's attributes count as they are at a launch, not as they were when it was bound; references by pointer.
// stdout: 1 2 3 0
// stdout: 1.5 2.5 1.5 0
// stdout: 3 0 1 2
// stdout: 0.2
// stdout: moved 0 6 7 8 9 5, past the end 1
// stdout: back 51, limit 0
#include <cstdio>

texture<float, cudaTextureType1D, cudaReadModeElementType> line;
texture<unsigned char, cudaTextureType1D, cudaReadModeNormalizedFloat> bytes;

__global__ void look(float *out, float first, float step) { out[threadIdx.x] = tex1D(line, first + step * threadIdx.x); }
__global__ void lookBytes(float *out) { out[0] = tex1D(bytes, 1.5f); }

void show(float first, float step) {
  float *out, host[4];
  cudaMalloc(&out, sizeof host);
  look<<<1, 4>>>(out, first, step);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g %g %g %g\n", host[0], host[1], host[2], host[3]);
  cudaFree(out);
}

int main() {
  const float values[4] = {0, 1, 2, 3};
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, 4);
  cudaMemcpy2DToArray(array, 0, 0, values, sizeof values, sizeof values, 1, cudaMemcpyHostToDevice);
  line.addressMode[0] = cudaAddressModeBorder;
  cudaBindTextureToArray(line, array);
  show(1.5f, 1);
  line.filterMode = cudaFilterModeLinear;
  show(2, 1);
  line.filterMode = cudaFilterModePoint;
  line.normalized = true;
  line.addressMode[0] = cudaAddressModeWrap;
  show(0.875f, 0.25f);

  const unsigned char texels[2] = {0, 51};
  cudaArray_t byteArray;
  const textureReference *reference;
  cudaGetTextureReference(&reference, &bytes);
  cudaMallocArray(&byteArray, &reference->channelDesc, 2);
  cudaMemcpy2DToArray(byteArray, 0, 0, texels, 2, 2, 1, cudaMemcpyHostToDevice);
  cudaBindTextureToArray(reference, byteArray, &reference->channelDesc);
  float *out, host;
  cudaMalloc(&out, sizeof host);
  lookBytes<<<1, 1>>>(out);
  cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g\n", host);

  unsigned char back = 0;
  size_t limit = 0;
  cudaMemcpyFromArrayAsync(&back, byteArray, 1, 0, 1, cudaMemcpyDeviceToHost);
  // From the end of one array's row to the start of the next one, which is the other's only row.
  cudaArray_t rows, row;
  cudaMallocArray(&rows, &reference->channelDesc, 8, 2), cudaMallocArray(&row, &reference->channelDesc, 16, 1);
  unsigned char numbers[16], moved[16];
  for (int i = 0; i < 16; i++) numbers[i] = i;
  cudaMemcpyToArray(rows, 0, 0, numbers, 16, cudaMemcpyHostToDevice);
  cudaMemcpyToArray(row, 0, 0, numbers, 16, cudaMemcpyHostToDevice);
  cudaMemcpyArrayToArray(row, 1, 0, rows, 6, 0, 4);
  cudaMemcpyFromArray(moved, row, 0, 0, 16, cudaMemcpyDeviceToHost);
  printf("moved %d %d %d %d %d %d, past the end %d\n", moved[0], moved[1], moved[2], moved[3], moved[4], moved[5],
         cudaMemcpyArrayToArray(row, 0, 0, rows, 6, 0, 12) != cudaSuccess);

  cudaThreadSetCacheConfig(cudaFuncCachePreferL1);
  printf("back %d, limit %d\n", back, cudaThreadGetLimit(&limit, cudaLimitStackSize));
  return 0;
}
