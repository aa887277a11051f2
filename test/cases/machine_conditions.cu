// What a branch alone needs, second conditions and loops of a known number of rounds, counted as nvcc's code has them (PTX of CUDA
// 13.0: nvcc -O3 -arch=sm_90).
// levels: 2
// stdout: 0 0 0 0 0 1 1 0 0 1 3
// count: alone global load executed = 1
// count: fused global load executed = 2
// count: constant global load executed = 1
// count: inlined global load executed = 1
// count: nested global load executed = 2
// count: either global load executed = 2
// count: farther global load executed = 1
// count: stored global load executed = 2
// count: front global load executed = 0
// count: rest global load executed = 0
// count: whole global load executed = 33
#include <cstdio>

// The load is needed behind the condition, which no lane passes.
__global__ void alone(float *out, const float *in, float q) {
  int i = threadIdx.x;
  float v = in[i];
  if (in[i + 32] > q) out[i] = v;
}
// A fused multiply-add stays, unless its addend is a constant or it is of a function of one argument.
__global__ void fused(float *out, const float *in, float q) {
  int i = threadIdx.x;
  float v = in[i] * 3 + q;
  if (in[i + 32] > q) out[i] = v;
}
__global__ void constant(float *out, const float *in, float q) {
  int i = threadIdx.x;
  float v = in[i] * q + 1;
  if (in[i + 32] > q) out[i] = v;
}
__device__ __forceinline__ float sum(float a) { return a * a + a; }
__global__ void inlined(float *out, const float *in, float q) {
  int i = threadIdx.x;
  float v = sum(in[i]);
  if (in[i + 32] > q) out[i] = v;
}
// Behind both conditions, of which the first one holds.
__global__ void nested(float *out, const float *in, float q) {
  int i = threadIdx.x;
  float v = in[i];
  if (in[i + 32] < q) {
    if (in[i + 64] > q) out[i] = v;
  }
}
// A second condition of a few operations is computed always, a longer one is not.
__global__ void either(float *out, const float *in, float q) {
  int i = threadIdx.x;
  float u = in[i], v = in[i + 32];
  if (u < q || v * 2 > q) out[i] = 1;
}
__global__ void farther(float *out, const float *in, float q) {
  int i = threadIdx.x;
  float u = in[i], v = in[i + 32];
  if (u < q || sqrtf(((v * 2 + 1) * 3 + u) * v) > q) out[i] = 1;
}
// Not past a store that may write it.
__global__ void stored(float *out, const float *in, float q) {
  int i = threadIdx.x;
  float v = in[i];
  out[i + 32] = q;
  if (in[i + 32] > q) out[i] = v;
}
// To the front of a loop that no lane enters; by ptxas also to the front of the two that a loop written out is.
__global__ void front(float *out, const float *in, unsigned n) {
  unsigned i = threadIdx.x;
  float v = in[i];
  for (unsigned j = i; j < n; j += blockDim.x) out[j] = v;
}
__global__ void rest(float *out, const float *in, int n) {
  int i = threadIdx.x;
  float v = in[i], s = 0;
  for (int j = 0; j < n; j++) s += in[j] * v;
  out[i] = s + 1;
}
// All 32 rounds: what one has loaded the next one has.
__global__ void whole(float *__restrict__ out, const float *__restrict__ in) {
  for (int j = 0; j < 32; j++) out[j * 32 + threadIdx.x] = in[j] + in[j + 1] + 1;
}

float *out, *in;

void show() {
  cudaDeviceSynchronize();
  static int count;
  printf("%s%g", count++ ? " " : "", out[0]);
  out[0] = 0;
}

int main() {
  cudaMallocManaged(&out, 2048 * sizeof(float));
  cudaMallocManaged(&in, 2048 * sizeof(float));
  for (int i = 0; i < 2048; i++) {
    in[i] = 1;
    out[i] = 0;
  }
  alone<<<1, 32>>>(out, in, 2);
  show();
  fused<<<1, 32>>>(out, in, 2);
  show();
  constant<<<1, 32>>>(out, in, 2);
  show();
  inlined<<<1, 32>>>(out, in, 2);
  show();
  nested<<<1, 32>>>(out, in, 2);
  show();
  either<<<1, 32>>>(out, in, 2);
  show();
  farther<<<1, 32>>>(out, in, 2);
  show();
  stored<<<1, 32>>>(out, in, 2);
  show();
  front<<<1, 32>>>(out, in, 0);
  show();
  rest<<<1, 32>>>(out, in, 0);
  show();
  whole<<<1, 32>>>(out, in);
  show();
  printf("\n");
}
