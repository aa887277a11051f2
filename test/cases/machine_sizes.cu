// Arrays and structures of `size_t`, indices that are sizes, alignment behind a typedef's name, chosen structures: read on an H100.
// stdout: no error
// count: _Z4fill global store executed = 8
// count: _Z4fill global store sectors = 63
// count: _Z6gather global load executed = 14
// count: _Z6gather global load sectors = 248
// count: _Z6gather global store executed = 7
// count: _Z6gather global store sectors = 25
// count: _Z7entries global load executed = 16
// count: _Z7entries global load sectors = 250
// count: _Z7entries global store executed = 16
// count: _Z7entries global store sectors = 250
// count: _Z6ranges global load executed = 4
// count: _Z6ranges global load sectors = 64
// count: _Z6ranges global store executed = 2
// count: _Z6ranges global store sectors = 16
// count: _Z4rows global load executed = 148
// count: _Z4rows global load sectors = 3700
// count: _Z4rows global store executed = 4
// count: _Z4rows global store sectors = 13
// count: _Z7strided global load executed = 64
// count: _Z7strided global load sectors = 250
// count: _Z7strided global store executed = 2
// count: _Z7strided global store sectors = 8
// count: _Z5shift global store executed = 2
// count: _Z5shift global store sectors = 8
// count: _Z5shift shared load executed = 4
// count: _Z5pairs global load executed = 4
// count: _Z5pairs global load sectors = 64
// count: _Z5pairs global store executed = 4
// count: _Z5pairs global store sectors = 64
// count: _Z4owns global load executed = 2
// count: _Z4owns global load sectors = 32
// count: _Z4owns global store executed = 2
// count: _Z4owns global store sectors = 32
// count: _Z6chosen global load executed = 4
// count: _Z6chosen global load sectors = 32
// count: _Z6chosen global store executed = 4
// count: _Z6chosen global store sectors = 32
// count: _Z6chosen shared load executed = 2
// count: _Z5chars global load executed = 2
// count: _Z5chars global load sectors = 2
// count: _Z5chars global store executed = 2
// count: _Z5chars global store sectors = 2
// levels: 2
#include <cstddef>
#include <cstdio>
struct Entry { size_t key; int value; };
struct Range { size_t first, last; };
typedef struct { double x, y; } pair_t __attribute__((aligned(16)));
typedef struct __attribute__((aligned(16))) { double x, y; } own_t;
struct V { float a, b; };
__global__ void fill(size_t n, size_t *o) { size_t i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) o[i] = i * i; }
__global__ void gather(const size_t *__restrict__ at, const float *__restrict__ a, float *o, size_t n) { size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; if (i < n) o[i] = a[at[i]]; }
__global__ void entries(Entry *e, size_t n) { size_t i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) { e[i].key += e[i].value; e[i].value = 1; } }
__global__ void ranges(const Range *r, size_t *o) { int i = threadIdx.x; Range x = r[i]; o[i] = x.last - x.first; }
__global__ void rows(const float *__restrict__ a, float *o, size_t w, size_t h) { size_t y = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; if (y < h) { for (size_t x = 0; x < w; x++) s += a[y * w + x]; o[y] = s; } }
__global__ void strided(const float *a, float *o, size_t n) { float s = 0; for (size_t i = threadIdx.x; i < n; i += blockDim.x) s += a[i] * a[i + n]; o[threadIdx.x] = s; }
__global__ void shift(float *a, size_t n) { __shared__ size_t s[64]; size_t t = threadIdx.x; s[t] = t; __syncthreads(); a[s[63 - t] % n] = s[t ^ 1]; }
__global__ void pairs(pair_t *p) { int i = threadIdx.x; p[i].x += 1; p[i].y *= 2; }
__global__ void owns(own_t *p) { int i = threadIdx.x; p[i].x += 1; p[i].y *= 2; }
__global__ void chosen(const V *v, V *o, int n) { __shared__ V s[64]; int t = threadIdx.x; V z = {0, 0}; s[t] = v[t]; __syncthreads(); V x = t < n ? s[t ^ 1] : z; o[t] = x; }
__global__ void chars(const unsigned char *in, unsigned char *out) { const unsigned char c[] = "0123456789abcdefghijklmnopqrstuv"; out[threadIdx.x] = c[in[threadIdx.x] & 31]; }
int main() {
  char *m; cudaMalloc(&m, 1 << 22); cudaMemset(m, 0, 1 << 22); size_t *z = (size_t *)m; float *f = (float *)(m + (1 << 20)), *g = (float *)(m + (2 << 20));
  fill<<<4, 64>>>(250, z); gather<<<4, 64>>>(z, f, g, 200); entries<<<4, 64>>>((Entry *)m, 250); ranges<<<1, 64>>>((Range *)m, (size_t *)f);
  rows<<<2, 64>>>(f, g, 37, 100); strided<<<1, 64>>>(f, g, 1000); shift<<<1, 64>>>(f, 64); pairs<<<1, 64>>>((pair_t *)m); owns<<<1, 64>>>((own_t *)m);
  chosen<<<1, 64>>>((V *)f, (V *)g, 40); chars<<<1, 64>>>((unsigned char *)f, (unsigned char *)g);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
