// nvcc tells shared memory from what arguments point to: what was loaded from the one is not loaded again behind writes to the
// other. Counts are those of nvcc 13.0's machine code (sm_90).
// levels: 2
// stdout: 6 6 6 6 9 9 6 6 10
// count: dynamicStore global load executed = 1
// count: dynamicAtomic global load executed = 1
// count: staticAtomic global load executed = 1
// count: behindBarrier global load executed = 2
// count: globalAtomic global load executed = 3
// count: acrossLoop global load executed = 1
// count: acrossBranch global load executed = 1
// count: sharedAcrossGlobal shared load executed = 1
// count: storedInFront shared load executed = 0
// count: storedInFront global store executed = 2
#include <cstdio>

__global__ void dynamicStore(const int *a, int *o) {
  extern __shared__ int d[];
  int t = threadIdx.x, v = a[t];
  d[t] = v + 1;
  o[t] = a[t] * 2;
}
__global__ void dynamicAtomic(const int *a, int *o) {
  extern __shared__ int d[];
  int t = threadIdx.x, v = a[t];
  atomicAdd(&d[v & 31], v);
  o[t] = a[t] * 2;
}
__global__ void staticAtomic(const int *a, int *o) {
  __shared__ int s[64];
  int t = threadIdx.x, v = a[t];
  atomicAdd(&s[v & 63], v);
  o[t] = a[t] * 2;
}
__global__ void behindBarrier(const int *a, int *o) {
  __shared__ int s[64];
  int t = threadIdx.x, v = a[t];
  s[t] = 0;
  atomicAdd(&s[t], v);
  __syncthreads();
  o[t] = a[t] + s[t];
}
__global__ void globalAtomic(const int *a, int *o) {
  int t = threadIdx.x, v = a[t];
  atomicAdd(o + t, v);
  o[t] += a[t];
}
__global__ void acrossLoop(const int *a, int *o, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, v = a[t];
  for (int i = 0; i < n; i++) atomicAdd(&s[(v + i) & 63], v);
  o[t] = a[t] * 3;
}
__global__ void acrossBranch(const int *a, int *o, int n) {
  extern __shared__ int d[];
  int t = threadIdx.x, v = a[t];
  if (v > n) d[t] = v;
  else d[t + 1] = v * 2;
  o[t] = a[t] * 3;
}
__global__ void sharedAcrossGlobal(int *o, int v) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = v;
  __syncthreads();
  int x = s[t ^ 3];
  atomicAdd(o + x, x);
  o[t] = s[t ^ 3] * 2;
}
// Of shared memory also what was stored (latbnd of LS-CAT).
__global__ void storedInFront(const int *a, int *o, int n) {
  __shared__ int s[32], r[32];
  int t = threadIdx.x;
  s[t] = a[t] + 4, r[t] = a[t] + 7;
  if (t >= 0 && t < n) o[t] = s[t];
  if (t % 2 == 1) o[t] = r[t];
}

int main() {
  int *m;
  cudaMallocManaged(&m, 4096);
  const int *a = m;
  int *o = m + 64;
  auto show = [&](const char *behind) {
    cudaDeviceSynchronize();
    printf("%d%s", o[1], behind);
    for (int i = 0; i < 128; i++) m[i] = i < 64 ? 3 : 0;
  };
  for (int i = 0; i < 128; i++) m[i] = i < 64 ? 3 : 0;
  dynamicStore<<<1, 32, 256>>>(a, o), show(" ");
  dynamicAtomic<<<1, 32, 256>>>(a, o), show(" ");
  staticAtomic<<<1, 32>>>(a, o), show(" ");
  behindBarrier<<<1, 32>>>(a, o), show(" ");
  acrossLoop<<<1, 32>>>(a, o, 2), show(" ");
  acrossBranch<<<1, 32, 256>>>(a, o, 2), show(" ");
  globalAtomic<<<1, 32>>>(a, o), show(" ");
  sharedAcrossGlobal<<<1, 32>>>(o, 3), show(" ");
  storedInFront<<<1, 32>>>(a, o, 8), show("\n");
}
