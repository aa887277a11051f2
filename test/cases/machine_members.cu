// Members of vectors that are read, changed and stored one by one: accesses of the machine code of these kernels (sm_90).
// levels: 2
// stdout: 3 4 5 3; 5 5; 2 4 1 5; 13
// count: changeThree global load executed = 1
// count: changeThree global store executed = 2
// count: changeTwo global load executed = 1
// count: changeTwo global store executed = 1
// count: skipOne global load executed = 1
// count: skipOne global store executed = 2
// count: otherBetween global load executed = 3
// count: otherBetween global store executed = 4
#include <cstdio>
__global__ void changeThree(float4 *v) { v[threadIdx.x].x += 3; v[threadIdx.x].y += 3; v[threadIdx.x].z += 3; }
__global__ void changeTwo(double2 *v) { v[threadIdx.x].x += 5; v[threadIdx.x].y += v[threadIdx.x].x; }
__global__ void skipOne(int4 *v) { v[threadIdx.x].x += 2; v[threadIdx.x].z += 3; v[threadIdx.x].w += v[threadIdx.x].x; }
__global__ void otherBetween(float4 *v, float *other) {
  int i = threadIdx.x;
  v[i].x += 1;
  other[4 * i + 1] = 7; // may be v[i].y, and is
  v[i].y += 1;
  v[i].z += 1;
}
int main() {
  float4 *f, f0;
  double2 *d, d0;
  int4 *n, n0;
  float4 start[32];
  for (int i = 0; i < 32; i++) start[i] = make_float4(0, 1, 2, 3);
  int4 numbers[32];
  for (int i = 0; i < 32; i++) numbers[i] = make_int4(0, 4, -2, 3);
  cudaMalloc(&f, sizeof start);
  cudaMalloc(&d, 32 * sizeof *d);
  cudaMalloc(&n, sizeof numbers);
  cudaMemcpy(f, start, sizeof start, cudaMemcpyHostToDevice);
  cudaMemset(d, 0, 32 * sizeof *d);
  cudaMemcpy(n, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  changeThree<<<1, 32>>>(f);
  changeTwo<<<1, 32>>>(d);
  skipOne<<<1, 32>>>(n);
  cudaMemcpy(&f0, f + 7, sizeof f0, cudaMemcpyDeviceToHost);
  cudaMemcpy(&d0, d + 7, sizeof d0, cudaMemcpyDeviceToHost);
  cudaMemcpy(&n0, n + 7, sizeof n0, cudaMemcpyDeviceToHost);
  printf("%g %g %g %g; %g %g; %d %d %d %d; ", f0.x, f0.y, f0.z, f0.w, d0.x, d0.y, n0.x, n0.y, n0.z, n0.w);
  otherBetween<<<1, 32>>>(f, (float *)f);
  cudaMemcpy(&f0, f + 7, sizeof f0, cudaMemcpyDeviceToHost);
  printf("%g\n", f0.y + f0.z - 1);
}
