// Buffers that take turns in a loop with barriers: what each of the indices was is what another one becomes.
// stdout: three buffers: 0 wrong
// stdout: two buffers: 0 wrong
#include <cstdio>

constexpr int THREADS = 96, ROUNDS = 7;

__global__ void three(const int *in, int *out, int last, int rounds) {
  __shared__ int rows[3][THREADS];
  int t = threadIdx.x;
  if (t > last) return;
  int before = 0, now = 1, next = 2;
  rows[before][t] = in[t];
  rows[now][t] = in[THREADS + t];
  for (int round = 1; round <= rounds; round++) {
    rows[next][t] = in[(round + 1) * THREADS + t];
    __syncthreads();
    if (t > 0 && t < last) out[round * THREADS + t] = rows[before][t] + 3 * rows[now][t - 1] + 5 * rows[next][t + 1];
    __syncthreads();
    int other = before;
    before = now, now = next, next = other;
  }
}

__global__ void two(int *data, int rounds) {
  __shared__ int a[THREADS], b[THREADS];
  int *from = a, *to = b, t = threadIdx.x;
  from[t] = data[t];
  for (int round = 0; round < rounds; round++) {
    __syncthreads();
    to[t] = from[(t + 1) % THREADS] + round;
    int *other = from;
    from = to, to = other;
  }
  __syncthreads();
  data[t] = from[t];
}

int main() {
  const int count = (ROUNDS + 2) * THREADS, last = 70;
  static int in[count], out[count];
  for (int i = 0; i < count; i++) in[i] = i * 37 % 101;
  int *a, *b;
  cudaMalloc(&a, sizeof in), cudaMalloc(&b, sizeof in);
  cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemset(b, 0, sizeof in);
  three<<<1, THREADS>>>(a, b, last, ROUNDS);
  cudaMemcpy(out, b, sizeof out, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int round = 1; round <= ROUNDS; round++)
    for (int t = 1; t < last; t++) {
      const int *row = in + (round - 1) * THREADS + t;
      wrong += out[round * THREADS + t] != row[0] + 3 * row[THREADS - 1] + 5 * row[2 * THREADS + 1];
    }
  printf("three buffers: %d wrong\n", wrong);

  two<<<1, THREADS>>>(a, ROUNDS);
  cudaMemcpy(out, a, sizeof out, cudaMemcpyDeviceToHost);
  wrong = 0;
  for (int t = 0; t < THREADS; t++) wrong += out[t] != in[(t + ROUNDS) % THREADS] + ROUNDS * (ROUNDS - 1) / 2;
  printf("two buffers: %d wrong\n", wrong);
}
