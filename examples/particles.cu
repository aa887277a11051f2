// An array of structures against a structure of arrays, and what a vector type mends.
//
//   moveStructures   each thread steps through 16-byte particles field by field: 16 sectors a request, a quarter used
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

__global__ void moveStructures(Particle *particles, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) particles[i].x = particles[i].x + 0.5f * particles[i].speed;
}

__global__ void moveVectors(float4 *particles, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float4 particle = particles[i];
  particle.x += 0.5f * particle.w;
  particles[i] = particle;
}

__global__ void moveArrays(float *x, const float *speed, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) x[i] = x[i] + 0.5f * speed[i];
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 262144;
  std::vector<Particle> particles(count);
  std::vector<float> x(count), speed(count);
  for (int i = 0; i < count; i++) {
    x[i] = (float)i;
    speed[i] = (float)(i % 8);
    particles[i] = {x[i], 0, 0, speed[i]};
  }

  Particle *deviceParticles;
  float *deviceX, *deviceSpeed;
  cudaMalloc(&deviceParticles, count * sizeof(Particle));
  cudaMalloc(&deviceX, count * sizeof(float));
  cudaMalloc(&deviceSpeed, count * sizeof(float));
  cudaMemcpy(deviceParticles, particles.data(), count * sizeof(Particle), cudaMemcpyHostToDevice);
  cudaMemcpy(deviceX, x.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(deviceSpeed, speed.data(), count * sizeof(float), cudaMemcpyHostToDevice);

  int block = 256, grid = (count + block - 1) / block;
  moveStructures<<<grid, block>>>(deviceParticles, count);
  moveVectors<<<grid, block>>>((float4 *)deviceParticles, count);
  moveArrays<<<grid, block>>>(deviceX, deviceSpeed, count);
  moveArrays<<<grid, block>>>(deviceX, deviceSpeed, count);

  cudaMemcpy(particles.data(), deviceParticles, count * sizeof(Particle), cudaMemcpyDeviceToHost);
  cudaMemcpy(x.data(), deviceX, count * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = cudaGetLastError() != cudaSuccess;
  for (int i = 0; i < count; i++) wrong += particles[i].x != x[i] || x[i] != (float)i + (float)(i % 8);
  printf("%d particles: %s\n", count, wrong ? "FAIL" : "PASS");
  cudaFree(deviceParticles);
  cudaFree(deviceX);
  cudaFree(deviceSpeed);
  return wrong != 0;
}
