// cuFFT calls the program's own functions for the elements that go into a transform and come out of it.
// levels: nightly
// stdout: C2C 0 1 2 3 4 5 6 7
// stdout: cleared 0 8 16 24
// stdout: R2C 20 -4 -4
// stdout: C2R 0 1 2 3
// stdout: kinds 3 0
#include <cstdio>
#include <cufftXt.h>

__device__ float2 shifted(void *in, size_t offset, void *info, void *) {
  float2 value = ((float2 *)in)[offset];
  return make_float2(value.x - *(float *)info, value.y);
}
__device__ void divided(void *out, size_t offset, float2 value, void *info, void *) {
  ((float2 *)out)[offset] = make_float2(value.x / 8, value.y / 8);
}
__device__ double fromBytes(void *in, size_t offset, void *, void *) { return 2 * ((unsigned char *)in)[offset]; }
__device__ void toInts(void *out, size_t offset, double value, void *, void *) { ((int *)out)[offset] = (int)(value / 8 + 0.5); }

__device__ cufftCallbackLoadC loadPointer = shifted;
__device__ cufftCallbackStoreC storePointer = divided;
__device__ cufftCallbackLoadD realLoadPointer = fromBytes;
__device__ cufftCallbackStoreD realStorePointer = toInts;

template <class T> T onHost(const T &symbol) {
  T pointer;
  cudaMemcpyFromSymbol(&pointer, symbol, sizeof pointer);
  return pointer;
}

int main() {
  const int n = 8;
  float2 *data, *spectrum;
  float *shift;
  cudaMallocManaged(&data, n * sizeof *data);
  cudaMallocManaged(&spectrum, n * sizeof *spectrum);
  cudaMallocManaged(&shift, sizeof *shift);
  *shift = 5;
  for (int i = 0; i < n; i++) data[i] = make_float2(i + 5, 0);
  cufftHandle forward, inverse;
  cufftPlan1d(&forward, n, CUFFT_C2C, 1);
  cufftPlan1d(&inverse, n, CUFFT_C2C, 1);
  cufftCallbackLoadC load = onHost(loadPointer);
  cufftXtSetCallback(forward, (void **)&load, CUFFT_CB_LD_COMPLEX, (void **)&shift);
  cufftCallbackStoreC store = onHost(storePointer);
  cufftXtSetCallback(inverse, (void **)&store, CUFFT_CB_ST_COMPLEX, nullptr);
  cufftExecC2C(forward, data, spectrum, CUFFT_FORWARD);
  cufftExecC2C(inverse, spectrum, data, CUFFT_INVERSE);
  cudaDeviceSynchronize();
  printf("C2C");
  for (int i = 0; i < n; i++) printf(" %g", data[i].x);
  cufftXtClearCallback(inverse, CUFFT_CB_ST_COMPLEX);
  cufftExecC2C(inverse, spectrum, data, CUFFT_INVERSE);
  cudaDeviceSynchronize();
  printf("\ncleared %g %g %g %g\n", data[0].x, data[1].x, data[2].x, data[3].x);

  unsigned char *bytes;
  int *ints;
  double2 *half;
  cudaMallocManaged(&bytes, 4);
  cudaMallocManaged(&ints, 4 * sizeof *ints);
  cudaMallocManaged(&half, 3 * sizeof *half);
  for (int i = 0; i < 4; i++) bytes[i] = i + 1;
  cufftHandle toHalf, toReal;
  cufftPlan1d(&toHalf, 4, CUFFT_D2Z, 1);
  cufftPlan1d(&toReal, 4, CUFFT_Z2D, 1);
  cufftCallbackLoadD realLoad = onHost(realLoadPointer);
  cufftXtSetCallback(toHalf, (void **)&realLoad, CUFFT_CB_LD_REAL_DOUBLE, nullptr);
  cufftExecD2Z(toHalf, (double *)bytes, half);
  cudaDeviceSynchronize();
  printf("R2C %g %g %g\n", half[0].x, half[1].x, half[2].x);
  half[0].x -= 8;
  cufftCallbackStoreD realStore = onHost(realStorePointer);
  cufftXtSetCallback(toReal, (void **)&realStore, CUFFT_CB_ST_REAL_DOUBLE, nullptr);
  cufftExecZ2D(toReal, half, (double *)ints);
  cudaDeviceSynchronize();
  printf("C2R %d %d %d %d\n", ints[0], ints[1], ints[2], ints[3]);
  const int wrong = cufftXtSetCallback(toReal, (void **)&realStore, CUFFT_CB_ST_COMPLEX, nullptr);
  printf("kinds %d %d\n", wrong, cufftXtSetCallbackSharedSize(toReal, CUFFT_CB_ST_REAL_DOUBLE, 1024));
  return 0;
}
