// Loops of a known number of rounds, by few blocks and by many: how many loads are on their way.
#include <cstdio>
struct S { int t[4096]; };
__global__ void members(const S *__restrict__ s, int *__restrict__ o) { int g = blockIdx.x * blockDim.x + threadIdx.x; int r = 0; for (int i = 0; i < 4096; i++) r += s[i].t[g]; o[g] = r; }
__global__ void columns(const int *__restrict__ s, int *__restrict__ o) { int g = blockIdx.x * blockDim.x + threadIdx.x; int r = 0; for (int i = 0; i < 4096; i++) r += s[i * 4096 + g]; o[g] = r; }
__global__ void columnsUnsigned(const int *__restrict__ s, int *__restrict__ o) { unsigned g = blockIdx.x * blockDim.x + threadIdx.x, r = 0; for (unsigned i = 0; i < 4096; i++) r += s[i * 4096 + g]; o[g] = r; }
__global__ void columns128(const int *__restrict__ s, int *__restrict__ o) { int g = blockIdx.x * blockDim.x + threadIdx.x; int r = 0; for (int i = 0; i < 128; i++) r += s[i * 4096 + g]; o[g] = r; }
__global__ void columnsAny(const int *__restrict__ s, int *__restrict__ o, int n) { int g = blockIdx.x * blockDim.x + threadIdx.x; int r = 0; for (int i = 0; i < n; i++) r += s[i * 4096 + g]; o[g] = r; }
__global__ void products(const float *__restrict__ s, const float *__restrict__ q, float *__restrict__ o) { int g = blockIdx.x * blockDim.x + threadIdx.x; float r = 0; for (int i = 0; i < 1024; i++) r += s[i * 4096 + g] * q[i]; o[g] = r; }
__global__ void rows(const float *__restrict__ s, float *__restrict__ o) { int g = blockIdx.x * blockDim.x + threadIdx.x; float r = 0; for (int i = 0; i < 512; i++) r += s[g * 512 + i]; o[g] = r; }
__global__ void twice(const float *__restrict__ s, float *__restrict__ o) { int g = blockIdx.x * blockDim.x + threadIdx.x; float m = -1e9f, r = 0; for (int i = 0; i < 256; i++) m = fmaxf(m, s[g * 256 + i]); for (int i = 0; i < 256; i++) r += expf(s[g * 256 + i] - m); o[g] = r; }
__global__ void matrix(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c) { int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y; float r = 0; for (int k = 0; k < 512; k++) r += a[y * 512 + k] * b[k * 512 + x]; c[y * 512 + x] = r; }
__global__ void nested(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ o) { int t = blockIdx.x * blockDim.x + threadIdx.x; float best = 0; for (int i = 0; i < 64; i++) { float m = 1e9f; for (int j = 0; j < 128; j++) { float d = a[(t & 7) * 64 + i] - b[(t & 7) * 128 + j]; m = fminf(m, d * d); } best += m; } o[t] = best; }
__global__ void doubles(const double *__restrict__ s, double *__restrict__ o) { int g = blockIdx.x * blockDim.x + threadIdx.x; double r = 0; for (int i = 0; i < 1000; i++) r += s[i * 4096 + g]; o[g] = r; }
int main() {
  char *m; cudaMalloc(&m, 256 << 20); cudaMemset(m, 0, 256 << 20); int *o; cudaMalloc(&o, 16 << 20); float *f = (float *)m;
  for (int blocks : {4, 16}) {
    int t = 4096 / 16;
    members<<<blocks, t>>>((S *)m, o); columns<<<blocks, t>>>((int *)m, o); columnsUnsigned<<<blocks, t>>>((int *)m, o); columns128<<<blocks, t>>>((int *)m, o);
    columnsAny<<<blocks, t>>>((int *)m, o, 4096); products<<<blocks, t>>>(f, f + (40 << 20), (float *)o); doubles<<<blocks, t>>>((double *)m, (double *)o);
  }
  for (int blocks : {64, 256, 1024}) { rows<<<blocks / 8 * 1, 128>>>(f, (float *)o); twice<<<blocks / 4, 256>>>(f, (float *)o); nested<<<blocks, 128>>>(f, f + 4096, (float *)o); }
  matrix<<<dim3(16, 64), dim3(32, 8)>>>(f, f + (1 << 20), (float *)o); matrix<<<dim3(16, 16), dim3(32, 8)>>>(f, f + (1 << 20), (float *)o);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
