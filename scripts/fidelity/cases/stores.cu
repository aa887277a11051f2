// What stores take below L1: lanes, warps and rounds so far apart. `gen`, `gen4`: stores of words and of four; `tile`, `tileCopy`: each lane
// fills K words of its own, one after the other; `reuse`: lines that are loaded again after others were stored; `after`: loads of what was stored.
#include <cstdio>

__global__ void gen(float *out, int lane, int warp, int block, int step, int n) {
  int base = blockIdx.x * block + (threadIdx.x / 32) * warp + (threadIdx.x % 32) * lane;
  for (int i = 0; i < n; ++i) out[base + i * step] = i;
}

__global__ void gen4(float4 *out, int lane, int warp, int block, int step, int n) {
  int base = blockIdx.x * block + (threadIdx.x / 32) * warp + (threadIdx.x % 32) * lane;
  for (int i = 0; i < n; ++i) out[base + i * step] = make_float4(i, i, i, i);
}

__global__ void tile(float *out, int k, int tiles) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  for (int r = 0; r < tiles; ++r)
    for (int j = 0; j < k; ++j) out[(r * threads + t) * k + j] = j;
}

__global__ void tileCopy(float *out, const float *in, int k, int tiles) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  for (int r = 0; r < tiles; ++r)
    for (int j = 0; j < k; ++j) out[(r * threads + t) * k + j] = in[(r * threads + t) * k + j];
}

__global__ void reuse(float *out, const float *in, int loaded, int stored, int lanes, int apart) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  float s = 0;
  for (int r = 0; r < 4; ++r) {
    for (int i = warp; i < loaded; i += warps) s += in[i * 32 + lane];
    __syncthreads();
    for (int i = warp; i < stored; i += warps)
      if (lane < lanes) out[i * 32 + lane * apart] = s;
    __syncthreads();
  }
}

__global__ void after(float *out, int lines, int lanes) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  for (int i = warp; i < lines; i += warps)
    if (lane < lanes) out[i * 32 + lane] = lane;
  __syncthreads();
  float s = 0;
  for (int i = warp; i < lines; i += warps) s += out[i * 32 + lane];
  if (s == -1) out[threadIdx.x] = s;
}

int main() {
  const size_t bytes = size_t(768) << 20;
  float *in, *out;
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMemset(in, 0, bytes);
  cudaMemset(out, 0, bytes);
  struct G { int grid, threads, lane, warp, block, step, n; };
  const G words[] = {
      {264, 256, 1024, 32768, 262144, 1, 64}, {264, 256, 1024, 32768, 262144, 8, 64}, {264, 256, 1024, 32768, 262144, 32, 32},
      {264, 256, 1024, 32768, 262144, 0, 64}, {264, 256, 1024, 1, 32768, 8, 64}, {132, 1024, 1024, 1, 32768, 32, 32},
      {264, 256, 1056, 33792, 270336, 1, 64}, {264, 256, 32, 1024, 8192, 1, 32}, {1056, 256, 32, 1024, 8192, 1, 32},
      {1056, 256, 16, 512, 4096, 1, 16}, {1056, 256, 8, 256, 2048, 1, 8}, {1056, 256, 4, 128, 1024, 1, 4},
      {132, 32, 1024, 32768, 32768, 1, 512}, {132, 128, 1024, 32768, 131072, 1, 128}, {132, 256, 1024, 32768, 262144, 1, 64},
      {32, 256, 1024, 32768, 262144, 1, 64}, {66, 256, 1024, 32768, 262144, 1, 64}, {264, 256, 32, 1024, 8192, 8, 4}, {4224, 256, 2, 64, 512, 1, 1},
      {4224, 256, 4, 128, 1024, 1, 1}, {4224, 256, 8, 256, 2048, 1, 1}, {4224, 256, 16, 512, 4096, 1, 1}, {4224, 256, 32, 1024, 8192, 1, 1},
  };
  for (const G &g : words) gen<<<g.grid, g.threads>>>(out, g.lane, g.warp, g.block, g.step, g.n);
  const G fours[] = {{264, 256, 256, 8192, 65536, 1, 64}, {264, 256, 256, 8192, 65536, 2, 64}, {264, 256, 256, 1, 8192, 8, 32}, {1056, 256, 2, 64, 512, 1, 2},
                     {4224, 256, 8, 256, 2048, 1, 1}};
  for (const G &g : fours) gen4<<<g.grid, g.threads>>>((float4 *)out, g.lane, g.warp, g.block, g.step, g.n);
  const int shapes[][2] = {{132, 32}, {132, 128}, {264, 256}, {264, 1024}};
  for (auto &s : shapes)
    for (int k : {1, 2, 3, 4, 5, 6, 8, 12, 16}) tile<<<s[0], s[1]>>>(out, k, 8);
  for (auto &s : shapes)
    for (int k : {2, 3, 4, 8}) tileCopy<<<s[0], s[1]>>>(out, in, k, 8);
  for (int stored : {0, 256, 512, 768, 1024, 1536, 2048}) reuse<<<1, 256>>>(out, in, 1024, stored, 32, 1);
  for (int stored : {256, 512, 1024, 2048}) reuse<<<1, 256>>>(out, in, 1024, stored, 1, 1);
  for (int stored : {256, 512, 1024}) reuse<<<1, 256>>>(out, in, 1024, stored, 32, 32);
  for (int stored : {0, 256, 512, 1024}) reuse<<<1, 256>>>(out, in, 512, stored, 32, 1);
  for (int loaded : {1280, 1536, 1664, 1792, 1920, 2048}) reuse<<<1, 256>>>(out, in, loaded, 0, 32, 1);
  after<<<1, 256>>>(out, 256, 32);
  after<<<1, 256>>>(out, 256, 1);
  after<<<1, 256>>>(out, 256, 8);
  after<<<132, 256>>>(out, 1024, 32);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
