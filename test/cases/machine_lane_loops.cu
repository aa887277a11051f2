// Arms of an `if` that end with a loop and a store: one store with the other arm's where lanes leave the loop one by one, two where
// all leave together. Counts are those of nvcc 13.0's machine code (sm_90), one warp with lanes in both arms.
// levels: 2
// stdout: 2 12 12 5 2 4
// count: bitsOfLane global store executed = 1
// count: upToAll global store executed = 2
// count: upToLane global store executed = 1
// count: loadedByLane global store executed = 1
// count: bitsOfAll global store executed = 2
// count: twoConditions global store executed = 1
#include <cstdio>

#define KERNEL(name) __global__ void name(int *o, const int *x, int n, int q)

KERNEL(bitsOfLane) {
  int t = threadIdx.x;
  if (t < q) o[t] = 0;
  else {
    int sum = 0;
    for (unsigned left = t; left; left &= left - 1) sum++;
    o[t] = sum;
  }
}
KERNEL(upToAll) {
  int t = threadIdx.x;
  if (t < q) o[t] = 0;
  else {
    int sum = t;
    for (int k = 0; k < n; k++) sum = sum ^ (sum + k);
    o[t] = sum & 15;
  }
}
KERNEL(upToLane) {
  int t = threadIdx.x;
  if (t < q) o[t] = 0;
  else {
    int sum = t;
    for (int k = 0; k < t; k++) sum = sum ^ (sum + k);
    o[t] = sum & 15;
  }
}
KERNEL(loadedByLane) {
  int t = threadIdx.x;
  if (t < q) o[t] = 0;
  else {
    int at = t;
    while (at < n) at += x[at];
    o[t] = at;
  }
}
KERNEL(bitsOfAll) {
  int t = threadIdx.x;
  if (t < q) o[t] = 0;
  else {
    int sum = 0;
    for (unsigned left = n; left; left &= left - 1) sum++;
    o[t] = sum;
  }
}
KERNEL(twoConditions) {
  int t = threadIdx.x;
  if (t < q) o[t] = 0;
  else {
    int sum = t, k = 0;
    while (sum < 1000 && k < n) {
      sum = sum * 3 + 1;
      k++;
    }
    o[t] = k;
  }
}

int main() {
  int *o, *x;
  cudaMallocManaged(&o, 128);
  cudaMallocManaged(&x, 256);
  for (int i = 0; i < 64; ++i) x[i] = 2;
  auto told = [&](const char *between = " ") { cudaDeviceSynchronize(); printf("%d%s", o[5], between); };
  bitsOfLane<<<1, 32>>>(o, x, 5, 2); told();
  upToAll<<<1, 32>>>(o, x, 5, 2); told();
  upToLane<<<1, 32>>>(o, x, 5, 2); told();
  loadedByLane<<<1, 32>>>(o, x, 5, 2); told();
  bitsOfAll<<<1, 32>>>(o, x, 5, 2); told();
  twoConditions<<<1, 32>>>(o, x, 4, 2); told("\n");
}
