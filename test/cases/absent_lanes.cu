// Shuffles from lanes that do not take part: that the block does not have, that have ended, that are in another branch. CUDA
// leaves their values undefined; the numbers here are an H200's, for all three alike.
// stdout: absent 0 0 0 2.5 10.5, 0 0 0 2.5 8, 0 0 0 3.5 4.5
// stdout: ended 0 0 0 2.5 10.5, 0 0 0 2.5 8, 0 0 0 3.5 4.5
// stdout: elsewhere 0 0 0 2.5 10.5, 0 0 0 2.5 8, 0 0 0 3.5 4.5
// stdout: sum of 33 82.5
#include <cstdio>
const unsigned ALL = 0xffffffffu;

__device__ void read(float *out, float v, unsigned members, int lane) {
  float sum = v;
  out += lane * 5;
  out[0] = __shfl_down_sync(members, v, 16), out[1] = __shfl_xor_sync(members, v, 9);
  out[2] = __shfl_sync(members, v, 30), out[3] = __shfl_up_sync(members, v, 1);
  for (int distance = 16; distance; distance /= 2) sum += __shfl_down_sync(members, sum, distance);
  out[4] = sum;
}
__global__ void absent(float *out, float first) {
  int lane = threadIdx.x % 32;
  float last[15];
  read(threadIdx.x < 32 ? last - lane * 5 : out, first + lane, ALL, lane);
}
__global__ void ended(float *out, float first) {
  int lane = threadIdx.x;
  if (lane >= 3) return;
  read(out, first + lane, ALL, lane);
}
__global__ void elsewhere(float *out, float first) {
  int lane = threadIdx.x;
  if (lane < 3) read(out, first + lane, 7, lane);
  else out[15 + lane] = first;
}
__global__ void sum(float *out, float each) {
  __shared__ float ofWarp[2];
  float v = each;
  for (int distance = 16; distance; distance /= 2) v += __shfl_down_sync(ALL, v, distance);
  if (threadIdx.x % 32 == 0) ofWarp[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) *out = ofWarp[0] + ofWarp[1];
}

static float *out;
void show(const char *name) {
  cudaDeviceSynchronize();
  printf("%s", name);
  for (int i = 0; i < 15; i++) printf("%s%g", i && i % 5 == 0 ? ", " : " ", out[i]);
  puts("");
}
int main() {
  cudaMallocManaged(&out, 4096);
  absent<<<1, 35>>>(out, 2.5f), show("absent");
  ended<<<1, 32>>>(out, 2.5f), show("ended");
  elsewhere<<<1, 32>>>(out, 2.5f), show("elsewhere");
  sum<<<1, 33>>>(out, 2.5f), cudaDeviceSynchronize();
  printf("sum of 33 %g\n", *out);
}
