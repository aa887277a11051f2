// Copies of vectors: whole where a branch chooses one, where they are swapped and filtered; what a function returns is stored by members.
// Counts are those of nvcc 13.0's machine code (sm_90), one warp.
// levels: 2
// stdout: 20406|20563|20010|20008|20404|20918|20918|20885|20532|20143|19924|20513|441042|443361|20757.5|
// count: nearest global load executed = 5
// count: nearest global store executed = 1
// count: lastOfNear global load executed = 5
// count: swapped global load executed = 2
// count: swapped global store executed = 2
// count: lastSwap global load executed = 2
// count: lastSwap global store executed = 2
// count: filtered global load executed = 1
// count: filtered global store executed = 1
// count: chosen global load executed = 2
// count: chosen global store executed = 1
// count: selected global load executed = 2
// count: selected global store executed = 1
// count: partners shared load executed = 1
// count: partners shared store executed = 1
// count: firstUnused global load executed = 1
// count: twoApart global load executed = 2
// count: lastKept global load executed = 1
// count: lastKept global store executed = 1
// count: returned global load executed = 2
// count: returned global store executed = 2
// count: pixels global load executed = 1
// count: pixels global store executed = 1
// count: shorts global load executed = 1
// count: shorts global store executed = 1
// count: doubles global load executed = 1
// count: doubles global store executed = 1
#include <cstdio>

#define KERNEL(name, ...) __global__ void name(__VA_ARGS__) { int t = threadIdx.x;
KERNEL(nearest, const float4 *a, float4 *o, int n)
  float4 best = a[t];
  float least = best.x;
  for (int k = 0; k < n; k++) { float4 c = a[t + k]; if (c.x < least) { least = c.x; best = c; } }
  o[t] = best;
}
KERNEL(lastOfNear, const float4 *a, float4 *o, int n)
  float4 best = a[t];
  for (int k = 0; k < n; k++) { float4 c = a[t + k]; if (c.w < best.w) best = c; }
  o[t] = best;
}
KERNEL(swapped, float4 *a, int j) int x = t ^ j; if (x > t) { float4 p = a[t], q = a[x]; if (p.x > q.x) { a[t] = q; a[x] = p; } } }
KERNEL(lastSwap, float4 *a, int j) int x = t ^ j; if (x > t) { float4 p = a[t], q = a[x]; if (p.w > q.w) { a[t] = q; a[x] = p; } } }
KERNEL(filtered, const float4 *a, float4 *o, int n) float4 p = a[t]; if (p.w > n) o[31 - t] = p; }
KERNEL(chosen, const float4 *a, const float4 *b, float4 *o) float4 p = a[t], q = b[t]; o[t] = p.x > q.x ? p : q; }
KERNEL(selected, const float4 *a, const float4 *b, float4 *o) float4 p = a[t], q = b[t], r; if (p.x > q.x) r = p; else r = q; o[t] = r; }
KERNEL(partners, const float4 *a, float4 *o) __shared__ float4 s[32]; float4 p = a[t]; s[t] = p; __syncthreads(); float4 q = s[t ^ 1]; o[t] = q.x > p.x ? q : p; }
KERNEL(firstUnused, const float4 *a, float4 *o, float d) float4 p = a[t]; p.x = d; o[t] = p; }
KERNEL(twoApart, const float4 *a, float4 *o, float d) float4 p = a[t]; p.x = d; p.z = 1; o[t] = p; }
KERNEL(lastKept, const float4 *a, float4 *o, float d) float4 p = a[t]; p.x = d; p.y = 1; p.z = 2; o[t] = p; }
KERNEL(returned, float4 *o, float d) o[t] = make_float4(o[t].x + d, o[t].y, o[t].z, o[t].w * 2); }
KERNEL(pixels, const uchar4 *a, uchar4 *o) uchar4 p = a[t]; p.x = 255 - p.x; p.w = 7; o[t] = p; }
KERNEL(shorts, const short4 *a, short4 *o, int n) short4 p = a[t]; if (p.x > n) o[t] = p; }
KERNEL(doubles, const double2 *a, double2 *o, double d) double2 p = a[t]; p.x *= d; o[t] = p; }

const int FLOATS = 512;
float *o, *p;

template <class Launch> void run(Launch launch, bool areFloats = true) {
  for (int i = 0; i < FLOATS; i++) {
    if (areFloats) { o[i] = i % 7; p[i] = i * 5 % 11; }
    else { ((int *)o)[i] = i; ((int *)p)[i] = i * 77777; }
  }
  launch();
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < FLOATS; i++)
    sum += areFloats ? (i % 5 + 1) * (o[i] + 2.0 * p[i]) : (i % 5 + 1) * (double)(((unsigned *)o)[i] % 1000);
  printf("%g|", sum);
}

template <class Type> Type *as(float *pointer) { return reinterpret_cast<Type *>(pointer); }

int main() {
  for (float **each : {&o, &p}) cudaMallocManaged(each, FLOATS * sizeof(float));
  run([] { nearest<<<1, 32>>>(as<float4>(p), as<float4>(o), 4); });
  run([] { lastOfNear<<<1, 32>>>(as<float4>(p), as<float4>(o), 4); });
  run([] { swapped<<<1, 32>>>(as<float4>(p), 1); });
  run([] { lastSwap<<<1, 32>>>(as<float4>(p), 1); });
  run([] { filtered<<<1, 32>>>(as<float4>(p), as<float4>(o), 3); });
  run([] { chosen<<<1, 32>>>(as<float4>(p), as<float4>(p + 128), as<float4>(o)); });
  run([] { selected<<<1, 32>>>(as<float4>(p), as<float4>(p + 128), as<float4>(o)); });
  run([] { partners<<<1, 32>>>(as<float4>(p), as<float4>(o)); });
  run([] { firstUnused<<<1, 32>>>(as<float4>(p), as<float4>(o), 3); });
  run([] { twoApart<<<1, 32>>>(as<float4>(p), as<float4>(o), 3); });
  run([] { lastKept<<<1, 32>>>(as<float4>(p), as<float4>(o), 3); });
  run([] { returned<<<1, 32>>>(as<float4>(o), 3); });
  run([] { pixels<<<1, 32>>>(as<uchar4>(p), as<uchar4>(o)); }, false);
  run([] { shorts<<<1, 32>>>(as<short4>(p), as<short4>(o), 0); }, false);
  run([] { doubles<<<1, 32>>>(as<double2>(p), as<double2>(o), 2.0); });
  printf("\n");
}
