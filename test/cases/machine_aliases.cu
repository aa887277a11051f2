// What two accesses are known to be apart by, when nvcc leaves loads out and joins accesses: different members of one structure, whatever
// pointers reach them (frontend/passes/memberAliases.ts), rows of one array (places.ts), and nothing between for ptxas, which joins what plain
// shared arrays hold. Counts are those of nvcc 13.0's machine code (sm_90), one warp.
// levels: 2
// stdout: 93986|94127|93986|93941|94153|93905|93512|95080|93441|95163|97760.2|93404|96564|93963|93870|96246|94964|95166|95675|95786|95485|95000|
// count: otherMember global load executed = 1
// count: sameMember global load executed = 2
// count: otherStructure global load executed = 2
// count: twice global load executed = 1
// count: sameTwice global load executed = 2
// count: deep global load executed = 1
// count: sameEnd global load executed = 2
// count: lengths global load executed = 2
// count: storedBetween global store executed = 1
// count: overwritten global store executed = 1
// count: particles global load executed = 3
// count: particles global store executed = 4
// count: complexProduct global load executed = 4
// count: complexProduct global store executed = 2
// count: butterfly global load executed = 4
// count: butterfly global store executed = 2
// count: rotated global load executed = 3
// count: rotated global store executed = 3
// count: reversed global load executed = 2
// count: reversed global store executed = 2
// count: inverted global load executed = 1
// count: inverted global store executed = 1
// count: kept global load executed = 20
// count: kept global store executed = 2
// count: dynamicRows shared load executed = 3
// count: dynamicRows shared store executed = 2
// count: plainRows shared load executed = 9
// count: plainRows shared store executed = 5
// count: plainOwn shared load executed = 3
// count: plainOwn shared store executed = 3
// count: sixWords shared load executed = 7
// count: sixWords shared store executed = 4
// count: sharedVectors shared load executed = 3
// count: sharedVectors shared store executed = 2
#include <cstdio>

struct Pair { float x, y; };
struct Two { Pair a, b; float c; };
struct Particle { float x, y, z, vx, vy, vz; };

#define KERNEL(name, ...) __global__ void name(__VA_ARGS__) { int t = threadIdx.x;
#define READ_TWICE(load, store) { float a = load; store; float b = load; o[t] = a; o[t + 32] = b; }

KERNEL(otherMember, float2 *o, float2 *q, float2 *p) float a = p[t].x; q[t].x = 1; float b = p[t].y; o[t].x = a; o[t].y = b; }
KERNEL(sameMember, float2 *o, float2 *q, float2 *p) float a = p[t].x; q[t].y = 1; float b = p[t].y; o[t].x = a; o[t].y = b; }
KERNEL(otherStructure, float2 *o, Pair *q, float2 *p) float a = p[t].x; q[t].x = 1; float b = p[t].y; o[t].x = a; o[t].y = b; }
KERNEL(twice, float *o, Pair *q, Pair *p) READ_TWICE(p[t].y, q[t].x = 1) }
KERNEL(sameTwice, float *o, Pair *q, Pair *p) READ_TWICE(p[t].y, q[t].y = 1) }
KERNEL(deep, float *o, Two *q, Two *p) READ_TWICE(p[t].a.y, q[t].b.x = 1) }
KERNEL(sameEnd, float *o, Two *q, Two *p) READ_TWICE(p[t].a.y, q[t].b.y = 1) }
KERNEL(lengths, float *o, Two *q, Two *p) READ_TWICE(p[t].c, q[t].a.x = 1) }
KERNEL(storedBetween, float2 *q, float2 *p) q[t].x = 1; float a = p[t].y; q[t].y = a; }
KERNEL(overwritten, float2 *q, float2 *p) q[t].x = 1; float a = p[t].y; q[t].x = 2 + a; }
KERNEL(particles, float4 *p, float4 *v, const float4 *f, float dt)
  v[t].x += f[t].x * dt; v[t].y += f[t].y * dt; v[t].z += f[t].z * dt;
  p[t].x += v[t].x * dt; p[t].y += v[t].y * dt; p[t].z += v[t].z * dt;
}
KERNEL(complexProduct, float2 *c, float2 *a, float2 *b)
  c[t].x = a[t].x * b[t].x - a[t].y * b[t].y;
  c[t].y = a[t].x * b[t].y + a[t].y * b[t].x;
}
KERNEL(butterfly, float2 *x, float2 *w, int n)
  float r = w[t].x * x[t + n].x - w[t].y * x[t + n].y, i = w[t].x * x[t + n].y + w[t].y * x[t + n].x;
  x[t + n].x = x[t].x - r; x[t + n].y = x[t].y - i;
  x[t].x += r; x[t].y += i;
}
KERNEL(rotated, float4 *q, float4 *p) q[t].x = p[t].y; q[t].y = p[t].z; q[t].z = p[t].w; q[t].w = p[t].x; }
KERNEL(reversed, float4 *q, float4 *p) q[t].w = p[t].x; q[t].z = p[t].y; q[t].y = p[t].z; q[t].x = p[t].w; }
KERNEL(inverted, uchar4 *q, const uchar4 *p) q[t].x = 255 - p[t].x; q[t].y = 255 - p[t].y; q[t].z = 255 - p[t].z; q[t].w = p[t].w; }
// What the loop adds to stays in registers, and its own place is read in front of it.
KERNEL(kept, Particle *p, int n, float dt)
  for (int j = 0; j < n; j++) { p[t].vx += dt * (p[j].x - p[t].x); p[t].vy += dt * (p[j].y - p[t].y); }
}

#define ROWS(name, declaration, width, other) \
  KERNEL(name, float *o, const float *in, int n) declaration; s[t] = in[t]; __syncthreads(); \
    for (int k = 0; k < width; k++) s[t * width + k] += s[other * width + k]; \
    __syncthreads(); o[t] = s[t]; }
ROWS(dynamicRows, extern __shared__ float s[], 4, (t + n))
ROWS(plainRows, __shared__ float s[1024], 4, n)
ROWS(sixWords, extern __shared__ float s[], 6, n)
KERNEL(plainOwn, float *o, const float *in) __shared__ float s[64]; s[t] = in[t]; __syncthreads(); s[t * 2] += 1.5f; s[t * 2 + 1] *= 2; __syncthreads(); o[t] = s[t]; }
KERNEL(sharedVectors, float *o, const float *in, int n)
  __shared__ float2 q[64];
  q[t].x = in[t]; q[t].y = in[t + n]; __syncthreads();
  q[t].x += q[t ^ n].x; q[t].y += q[t ^ n].y; __syncthreads();
  o[t] = q[n].y;
}

const int FLOATS = 1024;
float *o, *p, *q;

template <class Launch> void run(Launch launch) {
  for (int i = 0; i < FLOATS; i++) { o[i] = i % 7; p[i] = i % 11; q[i] = i % 13; }
  launch();
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < FLOATS; i++) sum += (i % 5 + 1) * (o[i] + 2.0 * p[i] + 3.0 * q[i]);
  printf("%g|", sum);
}

template <class Type> Type *as(float *pointer) { return reinterpret_cast<Type *>(pointer); }

int main() {
  for (float **each : {&o, &p, &q}) cudaMallocManaged(each, FLOATS * sizeof(float));
  run([] { otherMember<<<1, 32>>>(as<float2>(o), as<float2>(q), as<float2>(p)); });
  run([] { sameMember<<<1, 32>>>(as<float2>(o), as<float2>(p), as<float2>(p)); });
  run([] { otherStructure<<<1, 32>>>(as<float2>(o), as<Pair>(q), as<float2>(p)); });
  run([] { twice<<<1, 32>>>(o, as<Pair>(q), as<Pair>(p)); });
  run([] { sameTwice<<<1, 32>>>(o, as<Pair>(p), as<Pair>(p)); });
  run([] { deep<<<1, 32>>>(o, as<Two>(q), as<Two>(p)); });
  run([] { sameEnd<<<1, 32>>>(o, as<Two>(q), as<Two>(p)); });
  run([] { lengths<<<1, 32>>>(o, as<Two>(p), as<Two>(p)); });
  run([] { storedBetween<<<1, 32>>>(as<float2>(q), as<float2>(p)); });
  run([] { overwritten<<<1, 32>>>(as<float2>(q), as<float2>(p)); });
  run([] { particles<<<1, 32>>>(as<float4>(o), as<float4>(p), as<float4>(q), 0.5f); });
  run([] { complexProduct<<<1, 32>>>(as<float2>(p), as<float2>(p), as<float2>(q)); });
  run([] { butterfly<<<1, 32>>>(as<float2>(p), as<float2>(q), 32); });
  run([] { rotated<<<1, 32>>>(as<float4>(q), as<float4>(p)); });
  run([] { reversed<<<1, 32>>>(as<float4>(q), as<float4>(p)); });
  run([] { inverted<<<1, 32>>>(as<uchar4>(q), as<uchar4>(p)); });
  run([] { kept<<<1, 32>>>(as<Particle>(p), 8, 0.25f); });
  run([] { dynamicRows<<<1, 32, 4096>>>(o, p, 32); });
  run([] { plainRows<<<1, 32>>>(o, p, 1); });
  run([] { sixWords<<<1, 32, 4096>>>(o, p, 1); });
  run([] { plainOwn<<<1, 32>>>(o, p); });
  run([] { sharedVectors<<<1, 32>>>(o, p, 1); });
  printf("\n");
}
