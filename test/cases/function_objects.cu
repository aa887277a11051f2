// nvstd::function (<nvfunctional>) on both sides: functions, lambdas small and large, copies, none.
// levels: 2
// stdout: 6 30 1 1 0 12
// stdout: 9 105 empty
#include <cstdio>
#include <nvfunctional>

__device__ int twice(int x) { return 2 * x; }
__host__ __device__ int thrice(int x) { return 3 * x; }
struct Table {
  int values[20];
};

__device__ int apply(const nvstd::function<int(int)> &f, int x) { return f(x); }

__global__ void kernel(int *out) {
  nvstd::function<int(int)> f = twice, none;
  out[0] = f(3);
  Table table = {{1, 2, 3}};
  int offset = threadIdx.x + 20;
  f = [=](int i) { return table.values[i] + offset + 7; };
  nvstd::function<int(int)> copy = f;
  f = nullptr;
  out[1] = apply(copy, 2);
  out[2] = f == nullptr;
  out[3] = copy != nullptr;
  out[4] = bool(none);
  f = [offset](int x) mutable { return offset += x; };
  f(-15);
  out[5] = f(7);
}

int main() {
  int *d, h[6];
  cudaMalloc(&d, sizeof h);
  kernel<<<1, 1>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4], h[5]);
  nvstd::function<int(int)> f = thrice;
  int nine = f(3);
  Table table = {{100}};
  f = [table](int x) { return table.values[0] + x; };
  nvstd::function<void()> none;
  int sum = f(5);
  try {
    none();
  } catch (const std::bad_function_call &) {
    printf("%d %d empty\n", nine, sum);
  }
}
