// Loads and stores of 1 to 16 bytes a lane that hit in L1, or in shared memory: neighbours, one place for all lanes, every other place.
#include <cstdio>

struct alignas(16) Quad {
  unsigned a, b, c, d;
};
struct alignas(8) Pair {
  unsigned a, b;
};
__device__ unsigned sum(unsigned char v) { return v; }
__device__ unsigned sum(unsigned short v) { return v; }
__device__ unsigned sum(signed char v) { return v; }
__device__ unsigned sum(short v) { return v; }
__device__ unsigned sum(unsigned v) { return v; }
__device__ unsigned sum(Pair v) { return v.a + v.b; }
__device__ unsigned sum(Quad v) { return v.a + v.b + v.c + v.d; }
template <class T> __device__ T make(unsigned v);
template <> __device__ unsigned char make(unsigned v) { return v; }
template <> __device__ unsigned short make(unsigned v) { return v; }
template <> __device__ unsigned make(unsigned v) { return v; }
template <> __device__ Pair make(unsigned v) { return {v, v}; }

// PLACES elements of an array that fits in L1, STRIDE apart from lane to lane.
template <class T, int STRIDE> __global__ void loads(unsigned *o, const T *a, int rounds) {
  unsigned s = 0;
  const T *mine = a + threadIdx.x % 32 * STRIDE;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r)
#pragma unroll
    for (int k = 0; k < 16; ++k) s += sum(mine[k * 32 + (r & 1) * 8]);
  o[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

// A uniform place, as a product of matrices reads its left one.
template <class T> __global__ void uniform(unsigned *o, const T *a, int rounds) {
  unsigned s = 0;
  const T *mine = a + threadIdx.x / 32;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r)
#pragma unroll
    for (int k = 0; k < 16; ++k) s += sum(mine[k * 8 + (r & 1) * 8]);
  o[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

template <class T, int STRIDE> __global__ void sharedLoads(unsigned *o, const T *a, int rounds) {
  __shared__ T s[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = a[i];
  __syncthreads();
  unsigned all = 0;
  int mine = threadIdx.x % 32 * STRIDE;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r)
#pragma unroll
    for (int k = 0; k < 16; ++k) all += sum(s[mine + k * 32 + (r & 1) * 8]);
  o[blockIdx.x * blockDim.x + threadIdx.x] = all;
}

// One place for all lanes, and one for each quarter of them.
template <class T, int LANES> __global__ void sharedUniform(unsigned *o, const T *a, int rounds) {
  __shared__ T s[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = a[i];
  __syncthreads();
  unsigned all = 0;
  int mine = threadIdx.x % 32 / LANES;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r)
#pragma unroll
    for (int k = 0; k < 16; ++k) all += sum(s[mine + k * 32 + (r & 1) * 8]);
  o[blockIdx.x * blockDim.x + threadIdx.x] = all;
}

template <class T> __global__ void sharedStores(unsigned *o, int rounds) {
  __shared__ T s[2048];
#pragma unroll 1
  for (int r = 0; r < rounds; ++r)
#pragma unroll
    for (int k = 0; k < 16; ++k) ((volatile T *)s)[threadIdx.x + k * 64] = r + k;
  __syncthreads();
  o[blockIdx.x * blockDim.x + threadIdx.x] = sum(s[threadIdx.x]);
}

// Each thread's own places, again and again.
template <class T> __global__ void stores(T *o, int rounds) {
  T *mine = o + blockIdx.x * blockDim.x * 4 + threadIdx.x;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r)
#pragma unroll
    for (int k = 0; k < 4; ++k) mine[k * blockDim.x] = make<T>(r + k);
}

template <class T> __global__ void stream(T *o, const T *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) o[i] = a[i];
}

static unsigned *out;
static void *in;

template <class T> void all() {
  loads<T, 1><<<1056, 256>>>(out, (const T *)in, 32);
  loads<T, 2><<<1056, 256>>>(out, (const T *)in, 32);
  uniform<T><<<1056, 256>>>(out, (const T *)in, 32);
  sharedLoads<T, 1><<<1056, 256>>>(out, (const T *)in, 32);
  if (sizeof(T) >= 4) {
    sharedUniform<T, 32><<<1056, 256>>>(out, (const T *)in, 32);
    sharedUniform<T, 8><<<1056, 256>>>(out, (const T *)in, 32);
  }
  if (cudaDeviceSynchronize() != cudaSuccess) printf("failed\n");
}

int main() {
  cudaMalloc(&out, 1 << 26);
  cudaMalloc(&in, 1 << 26);
  cudaMemset(in, 1, 1 << 26);
  all<unsigned char>();
  all<signed char>();
  all<unsigned short>();
  all<short>();
  all<unsigned>();
  all<Pair>();
  all<Quad>();
  loads<unsigned short, 1><<<132, 64>>>(out, (const unsigned short *)in, 32);
  loads<unsigned, 1><<<132, 64>>>(out, (const unsigned *)in, 32);
  loads<unsigned short, 1><<<264, 1024>>>(out, (const unsigned short *)in, 32);
  loads<unsigned, 1><<<264, 1024>>>(out, (const unsigned *)in, 32);
  sharedLoads<unsigned char, 4><<<1056, 256>>>(out, (const unsigned char *)in, 32);
  sharedStores<unsigned char><<<1056, 256>>>(out, 32);
  sharedStores<unsigned short><<<1056, 256>>>(out, 32);
  sharedStores<unsigned><<<1056, 256>>>(out, 32);
  stores<unsigned char><<<1056, 256>>>((unsigned char *)out, 8);
  stores<unsigned short><<<1056, 256>>>((unsigned short *)out, 8);
  stores<unsigned><<<1056, 256>>>(out, 8);
  stores<Pair><<<1056, 256>>>((Pair *)out, 8);
  stream<unsigned char><<<65536, 256>>>((unsigned char *)out, (const unsigned char *)in, 1 << 24);
  stream<unsigned short><<<65536, 256>>>((unsigned short *)out, (const unsigned short *)in, 1 << 24);
  stream<unsigned><<<65536, 256>>>(out, (const unsigned *)in, 1 << 24);
  if (cudaDeviceSynchronize() != cudaSuccess) printf("failed\n");
  return 0;
}
