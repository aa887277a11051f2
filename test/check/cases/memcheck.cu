// Accesses outside of what is allocated. A line says what must be found there: tool, kind, severity, argument of the program.
// What stops a kernel stops all that comes behind it, and has a run of its own.
#include <cstdio>
#include <cstring>

__global__ void pastEnd(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > n) return;
  float v = in[i];    //! memcheck invalid-global-access error
  out[i] = v + 1.0f;  //! memcheck invalid-global-access error
}
__global__ void before(int *p) { p[(int)threadIdx.x - 1] = 1; }  //! memcheck invalid-global-access error
__global__ void freed(int *p) { p[threadIdx.x] = 2; }            //! memcheck use-after-free error
__global__ void counted(int *p) { atomicAdd(&p[64], 1); }        //! memcheck invalid-global-access error
__global__ void wide(float4 *p) { p[threadIdx.x].x = 1; p[threadIdx.x].w = 1; }  //! memcheck invalid-global-access error
__global__ void constants(float *out, const float *table, int i) { out[0] = table[i]; }  //! memcheck invalid-global-access error
__global__ void shared(int *out) {
  __shared__ int s[32];
  s[threadIdx.x + 1] = 1;  //! memcheck invalid-shared-access error shared
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x / 2 + 1];
}
__global__ void dynamic(int *out) {
  extern __shared__ int d[];
  d[threadIdx.x] = 1;
  d[threadIdx.x + 32] = 1;  //! memcheck invalid-shared-access error dynamic
  out[threadIdx.x] = d[threadIdx.x];
}
__global__ void null(int *p) { p[threadIdx.x] = 3; }  //! memcheck invalid-global-access error null
__global__ void crooked(char *p) { *(int *)(p + threadIdx.x) = 4; }  //! memcheck misaligned-address error crooked
__global__ void crookedEnd(char *p) { *(int *)(p + 253) = 4; }  //! memcheck misaligned-address error crookedEnd
// Vectors, which the machine loads and stores as one; the first is read in part.
__global__ void crookedVectors(float *out, const float *in) {
  float4 part = *(const float4 *)(in + 4 * threadIdx.x + 1);  //! memcheck misaligned-address error vectors
  out[threadIdx.x] = part.x + part.w;
  float4 all = *(const float4 *)(in + 5 * threadIdx.x);  //! memcheck misaligned-address error vectors
  out[threadIdx.x] += all.x + all.y + all.z + all.w;
  *(float2 *)(out + 2 * threadIdx.x + 33) = make_float2(1, 2);  //! memcheck misaligned-address error vectors
}
__global__ void crookedShared(float *out, int offset) {
  __shared__ float s[136];
  for (int i = threadIdx.x; i < 136; i += 32) s[i] = i;
  __syncthreads();
  float4 row = *(const float4 *)(s + 4 * threadIdx.x + offset);  //! memcheck misaligned-address error vectors
  float4 any = *(const float4 *)(s + 3 * (int)out[threadIdx.x] + 1);  //! memcheck misaligned-address error vectors
  out[threadIdx.x] = row.x + row.y + row.z + row.w + any.x + any.y + any.z + any.w;
}
__global__ void local(int *out, int i) {
  int own[4] = {1, 2, 3, 4};
  out[0] = own[i];  //! memcheck invalid-local-access error local
}

// Allocations that fill what is allotted: the next one begins where they end on a GPU.
__global__ void nextOne(int *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i % n] = in[i];  //! memcheck invalid-global-access error neighbours
}
__device__ int one[1024], other[1024];
__global__ void nextVariable(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i % n] = one[i] + other[i % n];  //! memcheck invalid-global-access error neighbours
}
__global__ void nextManaged(int *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i % n] = in[i];  //! memcheck invalid-global-access error neighbours
}

__constant__ float table[4];

static void neighbours() {
  for (int n : {1024, 1 << 20}) {
    int *in, *out;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMemset(in, 0, n * sizeof(int));
    nextOne<<<n / 256 + 1, 256>>>(out, in, n);
  }
  int *in, *out;
  cudaMallocManaged(&in, 4096);
  cudaMallocManaged(&out, 4096);
  memset(in, 0, 4096);
  memset(out, 0, 4096);
  nextManaged<<<5, 256>>>(out, in, 1024);
  nextVariable<<<5, 256>>>(out, 1024);
}

int main(int argc, char **argv) {
  float *in, *out, *constant;
  int *p, *q;
  cudaMalloc(&q, 64 * sizeof(int));
  cudaMemset(q, 0, 64 * sizeof(int));
  auto is = [&](const char *name) { return argc > 1 && strcmp(argv[1], name) == 0; };
  if (is("shared")) shared<<<1, 32>>>(q);
  if (is("dynamic")) dynamic<<<1, 32, 48 * sizeof(int)>>>(q);
  if (is("null")) null<<<1, 32>>>(nullptr);
  if (is("crooked")) crooked<<<1, 32>>>((char *)q);
  if (is("crookedEnd")) crookedEnd<<<1, 1>>>((char *)q);
  if (is("local")) local<<<1, 1>>>(q, 4000000);
  if (is("neighbours")) neighbours();
  if (is("vectors")) {
    cudaMalloc(&in, 800);
    cudaMalloc(&out, 800);
    cudaMemset(in, 0, 800);
    cudaMemset(out, 0, 800);
    crookedVectors<<<1, 32>>>(out, in);
    crookedShared<<<1, 32>>>(out, 4);
    cudaMemset(out, 0, 800);
    crookedShared<<<1, 32>>>(out, 1);
  }
  if (argc > 1) return cudaDeviceSynchronize() == cudaSuccess;
  cudaMalloc(&in, 100 * sizeof(float));
  cudaMalloc(&out, 100 * sizeof(float));
  cudaMemset(in, 0, 100 * sizeof(float));
  pastEnd<<<1, 128>>>(out, in, 100);
  // Neither a slab of the driver's nor an alignment hides it.
  cudaMalloc(&p, 64 * sizeof(int));
  before<<<1, 32>>>(p);
  cudaFree(p);
  freed<<<1, 32>>>(p);
  counted<<<1, 32>>>(q);
  cudaMalloc(&p, 9 * sizeof(int));
  wide<<<1, 3>>>((float4 *)p);
  cudaGetSymbolAddress((void **)&constant, table);
  constants<<<1, 1>>>(out, constant, 4);
  cudaMemcpy(q, p, 100, cudaMemcpyDeviceToDevice);  //! memcheck failed-call error
  wide<<<1, 2000>>>((float4 *)p);  //! memcheck failed-call error
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
