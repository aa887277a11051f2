// Vectors that are loaded where some of their elements were stored before: nvcc 13.0 loads the whole vector again, unless all of it was stored
// at once, or each element by its name, or the element was changed in memory. Counts of one warp, from the PTX.
// stdout: 18 90 11.5 199 20 256 1024 256 1024 33 4 38 end
// levels: 2
// count: named_all global load executed = 0
// count: all_by_floats global load executed = 1
// count: named_some global load executed = 1
// count: changed global load executed = 3
// count: last_double global load executed = 1
// count: rounds_by_pointer global load executed = 8
// count: rounds_named global load executed = 1
// count: rounds_of_one global load executed = 16
// count: loaded_again global load executed = 2
#include <cstdio>

__global__ void named_all(float4 *q, float *o, float a) {
  q += threadIdx.x;
  q->x = a;
  q->y = a + 1;
  q->z = a + 2;
  q->w = a * 3;
  float4 v = *q;
  o[threadIdx.x] = v.x * v.y * v.z * v.w;
}
__global__ void all_by_floats(float4 *q, float *o, float a) {
  float *p = (float *)(q + threadIdx.x);
  p[0] = a;
  p[1] = a + 1;
  p[2] = a + 2;
  p[3] = a * 3;
  float4 v = q[threadIdx.x];
  o[threadIdx.x] = v.x * v.y * v.z + v.w * a * 28;
}
__global__ void named_some(float4 *q, float *o, float a) {
  q += threadIdx.x;
  q->x = a;
  q->y = a * 2;
  float4 v = *q;
  o[threadIdx.x] = v.x * v.y + v.z * 0.5f + v.w * 0.5f;
}
__global__ void changed(float4 *q, float *o, float a) {
  q += threadIdx.x;
  for (int i = 0; i < 3; i++) {
    q->x += a;
    q->y *= a;
    float4 w = *q;
    o[threadIdx.x + i * 32] = w.x + w.y * w.z * w.w;
  }
}
__global__ void last_double(double2 *q, double *o, double a) {
  double *p = (double *)(q + threadIdx.x);
  p[1] = a;
  double2 v = q[threadIdx.x];
  o[threadIdx.x] = v.x * v.y;
}
__global__ void rounds_by_pointer(float4 *q, float a, int n) {
  q += threadIdx.x;
  float *p = (float *)q;
  for (int k = 0; k < n; k++) {
    float4 v = *q;
    p[0] = v.y * a;
    p[1] = v.z * a;
    p[2] = v.w * a;
    p[3] = v.x * a;
  }
}
__global__ void rounds_named(float4 *q, float a, int n) {
  q += threadIdx.x;
  for (int k = 0; k < n; k++) {
    float4 v = *q;
    q->x = v.y * a;
    q->y = v.z * a;
    q->z = v.w * a;
    q->w = v.x * a;
  }
}
__global__ void rounds_of_one(float4 *q, float a, int n) {
  q += threadIdx.x;
  for (int k = 0; k < n; k++) {
    float4 v = *q;
    q->x = v.w * a + v.x;
  }
}
__global__ void loaded_again(float4 *q, float *o, float a) {
  q += threadIdx.x;
  float4 v = *q;
  q->x = a;
  float4 w = *q;
  o[threadIdx.x] = v.x * v.y * v.z + w.x * w.w + w.y * w.z * v.w;
}

int main() {
  float4 *q;
  float *o;
  double2 *d;
  cudaMalloc(&q, 32 * sizeof(float4));
  cudaMalloc(&o, 96 * sizeof(float));
  cudaMalloc(&d, 32 * sizeof(double2));
  auto reset = [&] {
    float4 all[32];
    for (auto &each : all) each = make_float4(1, 2, 3, 4);
    cudaMemcpy(q, all, sizeof all, cudaMemcpyHostToDevice);
  };
  auto show = [&](int at) {
    float one;
    cudaMemcpy(&one, o + at, sizeof one, cudaMemcpyDeviceToHost);
    printf("%g ", one);
    reset();
  };
  auto showVector = [&] {
    float4 one;
    cudaMemcpy(&one, q + 5, sizeof one, cudaMemcpyDeviceToHost);
    printf("%g %g ", one.x, one.w);
    reset();
  };
  reset();
  named_all<<<1, 32>>>(q, o, 1);
  show(5);
  all_by_floats<<<1, 32>>>(q, o, 1);
  show(5);
  named_some<<<1, 32>>>(q, o, 2);
  show(5);
  changed<<<1, 32>>>(q, o, 2);
  show(5 + 64);
  double2 pairs[32];
  for (auto &each : pairs) each = make_double2(5, 6);
  cudaMemcpy(d, pairs, sizeof pairs, cudaMemcpyHostToDevice);
  double *products = (double *)q;
  last_double<<<1, 32>>>(d, products, 4);
  double product;
  cudaMemcpy(&product, products + 5, sizeof product, cudaMemcpyDeviceToHost);
  printf("%g ", product);
  reset();
  rounds_by_pointer<<<1, 32>>>(q, 2, 8);
  showVector();
  rounds_named<<<1, 32>>>(q, 2, 8);
  showVector();
  rounds_of_one<<<1, 32>>>(q, 1, 8);
  showVector();
  loaded_again<<<1, 32>>>(q, o, 2);
  show(5);
  printf("end\n");
}
