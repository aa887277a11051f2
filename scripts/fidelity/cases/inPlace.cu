// A thread a row, in place and apart: stores to lines of which loads are still on their way, and stores behind, ahead of and beside what is loaded.
#include <cstdio>

#define ROW int t = blockIdx.x * blockDim.x + threadIdx.x; if (t >= rows) return; float *r = x + (size_t)t * n;
#define KERNEL(name) __global__ void name(float *x, float *y, const float *m, int rows, int n)

KERNEL(change) { ROW for (int f = 0; f < n; f++) r[f] -= m[f]; }
KERNEL(changePastL1) { ROW for (int f = 0; f < n; f++) r[f] = __ldcg(r + f) - m[f]; }
KERNEL(behind8) { ROW for (int f = 8; f < n; f++) r[f] = r[f - 8] - m[f]; }
KERNEL(ahead8) { ROW for (int f = 8; f < n; f++) r[f - 8] = r[f] - m[f]; }
KERNEL(ahead32) { ROW for (int f = 32; f < n; f++) r[f - 32] = r[f] - m[f]; }
KERNEL(downwards) { ROW for (int f = n - 1; f >= 0; f--) r[f] -= m[f]; }
KERNEL(every8) { ROW for (int f = 0; f < n; f += 8) r[f] -= m[f]; }
KERNEL(every8PastL1) { ROW for (int f = 0; f < n; f += 8) r[f] = __ldcg(r + f) - m[f]; }
KERNEL(every8Down) { ROW for (int f = n - 8; f >= 0; f -= 8) r[f] -= m[f]; }
KERNEL(every16) { ROW for (int f = 0; f < n; f += 16) r[f] -= m[f]; }
KERNEL(every8Apart) { ROW float *q = y + (size_t)t * n; for (int f = 0; f < n; f += 8) q[f] = r[f] - m[f]; }
KERNEL(byLine) { ROW for (int f = 0; f + 32 <= n; f += 32) { float a = r[f], b = r[f + 8], c = r[f + 16], d = r[f + 24]; r[f] = a - m[f]; r[f + 8] = b - m[f]; r[f + 16] = c - m[f]; r[f + 24] = d - m[f]; } }
KERNEL(twice) { ROW for (int f = 0; f < n; f++) r[f] *= 2; }

int main() {
  const size_t most = size_t(160) << 20;
  float *x, *y, *m;
  cudaMalloc(&x, most);
  cudaMalloc(&y, most);
  cudaMalloc(&m, 4 << 20);
  cudaMemset(x, 0, most);
  cudaMemset(y, 0, most);
  cudaMemset(m, 0, 4 << 20);
  for (int n : {1000, 1003})
    for (int warps : {16, 132, 528}) {
#define LAUNCH(k) k<<<warps, 32>>>(x, y, m, warps * 32, n);
      LAUNCH(change) LAUNCH(changePastL1) LAUNCH(behind8) LAUNCH(ahead8) LAUNCH(ahead32) LAUNCH(downwards) LAUNCH(every8) LAUNCH(every8PastL1)
      LAUNCH(every8Down) LAUNCH(every16) LAUNCH(every8Apart) LAUNCH(byLine) LAUNCH(twice)
    }
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
