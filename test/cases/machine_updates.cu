// A zero of the first branch and an update of the second, in a loop that counts the index: one store where the second branch first loads what it
// stores to. Counts are those of nvcc 13.0's PTX (sm_90), one warp whose lanes take both ways.
// levels: 2
// count: product global store executed = 1
// count: behind global store executed = 2
// count: neighbour global store executed = 1
// count: other global store executed = 2
// count: scaled global store executed = 1
// count: root global store executed = 1
// count: choice global store executed = 1
// count: asked global store executed = 1
// count: strided global store executed = 1
// count: two global store executed = 4
// count: turned global store executed = 1
// count: once global store executed = 2
// stdout:  576 576 619 621 621 500.512 547 579 610 621 527 437
#include <cstdio>

#define KERNEL(name, ...)                                                                                        \
  __global__ void name(float *x, float *y, const float *m, float d, float s, int n) {                            \
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) { __VA_ARGS__ }      \
  }
KERNEL(product, if (m[i] < d) x[i] = 0; else x[i] = x[i] * y[i];)
KERNEL(behind, if (m[i] < d) x[i] = 0; else x[i] = y[i] * x[i];)
KERNEL(neighbour, if (m[i] < d) x[i] = 0; else x[i] = x[i] + x[i + 1];)
KERNEL(other, if (m[i] < d) x[i] = 0; else x[i] = y[i] * s;)
KERNEL(scaled, if (m[i] < d) x[i] = 0; else x[i] *= s;)
KERNEL(root, if (m[i] < d) x[i] = 0; else x[i] = sqrtf(x[i]);)
KERNEL(choice, if (m[i] < d) x[i] = 0; else { float v = x[i]; x[i] = v > s ? v * y[i] : v; };)
KERNEL(asked, if (x[i] < d) x[i] = 0; else x[i] = y[i] * s;)
KERNEL(strided, if (m[i] < d) x[2 * i] = 0; else x[2 * i] *= s;)
KERNEL(two, if (m[i] < d) { x[i] = 0; y[i] = 0; } else { x[i] *= s; y[i] *= s; })
KERNEL(turned, if (m[i] < d) x[i] *= s; else x[i] = 0;)
// Outside of loops they stay two.
__global__ void once(float *x, const float *m, float d, float s, int n) {
  int i = threadIdx.x;
  if (i < n) {
    if (m[i] < d) x[i] = 0;
    else x[i] *= s;
  }
}

int main() {
  float host[128], *x, *y, *m;
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&y, sizeof host);
  cudaMalloc(&m, sizeof host);
  for (int i = 0; i < 128; ++i) host[i] = i % 3;
  cudaMemcpy(y, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(m, host, sizeof host, cudaMemcpyHostToDevice);
  auto show = [&] {
    float sum = 0;
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; ++i) sum += host[i] * (i % 5 + 1);
    printf(" %g", sum);
  };
  for (auto *kernel : {product, behind, neighbour, other, scaled, root, choice, asked, strided, two, turned}) {
    for (int i = 0; i < 128; ++i) host[i] = i % 4;
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    kernel<<<1, 32>>>(x, y, m, 1, 2, 32);
    show();
  }
  once<<<1, 32>>>(x, m, 1, 2, 32);
  show();
  printf("\n");
  return cudaDeviceSynchronize();
}
