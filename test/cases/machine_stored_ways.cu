// Two branches that load and store: what nvcc makes of both, and what it leaves. Counts are those of nvcc 13.0's machine code
// (sm_90), one warp with lanes on both ways.
// levels: 2
// stdout: 5 5 5 7 6 8 8 8 8
// count: ofTwoArrays global load executed = 2
// count: ofTwoArrays global store executed = 2
// count: oneChosen global load executed = 1
// count: oneChosen global store executed = 1
// count: withoutSign global load executed = 1
// count: withoutSign global store executed = 1
// count: askedBefore global load executed = 2
// count: askedBefore global store executed = 1
// count: atOtherIndices global load executed = 1
// count: atOtherIndices global store executed = 1
// count: otherFirst global load executed = 3
// count: otherFirst global store executed = 2
// count: sameFirst global load executed = 2
// count: sameFirst global store executed = 1
// count: bounded global load executed = 3
// count: bounded global store executed = 2
// count: valuesOnly global load executed = 2
// count: valuesOnly global store executed = 1
#include <cstdio>

#define KERNEL(name) __global__ void name(int *o, const int *a, const int *b, int n, int q)

KERNEL(ofTwoArrays) {
  int t = threadIdx.x;
  if (t >= q) o[t] = a[t];
  else o[t] = b[t];
}
KERNEL(oneChosen) {
  int t = threadIdx.x;
  o[t] = t >= q ? a[t] : b[t];
}
KERNEL(withoutSign) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= q) o[t] = a[t];
  else o[t] = b[t];
}
KERNEL(askedBefore) {
  int t = threadIdx.x;
  if (b[t] >= q + 3) o[t] = a[t];
  else o[t] = a[t + 2];
}
KERNEL(atOtherIndices) {
  int t = threadIdx.x;
  if (t >= q) o[t] = a[t + 1];
  else o[t] = b[t + 2];
}
KERNEL(otherFirst) {
  int t = threadIdx.x;
  if (t >= q) o[t] = a[t - q] + a[t];
  else o[t] = a[t];
}
KERNEL(sameFirst) {
  int t = threadIdx.x;
  if (t >= q) o[t] = a[t] + a[t - q];
  else o[t] = a[t];
}
KERNEL(bounded) {
  int t = threadIdx.x;
  if (t < n) {
    if (t >= q) o[t] = a[t - q] + a[t];
    else o[t] = a[t];
  }
}
KERNEL(valuesOnly) {
  int t = threadIdx.x, sum;
  if (t >= q) sum = a[t - q] + a[t];
  else sum = a[t];
  o[t + n - 32] = sum;
}

int main() {
  int *o, *a, *b;
  cudaMallocManaged(&o, 128);
  cudaMallocManaged(&a, 256);
  cudaMallocManaged(&b, 256);
  for (int i = 0; i < 64; ++i) a[i] = b[i] = i;
  auto told = [&](const char *between = " ") { cudaDeviceSynchronize(); printf("%d%s", o[5], between); };
  ofTwoArrays<<<1, 32>>>(o, a, b, 32, 2); told();
  oneChosen<<<1, 32>>>(o, a, b, 32, 2); told();
  withoutSign<<<1, 32>>>(o, a, b, 32, 2); told();
  askedBefore<<<1, 32>>>(o, a, b, 32, 4); told();
  atOtherIndices<<<1, 32>>>(o, a, b, 32, 2); told();
  otherFirst<<<1, 32>>>(o, a, b, 32, 2); told();
  sameFirst<<<1, 32>>>(o, a, b, 32, 2); told();
  bounded<<<1, 32>>>(o, a, b, 32, 2); told();
  valuesOnly<<<1, 32>>>(o, a, b, 32, 2); told("\n");
}
