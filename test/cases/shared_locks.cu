// Locks in shared memory, taken by every lane in turn, around plain variables of the block that others read at the end: nobody waits for
// the other warps with the lock in its hands.
// stdout: sum 96 of 96
// stdout: longest 95, by 95
#include <cstdio>

__global__ void addsInTurn(int *result) {
  __shared__ int lock, sum;
  if (threadIdx.x == 0) lock = sum = 0;
  __syncthreads();
  bool isDone = false;
  while (!isDone) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      sum += 1;
      __threadfence_block();
      atomicExch(&lock, 0);
      isDone = true;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) *result = sum;
}

__global__ void findsLongest(int *result) {
  __shared__ int lock, longest, owner;
  if (threadIdx.x == 0) {
    lock = 0;
    longest = owner = -1;
  }
  __syncthreads();
  for (bool isDone = false; !isDone;) {
    if (atomicExch(&lock, 1) == 0) {
      if ((int)threadIdx.x > longest) {
        longest = threadIdx.x;
        owner = threadIdx.x;
      }
      __threadfence_block();
      atomicExch(&lock, 0);
      isDone = true;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    result[0] = longest;
    result[1] = owner;
  }
}

int main() {
  int *device, host[2];
  cudaMalloc(&device, sizeof host);
  addsInTurn<<<1, 96>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  printf("sum %d of 96\n", host[0]);
  findsLongest<<<1, 96>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  printf("longest %d, by %d\n", host[0], host[1]);
}
