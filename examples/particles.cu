// An array of structures against a structure of arrays, and what a vector type mends. Every particle is read and written
// whole; what differs is how a warp's accesses fall on sectors of 32 bytes.
//
//   moveStructures   16-byte particles, field by field: 16 sectors a request, a quarter of them used
//   moveVectors      the same memory as one float4 a thread: 16 sectors a request, all of them used
//   moveArrays       one array a field: 4 sectors a request, all of them used
//
// usage: particles [count]     default 262144
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

struct Particle {
  float x, y, z, speed;
};

__global__ void moveStructures(volatile Particle *particles, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float speed = particles[i].speed;
  particles[i].x = particles[i].x + 0.5f * speed;
  particles[i].y = particles[i].y - 0.25f * speed;
  particles[i].z = particles[i].z + 0.125f * speed;
  particles[i].speed = 0.5f * speed;
}

__global__ void moveVectors(float4 *particles, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float4 p = particles[i];
  p.x = p.x + 0.5f * p.w;
  p.y = p.y - 0.25f * p.w;
  p.z = p.z + 0.125f * p.w;
  p.w = 0.5f * p.w;
  particles[i] = p;
}

__global__ void moveArrays(float *x, float *y, float *z, float *speed, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float s = speed[i];
  x[i] = x[i] + 0.5f * s;
  y[i] = y[i] - 0.25f * s;
  z[i] = z[i] + 0.125f * s;
  speed[i] = 0.5f * s;
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "CUDA error: %s\n", cudaGetErrorString(status));
  exit(1);
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 262144;
  size_t bytes = count * sizeof(Particle);
  std::vector<Particle> particles(count);
  std::vector<float> fields(4 * count);
  for (int i = 0; i < count; i++) {
    particles[i] = {(float)i, (float)(i % 100), 1.0f, (float)(i % 8)};
    fields[i] = particles[i].x;
    fields[count + i] = particles[i].y;
    fields[2 * count + i] = particles[i].z;
    fields[3 * count + i] = particles[i].speed;
  }

  Particle *deviceParticles;
  float *deviceFields;
  check(cudaMalloc(&deviceParticles, bytes));
  check(cudaMalloc(&deviceFields, bytes));
  check(cudaMemcpy(deviceParticles, particles.data(), bytes, cudaMemcpyHostToDevice));
  check(cudaMemcpy(deviceFields, fields.data(), bytes, cudaMemcpyHostToDevice));

  // Two steps in each layout: both must end in the same place.
  int block = 256, grid = (count + block - 1) / block;
  moveStructures<<<grid, block>>>(deviceParticles, count);
  moveVectors<<<grid, block>>>((float4 *)deviceParticles, count);
  float *x = deviceFields, *y = x + count, *z = y + count, *speed = z + count;
  for (int step = 0; step < 2; step++) moveArrays<<<grid, block>>>(x, y, z, speed, count);
  check(cudaGetLastError());

  check(cudaMemcpy(particles.data(), deviceParticles, bytes, cudaMemcpyDeviceToHost));
  check(cudaMemcpy(fields.data(), deviceFields, bytes, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < count; i++) {
    wrong += particles[i].x != fields[i] || particles[i].y != fields[count + i];
    wrong += particles[i].z != fields[2 * count + i] || particles[i].speed != fields[3 * count + i];
    wrong += particles[i].speed != 0.25f * (i % 8);
  }
  check(cudaFree(deviceParticles));
  check(cudaFree(deviceFields));
  printf("%d particles: %s\n", count, wrong ? "FAIL" : "PASS");
  return wrong != 0;
}
