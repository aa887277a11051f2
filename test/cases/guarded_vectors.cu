// Vectors that are loaded under a condition and zero otherwise, and summed in place: LLVM loads them as one integer and takes it apart.
// levels: 0 2
// stdout: 10 26 42 0 | 4 12
#include <cstdio>

template <int Rounds> __device__ __forceinline__ void scan(uint4 *kept, unsigned *in, int vectors) {
#pragma unroll
  for (int i = threadIdx.x, k = 0; k < Rounds; i += 32, ++k) {
    kept[k] = i < vectors ? reinterpret_cast<uint4 *>(in)[i] : make_uint4(0, 0, 0, 0);
    unsigned before = kept[k].x;
    kept[k].x += kept[k].y;
    kept[k].y = before;
    before = kept[k].x;
    kept[k].x += kept[k].z;
    kept[k].z = before;
    before = kept[k].x;
    kept[k].x += kept[k].w;
    kept[k].w = before;
  }
}

template <int Rounds> __global__ void partial(uint4 *out, unsigned *in, int vectors) {
  uint4 kept[Rounds];
  scan<Rounds>(kept, in, vectors);
#pragma unroll
  for (int k = 0; k < Rounds; ++k) out[threadIdx.x + 32 * k] = make_uint4(kept[k].y, kept[k].z, kept[k].w, kept[k].x);
}

__global__ void narrow(unsigned *out, const ushort4 *in, int vectors) {
  ushort4 v = threadIdx.x < vectors ? in[threadIdx.x] : make_ushort4(0, 0, 0, 0);
  out[threadIdx.x] = v.x + v.w;
}

int main() {
  unsigned *in, *sums;
  uint4 *out;
  cudaMallocManaged(&in, 4096);
  cudaMallocManaged(&out, 4096);
  cudaMallocManaged(&sums, 128);
  for (unsigned i = 0; i < 1024; ++i) in[i] = i + 1;
  partial<2><<<1, 32>>>(out, in, 34);
  unsigned short *halves = reinterpret_cast<unsigned short *>(in) + 1024;
  cudaDeviceSynchronize();
  for (unsigned short i = 0; i < 128; ++i) halves[i] = i;
  narrow<<<1, 32>>>(sums, reinterpret_cast<ushort4 *>(halves), 2);
  cudaDeviceSynchronize();
  printf("%u %u %u %u | %u %u\n", out[0].w, out[1].w, out[2].w, out[34].w, sums[0] + 1, sums[1] + 1);
}
