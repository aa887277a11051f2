// Halves made and read on the host are the device's, bit for bit: every half, singles and doubles of every exponent, near ties too.
// stdout: 0 of 65536 halves, 0 of 131072 singles, 0 of 131072 doubles differ
// levels: 2
#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>

const int N = 131072;

__host__ __device__ unsigned singleBits(unsigned i) {
  unsigned bits = i * 2654435761u;
  // A quarter lies at or beside the middle of two halves.
  if (i % 4 == 0) bits = (bits & ~0x1fffu) + 0x1000 + (i / 4) % 3 - 1;
  return i % 8 < 5 ? (bits & 0x83ffffff) + 0x36000000 : bits;
}
__host__ __device__ double wide(float x, unsigned i) { return x * (1.0 + (int(i % 3) - 1) * 0x1p-50); }

__global__ void make(float *values, unsigned short *fromSingle, unsigned short *fromDouble) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 65536) values[i] = __half2float(__ushort_as_half((unsigned short)i));
  unsigned bits = singleBits(i);
  float x = __uint_as_float(bits);
  fromSingle[i] = __half_as_ushort(__float2half(x));
  fromDouble[i] = __half_as_ushort(__double2half(wide(x, i)));
}

int main() {
  static float values[65536];
  static unsigned short singles[N], doubles[N];
  float *v;
  unsigned short *s, *d;
  cudaMalloc(&v, sizeof values), cudaMalloc(&s, sizeof singles), cudaMalloc(&d, sizeof doubles);
  make<<<N / 256, 256>>>(v, s, d);
  cudaMemcpy(values, v, sizeof values, cudaMemcpyDeviceToHost);
  cudaMemcpy(singles, s, sizeof singles, cudaMemcpyDeviceToHost);
  cudaMemcpy(doubles, d, sizeof doubles, cudaMemcpyDeviceToHost);
  int halves = 0, fromSingle = 0, fromDouble = 0;
  for (unsigned i = 0; i < 65536; i++) {
    float mine = __half2float(__ushort_as_half((unsigned short)i));
    // Which NaN it is may differ.
    halves += memcmp(&mine, &values[i], 4) != 0 && (mine == mine || values[i] == values[i]);
  }
  for (unsigned i = 0; i < N; i++) {
    unsigned bits = singleBits(i);
    float x;
    memcpy(&x, &bits, 4);
    fromSingle += __half_as_ushort(__float2half(x)) != singles[i];
    fromDouble += __half_as_ushort(__double2half(wide(x, i))) != doubles[i];
  }
  printf("%d of 65536 halves, %d of %d singles, %d of %d doubles differ\n", halves, fromSingle, N, fromDouble, N);
}
