// Tables in constant memory that lanes read anywhere, by 1 to 32 warps; first loads of several arrays one after the other.
#include <cstdio>
#include <cstdlib>
__constant__ int small[256], middle[1024], large[8192];
template <int N> __device__ const int *tableOf() { return N == 256 ? small : N == 1024 ? middle : large; }
template <int N> __global__ void anywhere(int *y, int n) {
    const int *table = tableOf<N>();
    unsigned h = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u; int s = 0;
#pragma unroll 1
    for (int i = 0; i < n; i++) { h ^= h >> 15; h *= 2246822519u; h ^= h >> 13; s += table[h & (N - 1)]; }
    y[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
template <int N> __global__ void followAnywhere(int *y, int n) {
    const int *table = tableOf<N>();
    unsigned h = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u; int s = h & (N - 1);
#pragma unroll 1
    for (int i = 0; i < n; i++) { h ^= h >> 15; h *= 2246822519u; s = table[(s + h) & (N - 1)]; }
    y[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
template <int N> __global__ void uniformAnywhere(int *y, const int *x, int n) {
    const int *table = tableOf<N>();
    int s = 0;
#pragma unroll 1
    for (int i = 0; i < n; i++) s += table[x[i] & (N - 1)];
    y[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void one(int *y, const int *a) { y[threadIdx.x] = a[threadIdx.x]; }
__global__ void two(int *y, const int *a, const int *b) { y[threadIdx.x] = b[a[threadIdx.x]]; }
__global__ void three(int *y, const int *a, const int *b, const int *c) { y[threadIdx.x] = c[b[a[threadIdx.x]]]; }
__global__ void six(int *y, const int *a, const int *b, const int *c, const int *d, const int *e, const int *f) { y[threadIdx.x] = f[e[d[c[b[a[threadIdx.x]]]]]]; }
__global__ void sixOfOne(int *y, const int *a) { int p = a[threadIdx.x]; p = a[p + 64]; p = a[p + 128]; p = a[p + 192]; p = a[p + 256]; p = a[p + 320]; y[threadIdx.x] = p; }
__global__ void sixFar(int *y, const int *a) { int p = a[threadIdx.x]; p = a[p + 65536]; p = a[p + 131072]; p = a[p + 196608]; p = a[p + 262144]; p = a[p + 327680]; y[threadIdx.x] = p; }
static int *out;
static void check(const char *name) {
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess) { printf("%s: %s\n", name, cudaGetErrorString(e)); exit(1); }
    printf("%s\n", name);
}
#define RUN(K, G, B, ...) do { K<<<G, B>>>(__VA_ARGS__); check(#K); printf("  %d %d\n", G, B); } while (0)
int main() {
    cudaMalloc(&out, 1 << 22); cudaMemset(out, 0, 1 << 22);
    int *a[6]; for (auto &p : a) { cudaMalloc(&p, 8 << 20); cudaMemset(p, 0, 8 << 20); }
    static int h[8192]; for (int i = 0; i < 8192; i++) h[i] = i * 7919 % 8192;
    cudaMemcpyToSymbol(small, h, sizeof small); cudaMemcpyToSymbol(middle, h, sizeof middle); cudaMemcpyToSymbol(large, h, sizeof large);
    static int r[4096]; for (int i = 0; i < 4096; i++) r[i] = rand();
    int *x; cudaMalloc(&x, sizeof r); cudaMemcpy(x, r, sizeof r, cudaMemcpyHostToDevice);
    for (int block : {32, 128, 512, 1024}) for (int n : {1, 4, 16, 64}) { RUN(anywhere<256>, 132, block, out, n); RUN(anywhere<1024>, 132, block, out, n); RUN(anywhere<8192>, 132, block, out, n); }
    for (int block : {32, 512}) for (int n : {4, 64}) { RUN(followAnywhere<256>, 132, block, out, n); RUN(followAnywhere<1024>, 132, block, out, n); RUN(followAnywhere<8192>, 132, block, out, n); }
    for (int block : {32, 512}) for (int n : {4, 64, 512}) { RUN(uniformAnywhere<256>, 132, block, out, x, n); RUN(uniformAnywhere<1024>, 132, block, out, x, n); RUN(uniformAnywhere<8192>, 132, block, out, x, n); }
    RUN(one, 1, 32, out, a[0]); RUN(two, 1, 32, out, a[0], a[1]); RUN(three, 1, 32, out, a[0], a[1], a[2]); RUN(six, 1, 32, out, a[0], a[1], a[2], a[3], a[4], a[5]);
    RUN(sixOfOne, 1, 32, out, a[0]); RUN(sixFar, 1, 32, out, a[0]);
    RUN(one, 132, 256, out, a[0]); RUN(six, 132, 256, out, a[0], a[1], a[2], a[3], a[4], a[5]);
}
