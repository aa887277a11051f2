// What a launch pays for what it touches first: code that no multiprocessor has yet, lines of constant memory, parameters behind the first.
// Nsight Compute empties the caches before each launch, and so does a program that runs a kernel once. Each launch is verified by a sum of what it left.
#include <cstdio>
#include <cstdlib>

// N steps of four chains of multiply-adds, written out: 4 N instructions, each read once in a round.
template <int N> __global__ void straight(float *y, float a, float b, int rounds) {
    float p = threadIdx.x, q = p + 1, r = p + 2, s = p + 3;
#pragma unroll 1
    for (int k = 0; k < rounds; k++) {
#pragma unroll
        for (int i = 0; i < N; i++) { p = p * a + b; q = q * a + b; r = r * a + b; s = s * a + b; }
    }
    y[blockIdx.x * blockDim.x + threadIdx.x] = p + q + r + s;
}
// The same by one chain: four cycles an instruction, behind which fetching may hide.
template <int N> __global__ void chain(float *y, float a, float b, int rounds) {
    float p = threadIdx.x;
#pragma unroll 1
    for (int k = 0; k < rounds; k++) {
#pragma unroll
        for (int i = 0; i < N; i++) p = p * a + b;
    }
    y[blockIdx.x * blockDim.x + threadIdx.x] = p;
}
// K ways round pieces of G instructions that no thread takes (taken < 0) or every thread does.
template <int K, int G> __global__ void ways(float *y, float a, float b, unsigned taken) {
    float p = threadIdx.x;
#pragma unroll
    for (int k = 0; k < K; k++) {
        if (taken >> k & 1) {
#pragma unroll
            for (int i = 0; i < G; i++) p = p * a + b;
            asm volatile("membar.cta;");
        }
        p += k;
    }
    y[blockIdx.x * blockDim.x + threadIdx.x] = p;
}
// Functions that are called one after the other.
#define FUNCTION(n) __device__ __noinline__ float f##n(float x, float a, float b) { _Pragma("unroll") for (int i = 0; i < 24; i++) x = x * a + b + n; return x; }
FUNCTION(0) FUNCTION(1) FUNCTION(2) FUNCTION(3) FUNCTION(4) FUNCTION(5) FUNCTION(6) FUNCTION(7) FUNCTION(8) FUNCTION(9) FUNCTION(10) FUNCTION(11) FUNCTION(12) FUNCTION(13) FUNCTION(14) FUNCTION(15)
__global__ void calls(float *y, float a, float b, int rounds) {
    float p = threadIdx.x;
#pragma unroll 1
    for (int k = 0; k < rounds; k++) {
        p = f0(p, a, b); p = f1(p, a, b); p = f2(p, a, b); p = f3(p, a, b); p = f4(p, a, b); p = f5(p, a, b); p = f6(p, a, b); p = f7(p, a, b);
        p = f8(p, a, b); p = f9(p, a, b); p = f10(p, a, b); p = f11(p, a, b); p = f12(p, a, b); p = f13(p, a, b); p = f14(p, a, b); p = f15(p, a, b);
    }
    y[blockIdx.x * blockDim.x + threadIdx.x] = p;
}
// A table in constant memory, a place each step, the next one's known (walk) or told by this one (follow).
__constant__ int table[8192];
__global__ void walk(int *y, int n, int step, int rounds) {
    int s = 0;
#pragma unroll 1
    for (int k = 0; k < rounds; k++)
#pragma unroll 1
        for (int i = 0; i < n; i++) s += table[i * step];
    y[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void follow(int *y, int n, int rounds) {
    int p = 0;
#pragma unroll 1
    for (int k = 0; k < rounds; k++)
#pragma unroll 1
        for (int i = 0; i < n; i++) p = table[p];
    y[blockIdx.x * blockDim.x + threadIdx.x] = p;
}
__global__ void lanes(int *y, int n, int step) {
    int s = 0;
#pragma unroll 1
    for (int i = 0; i < n; i++) s += table[(i * 32 + threadIdx.x % 32) * step];
    y[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
struct Many { int v[900]; };
__global__ void parameters(int *y, const __grid_constant__ Many m, int n, int step) {
    int s = 0;
#pragma unroll 1
    for (int i = 0; i < n; i++) s += m.v[i * step];
    y[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
// Functions of mathematics, once or again and again.
__global__ void sines(double *y, double a, int rounds) { double p = threadIdx.x * a;
#pragma unroll 1
    for (int k = 0; k < rounds; k++) p = sin(p) + a; y[blockIdx.x * blockDim.x + threadIdx.x] = p; }
__global__ void powers(double *y, double a, int rounds) { double p = threadIdx.x * a;
#pragma unroll 1
    for (int k = 0; k < rounds; k++) p = pow(p, a) + a; y[blockIdx.x * blockDim.x + threadIdx.x] = p; }
__global__ void exponentials(double *y, double a, int rounds) { double p = threadIdx.x * a;
#pragma unroll 1
    for (int k = 0; k < rounds; k++) p = exp(p) * a; y[blockIdx.x * blockDim.x + threadIdx.x] = p; }
__global__ void sinesFloat(float *y, float a, int rounds) { float p = threadIdx.x * a;
#pragma unroll 1
    for (int k = 0; k < rounds; k++) p = sinf(p) + a; y[blockIdx.x * blockDim.x + threadIdx.x] = p; }
__global__ void powersFloat(float *y, float a, int rounds) { float p = threadIdx.x * a;
#pragma unroll 1
    for (int k = 0; k < rounds; k++) p = powf(p, a) + a; y[blockIdx.x * blockDim.x + threadIdx.x] = p; }
__global__ void quotients(double *y, double a, int rounds) { double p = threadIdx.x * a + 3;
#pragma unroll 1
    for (int k = 0; k < rounds; k++) p = a / p + 1; y[blockIdx.x * blockDim.x + threadIdx.x] = p; }
__global__ void quotientsOfZero(double *y, double a, int rounds) { double p = 0, s = 0;
#pragma unroll 1
    for (int k = 0; k < rounds; k++) { s += p / a; a += 1; } y[blockIdx.x * blockDim.x + threadIdx.x] = s; }
__global__ void quotientsFloat(float *y, float a, int rounds) { float p = threadIdx.x * a + 3;
#pragma unroll 1
    for (int k = 0; k < rounds; k++) p = a / p + 1; y[blockIdx.x * blockDim.x + threadIdx.x] = p; }
__global__ void remainders(int *y, int a, int rounds) { int p = threadIdx.x + 77;
#pragma unroll 1
    for (int k = 0; k < rounds; k++) p = (p * 77) % a + 3; y[blockIdx.x * blockDim.x + threadIdx.x] = p; }
// A line that is stored to while it is on its way.
__global__ void storedOnItsWay(int n, float *y) { for (int i = 0; i < n; i++) y[i] = y[i + 1] + y[i]; }
__global__ void nothing() {}
__global__ void oneLoad(const int *x, int *y) { y[threadIdx.x] = x[threadIdx.x]; }
__global__ void oneStore(int *y) { y[threadIdx.x] = 1; }

static float *out;
static int *ints;
static double *doubles;
static void check(const char *name) {
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess) { printf("%s: %s\n", name, cudaGetErrorString(e)); exit(1); }
    static unsigned char left[1 << 16];
    cudaMemcpy(left, out, sizeof left, cudaMemcpyDeviceToHost);
    unsigned h = 0;
    for (unsigned char c : left) h = h * 31 + c;
    printf("%s %08x\n", name, h);
    cudaMemset(out, 0, 1 << 20);
}
#define RUN(K, G, B, ...) do { K<<<G, B>>>(__VA_ARGS__); check(#K " " #G " " #B " (" #__VA_ARGS__ ")"); } while (0)
int main() {
    cudaMalloc(&out, 1 << 20); cudaMemset(out, 0, 1 << 20); // zeros: what is stored tells
    ints = (int *)out; doubles = (double *)out;
    int *x; cudaMalloc(&x, 1 << 20); cudaMemset(x, 0, 1 << 20);
    static int h[8192];
    for (int i = 0; i < 8192; i++) h[i] = (i + 16) % 8192;
    cudaMemcpyToSymbol(table, h, sizeof h);
    nothing<<<1, 32>>>(); check("nothing");
    RUN(oneStore, 1, 32, ints); RUN(oneLoad, 1, 32, x, ints);
    RUN((straight<16>), 1, 32, out, 1.5f, .25f, 1); RUN((straight<64>), 1, 32, out, 1.5f, .25f, 1); RUN((straight<128>), 1, 32, out, 1.5f, .25f, 1); RUN((straight<256>), 1, 32, out, 1.5f, .25f, 1);
    RUN((straight<512>), 1, 32, out, 1.5f, .25f, 1); RUN((straight<1024>), 1, 32, out, 1.5f, .25f, 1); RUN((straight<2048>), 1, 32, out, 1.5f, .25f, 1);
    RUN((straight<256>), 1, 32, out, 1.5f, .25f, 2); RUN((straight<256>), 1, 32, out, 1.5f, .25f, 10); RUN((straight<1024>), 1, 32, out, 1.5f, .25f, 2); RUN((straight<1024>), 1, 32, out, 1.5f, .25f, 10);
    RUN((straight<256>), 132, 32, out, 1.5f, .25f, 1); RUN((straight<1024>), 132, 32, out, 1.5f, .25f, 1);
    RUN((straight<256>), 132, 256, out, 1.5f, .25f, 1); RUN((straight<1024>), 132, 256, out, 1.5f, .25f, 1); RUN((straight<1024>), 132, 1024, out, 1.5f, .25f, 1);
    RUN((chain<256>), 1, 32, out, 1.5f, .25f, 1); RUN((chain<1024>), 1, 32, out, 1.5f, .25f, 1); RUN((chain<4096>), 1, 32, out, 1.5f, .25f, 1); RUN((chain<1024>), 1, 32, out, 1.5f, .25f, 2);
    RUN((ways<16, 16>), 1, 32, out, 1.5f, .25f, 0); RUN((ways<16, 16>), 1, 32, out, 1.5f, .25f, ~0u);
    RUN((ways<16, 64>), 1, 32, out, 1.5f, .25f, 0); RUN((ways<16, 64>), 1, 32, out, 1.5f, .25f, ~0u);
    RUN((ways<16, 256>), 1, 32, out, 1.5f, .25f, 0); RUN((ways<16, 256>), 1, 32, out, 1.5f, .25f, ~0u);
    RUN((ways<32, 64>), 1, 32, out, 1.5f, .25f, 0); RUN((ways<32, 64>), 132, 256, out, 1.5f, .25f, 0); RUN((ways<32, 64>), 132, 256, out, 1.5f, .25f, 0x55555555);
    RUN(calls, 1, 32, out, .5f, .25f, 1); RUN(calls, 1, 32, out, .5f, .25f, 2); RUN(calls, 1, 32, out, .5f, .25f, 10); RUN(calls, 132, 256, out, .5f, .25f, 1);
    RUN(walk, 1, 32, ints, 64, 1, 1); RUN(walk, 1, 32, ints, 64, 16, 1); RUN(walk, 1, 32, ints, 64, 32, 1); RUN(walk, 1, 32, ints, 64, 64, 1); RUN(walk, 1, 32, ints, 64, 128, 1);
    RUN(walk, 1, 32, ints, 64, 16, 10); RUN(walk, 1, 32, ints, 512, 1, 1); RUN(walk, 1, 32, ints, 512, 16, 1); RUN(walk, 1, 32, ints, 512, 16, 10); RUN(walk, 132, 256, ints, 64, 16, 1); RUN(walk, 132, 256, ints, 512, 1, 1);
    RUN(follow, 1, 32, ints, 64, 1); RUN(follow, 1, 32, ints, 512, 1); RUN(follow, 1, 32, ints, 64, 10); RUN(follow, 1, 32, ints, 512, 10); RUN(follow, 132, 256, ints, 64, 1);
    RUN(lanes, 1, 32, ints, 16, 1); RUN(lanes, 1, 32, ints, 16, 16);
    Many m; for (int i = 0; i < 900; i++) m.v[i] = i;
    RUN(parameters, 1, 32, ints, m, 56, 1); RUN(parameters, 1, 32, ints, m, 56, 16); RUN(parameters, 132, 256, ints, m, 56, 16);
    for (int rounds : {1, 2, 10, 100}) {
        RUN(sines, 1, 32, doubles, .5, rounds); RUN(powers, 1, 32, doubles, .5, rounds); RUN(exponentials, 1, 32, doubles, .5, rounds); RUN(sinesFloat, 1, 32, out, .5f, rounds); RUN(powersFloat, 1, 32, out, .5f, rounds);
        RUN(quotients, 1, 32, doubles, 5., rounds); RUN(quotientsOfZero, 1, 32, doubles, 5., rounds); RUN(quotientsFloat, 1, 32, out, 5.f, rounds); RUN(remainders, 1, 32, ints, 1000, rounds);
    }
    for (int rounds : {1, 2, 10}) { RUN(sines, 132, 256, doubles, .5, rounds); RUN(powers, 132, 256, doubles, .5, rounds); RUN(quotients, 132, 256, doubles, 5., rounds); }
    for (int n : {4, 8, 16, 32, 64, 256, 1000}) RUN(storedOnItsWay, 1, 1, n, out);
}
