// What threads do between two barriers, much of it, in the orders in which hazards can hide: kernels keep most accesses for themselves until
// somebody has to know of them (codegen/checking/quiet.ts).
#include <cstdio>

constexpr int N = 256;

// Reads that were kept, and then a write of what another thread read.
__global__ void readThenWrite(float *out) {
  __shared__ float s[N + 32];
  int t = threadIdx.x;
  s[t] = t;
  if (t < 32) s[N + t] = 0;
  __syncthreads();
  float v = s[t] + s[t + 1];
  if (t >= 224) s[t - 1] = v;  //! racecheck hazard error
  __syncthreads();
  out[t] = v + s[t];
}

// Writes that were kept, and then a read of what another thread wrote.
__global__ void writeThenRead(float *out) {
  __shared__ float s[N], other[N];
  int t = threadIdx.x;
  s[t] = t;
  other[t] = t;
  float v = s[t] + other[t];
  if (t >= 192) v += s[t - 64];  //! racecheck hazard error
  out[t] = v;
}

// The later blocks begin with a read.
__global__ void readAtFirst(float *out) {
  __shared__ float s[N], used[N];
  int t = threadIdx.x;
  float v = s[t];  //! initcheck uninitialized-shared-read error
  used[t] = t;
  __syncthreads();
  out[t] = used[N - 1 - t] + v;
}

// Of which a part is never written.
__global__ void partly(float *out, int columns) {
  __shared__ float s[8][33];
  int x = threadIdx.x, y = threadIdx.y;
  s[y][x] = x;
  __syncthreads();
  float v = s[(y + 1) % 8][x];
  if (x < columns) v += s[y][x + 32 - columns + 1];  //! initcheck uninitialized-shared-read error
  out[y * 32 + x] = v;
}

// More than anybody keeps, before the one that is wrong.
__global__ void muchBefore(float *out, int rounds) {
  __shared__ float s[N], sums[N];
  int t = threadIdx.x;
  s[t] = t;
  sums[t] = 0;
  __syncthreads();
  for (int i = 0; i < rounds; i++) sums[t] += s[t];
  if (t == N - 1) s[0] = 1;  //! racecheck hazard error
  __syncthreads();
  out[t] = sums[t];
}

// Each warp its own words, over and over, and all of them by turns behind barriers.
__global__ void right(float *out, int rounds) {
  __shared__ float s[N], wide[4 * N];
  __shared__ unsigned char bytes[N];
  int t = threadIdx.x;
  s[t] = t;
  bytes[t] = t;
  for (int i = 0; i < 4; i++) wide[4 * t + i] = i;
  for (int i = 0; i < rounds; i++) {
    s[t] += wide[4 * t + i % 4] + bytes[t];
    __syncthreads();
    float v = s[(t + i) % N];
    __syncthreads();
    s[t] = v;
    bytes[t]++;
  }
  *(float4 *)(wide + 4 * t) = make_float4(s[t], 0, 0, 0);
  __syncthreads();
  out[t] = wide[4 * ((t + 1) % N)];
}

int main() {
  float *out;
  cudaMalloc(&out, N * sizeof(float));
  readThenWrite<<<3, N>>>(out);
  writeThenRead<<<3, N>>>(out);
  readAtFirst<<<3, N>>>(out);
  partly<<<3, dim3(32, 8)>>>(out, 1);
  muchBefore<<<2, N>>>(out, 300);
  right<<<2, N>>>(out, 40);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
