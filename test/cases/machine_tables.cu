// Tables that one compiler makes and the other does not: constant arrays of functions are local variables for nvcc, switches
// branches; only `static` arrays are in global memory, and the coefficients of sines of doubles.
// levels: 2
// stdout: 36 40 7 91 13 0 16 0.8415
// count: pickLocal global load executed = 0
// count: pickLocal local load executed = 1
// count: pickLocal local store executed = 2
// count: pickStatic global load executed = 1
// count: change global load executed = 0
// count: number global load executed = 1
// count: sine global load executed = 3
#include <cstdio>

struct Pair { int first, second; };

__global__ void pickLocal(int *out, int which) {
  const Pair pairs[] = {{1, 2}, {3, 4}, {30, 6}, {0, 9}};
  Pair pair = pairs[which];
  *out = pair.first + pair.second;
}
__global__ void pickStatic(int *out, int which) {
  static const int numbers[] = {40, 10, 20};
  *out = numbers[which];
}
__global__ void change(int *out, int which, int amount) {
  int places[] = {4, 3, 2, 1, 7};
  places[which] += amount;
  *out = places[4] + places[which - 3];
}
__global__ void number(const int *which, int *out) {
  int found;
  switch (which[threadIdx.x & 3]) {
    case 0: found = 7; break;
    case 1: found = 91; break;
    case 2: found = 13; break;
    case 3: found = 17; break;
    case 4: found = -5; break;
    default: found = 0;
  }
  if (threadIdx.x < 4) out[threadIdx.x] = found;
}
__global__ void sine(double *out, double angle) { *out = sin(angle); }

int main() {
  int *data, host[7], which[] = {0, 1, 2, 9};
  double value;
  cudaMalloc(&data, 256);
  cudaMemset(data, 0, 256);
  cudaMemcpy(data + 8, which, sizeof which, cudaMemcpyHostToDevice);
  pickLocal<<<1, 32>>>(data, 2);
  pickStatic<<<1, 32>>>(data + 1, 0);
  number<<<1, 32>>>(data + 8, data + 2);
  change<<<1, 32>>>(data + 6, 4, 6);
  sine<<<1, 32>>>((double *)(data + 16), 1.0);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(&value, data + 16, sizeof value, cudaMemcpyDeviceToHost);
  for (int number : host) printf("%d ", number);
  printf("%.4f\n", value);
}
