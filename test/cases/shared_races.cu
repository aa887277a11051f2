// Words of shared memory that all threads read and some write again without a barrier between: a race that GPUs nearly always win, since
// warps come out of a barrier together (analysis/execution/pauses.ts). In: nothing. Out: what comes of it when all read first.
// stdout: twice 0 wrong
// stdout: tasks 0 wrong
// stdout: rounds 0 wrong
#include <cstdio>

// The largest and then the sum, through the same array.
__global__ void twice(const int *x, int *y, int n) {
  __shared__ int s[32];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  int most = x[t];
  for (int o = 16; o > 0; o /= 2) most = max(most, __shfl_xor_sync(0xffffffff, most, o));
  if (lane == 0) s[warp] = most;
  __syncthreads();
  if (t == 0)
    for (int i = 1; i < n / 32; ++i) s[0] = max(s[0], s[i]);
  __syncthreads();
  most = s[0];
  int sum = most - x[t];
  for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(0xffffffff, sum, o);
  if (lane == 0) s[warp] = sum;
  __syncthreads();
  sum = 0;
  for (int i = 0; i < n / 32; ++i) sum += s[i];
  y[t] = sum + most;
}

// Blocks take tasks from a queue until it is empty; the first thread takes the next one while others still work.
__global__ void tasks(int *next, int *data, int count) {
  __shared__ int task, factor;
  if (threadIdx.x == 0) {
    task = atomicAdd(next, 1);
    factor = 2 * task + 1;
  }
  __syncthreads();
  while (task < count) {
    if (factor % 3 == 0) data[task * blockDim.x + threadIdx.x] = factor;
    else data[task * blockDim.x + threadIdx.x] = -factor;
    if (threadIdx.x == 0) {
      task = atomicAdd(next, 1);
      factor = 2 * task + 1;
    }
    __syncthreads();
  }
}

// The last thread hands a value on to the next round.
__global__ void rounds(int *y, int n) {
  __shared__ int carry;
  if (threadIdx.x == 0) carry = 1;
  __syncthreads();
  for (int i = 0; i < n; ++i) {
    int mine = carry + threadIdx.x;
    y[i * blockDim.x + threadIdx.x] = mine;
    if (threadIdx.x == 0) carry = mine * 2;
    __syncthreads();
  }
}

int main() {
  const int n = 256, count = 40, length = 8;
  int *x, *y, *next;
  cudaMallocManaged(&x, n * sizeof(int));
  cudaMallocManaged(&y, n * count * sizeof(int));
  cudaMallocManaged(&next, sizeof(int));
  int most = -1000, sum = 0, wrong = 0;
  for (int i = 0; i < n; ++i) {
    x[i] = i * 7919 % 613;
    most = x[i] > most ? x[i] : most;
  }
  for (int i = 0; i < n; ++i) sum += most - x[i];
  twice<<<1, n>>>(x, y, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) wrong += y[i] != sum + most;
  printf("twice %d wrong\n", wrong);

  *next = 0;
  tasks<<<3, n>>>(next, y, count);
  cudaDeviceSynchronize();
  wrong = 0;
  for (int i = 0; i < n * count; ++i) {
    int factor = 2 * (i / n) + 1;
    wrong += y[i] != (factor % 3 == 0 ? factor : -factor);
  }
  printf("tasks %d wrong\n", wrong);

  rounds<<<1, n>>>(y, length);
  cudaDeviceSynchronize();
  wrong = 0;
  for (int i = 0; i < n * length; ++i) wrong += y[i] != (1 << (i / n)) + i % n;
  printf("rounds %d wrong\n", wrong);
  return 0;
}
