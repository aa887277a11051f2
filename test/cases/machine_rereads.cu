// What the source reads twice with a store of the same value in between is loaded twice on the machine; a variable is not.
// Counts are those of nvcc 13.0's machine code (sm_90).
// levels: 2
// stdout: 2 8 5 9 2 15 42
// stdout: 4 10 25
// stdout: 511 1790
// count: sweep shared load executed = 19
// count: exchange global load executed = 3
// count: square global load executed = 2
// count: variableSquared global load executed = 1
// count: members global load executed = 6
// count: copies global load executed = 2
// count: farApart global load executed = 2
// count: restricted global load executed = 1
// count: keptVariable shared load executed = 2
// count: earlierOnTheLine global load executed = 1
#include <cstdio>

struct Couple { float x, y; };

// The second half of a scan as books have it (Blelloch).
__global__ void sweep(float *out, int n) {
  extern __shared__ float temp[];
  int thread = threadIdx.x;
  temp[thread] = out[thread];
  temp[thread + 32] = out[thread + 32];
  int offset = n;
  for (int d = 1; d < 64; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thread < d) {
      int ai = offset * (2 * thread + 1) - 1, bi = offset * (2 * thread + 2) - 1;
      float t = temp[ai];
      temp[ai] = temp[bi];
      temp[bi] += t;
    }
  }
  __syncthreads();
  out[thread] = temp[thread];
}
__global__ void exchange(float *temp, int ai, int bi) {
  float t = temp[ai];
  temp[ai] = temp[bi];
  temp[bi] += t;
}
__global__ void square(float *a, float *b, float *c) {
  int i = threadIdx.x;
  b[i] = a[i];
  c[i] = a[i] * a[i] + 1;
}
__global__ void variableSquared(float *a, float *b, float *c) {
  int i = threadIdx.x;
  float value = a[i];
  b[i] = value;
  c[i] = value * value;
}
__global__ void members(Couple *a, float *b, float *c, int *p) {
  int i = threadIdx.x;
  b[i] = a[i].x; c[i] = a[i].x * 3;
  b[i + 1] = *c; c[i + 2] = *c - 1;
  p[i] = *p; p[i + 4] = (*p)++;
}
__global__ void copies(float *a, float *b, float *c) {
  int i = threadIdx.x;
  b[i] = a[i];
  c[i] = a[i];
}
__global__ void restricted(const float *__restrict__ a, float *__restrict__ b, float *__restrict__ c) {
  int i = threadIdx.x;
  b[i] = a[i];
  c[i] = a[i] * 2;
}

// Lanes write where their neighbours read: what is read again is another value than the variable's.
__global__ void keptVariable(float *out, int n) {
  __shared__ float s[33];
  int i = threadIdx.x;
  s[i] = out[i];
  __syncwarp();
  float t = s[i];
  s[i + n] = t;
  float y = s[i];
  out[i] = y;
  out[i + 32] = t * 2;
}
__global__ void earlierOnTheLine(float *a, float *b, float *c) {
  int i = threadIdx.x;
  float t = a[i], u = a[i] * 2;
  b[i] = t;
  c[i] = t * 3 + u;
}

// The two places are 256 elements apart, whichever the thread: the store changes nothing (reading: prescan of unseen32).
__global__ void farApart(float *temp, size_t block) {
  const size_t thread = threadIdx.x, start = block * blockDim.x * 1024;
  const size_t ai = start + 256 * (2 * thread + 1) - 1, bi = start + 256 * (2 * thread + 2) - 1;
  float t = temp[ai];
  temp[ai] = temp[bi];
  temp[bi] += t;
}

int main() {
  float *m;
  cudaMallocManaged(&m, 1024 * sizeof(float));
  int *p = (int *)(m + 512);
  for (int i = 0; i < 64; i++) m[i] = 1;
  sweep<<<1, 32, 64 * sizeof(float)>>>(m, 64);
  cudaDeviceSynchronize();
  printf("%g ", m[2]);
  m[0] = 3, m[1] = 5;
  exchange<<<1, 1>>>(m, 0, 1);
  cudaDeviceSynchronize();
  printf("%g %g ", m[1], m[0]);
  m[0] = 3;
  variableSquared<<<1, 1>>>(m, m + 8, m + 16);
  cudaDeviceSynchronize();
  printf("%g ", m[16]);
  m[0] = 1;
  square<<<1, 1>>>(m, m + 8, m + 16);
  cudaDeviceSynchronize();
  printf("%g ", m[16]);
  m[0] = 5, p[0] = 41;
  members<<<1, 1>>>((Couple *)m, m + 8, m + 16, p);
  cudaDeviceSynchronize();
  printf("%g %d\n", m[16], p[0]);
  copies<<<1, 1>>>(m, m + 8, m + 16);
  restricted<<<1, 1>>>(m, m + 8, m + 16);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; i++) m[i] = i;
  keptVariable<<<1, 32>>>(m, 1);
  cudaDeviceSynchronize();
  printf("%g %g ", m[5], m[37]);
  m[0] = 5;
  earlierOnTheLine<<<1, 1>>>(m, m + 8, m + 16);
  cudaDeviceSynchronize();
  printf("%g\n", m[16]);
  float *far;
  cudaMallocManaged(&far, 1024 * sizeof(float));
  for (int i = 0; i < 1024; i++) far[i] = i;
  farApart<<<1, 2>>>(far, 0);
  cudaDeviceSynchronize();
  printf("%g %g\n", far[255], far[1023]);
}
