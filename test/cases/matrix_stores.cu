// stmatrix: 8 x 8 blocks of 16-bit elements from the lanes' registers to shared memory, plain and transposed, one to four at a time,
// by addresses of the shared window and generic ones, in any order of qualifiers. Wavefronts as read on an H200.
// stdout: x4 0, x4 in columns 0, x2 transposed 0, x1 with an offset 0, generic 0, round trip 0
// count: plain shared store wavefronts = 4
// count: inColumns shared store wavefronts = 32
// count: spread shared store wavefronts = 8
// count: transposes shared store wavefronts = 2
// count: plain shared store bytes = 512
#include <cstdint>
#include <cstdio>

typedef uint32_t u32;
typedef uint16_t u16;

#define WINDOW(p) ((u32)__cvta_generic_to_shared(p))

// Element c of row r of block b.
__device__ u16 element(int b, int r, int c) { return (u16)(b * 1000 + r * 10 + c); }
__device__ u32 held(int b, int lane) {
  return element(b, lane / 4, lane % 4 * 2) | (u32)element(b, lane / 4, lane % 4 * 2 + 1) << 16;
}

__device__ void store4(u16 *at, int lane) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(WINDOW(at)), "r"(held(0, lane)),
               "r"(held(1, lane)), "r"(held(2, lane)), "r"(held(3, lane))
               : "memory");
}

__global__ void plain(int *wrong) {
  __shared__ __align__(16) u16 s[256];
  int lane = threadIdx.x;
  store4(s + lane * 8, lane);
  __syncthreads();
  for (int c = 0; c < 8; c++) if (s[lane * 8 + c] != element(lane / 8, lane % 8, c)) atomicAdd(wrong, 1);
}

__global__ void inColumns(int *wrong) {
  __shared__ __align__(16) u16 s[32 * 64];
  int lane = threadIdx.x;
  store4(s + lane * 64, lane);
  __syncthreads();
  for (int c = 0; c < 8; c++) if (s[lane * 64 + c] != element(lane / 8, lane % 8, c)) atomicAdd(wrong, 1);
}

__global__ void spread() {
  __shared__ __align__(16) u16 s[32 * 16];
  store4(s + threadIdx.x * 16, threadIdx.x);
}

__global__ void transposes(int *wrong) {
  __shared__ __align__(16) u16 s[256];
  int lane = threadIdx.x;
  asm volatile("stmatrix.sync.aligned.x2.trans.m8n8.shared::cta.b16 [%0], {%1, %2};" ::"r"(WINDOW(s + lane % 16 * 8)),
               "r"(held(0, lane)), "r"(held(1, lane))
               : "memory");
  __syncthreads();
  if (lane < 16)
    for (int c = 0; c < 8; c++) if (s[lane * 8 + c] != element(lane / 8, c, lane % 8)) atomicAdd(wrong, 1);
}

__global__ void offsets(int *wrong) {
  __shared__ __align__(16) u16 s[256];
  int lane = threadIdx.x;
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0+64], {%1};" ::"r"(WINDOW(s + lane % 8 * 8)), "r"(held(3, lane)) : "memory");
  __syncthreads();
  if (lane < 8)
    for (int c = 0; c < 8; c++) if (s[32 + lane * 8 + c] != element(3, lane, c)) atomicAdd(wrong, 1);
}

__global__ void generic(int *wrong) {
  __shared__ __align__(16) u16 s[256];
  int lane = threadIdx.x;
  asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.b16 [%0], {%1};" ::"l"((unsigned long long)(size_t)(s + lane % 8 * 8)), "r"(held(2, lane))
               : "memory");
  __syncthreads();
  if (lane < 8)
    for (int c = 0; c < 8; c++) if (s[lane * 8 + c] != element(2, c, lane)) atomicAdd(wrong, 1);
}

// What stmatrix stores ldmatrix loads again.
__global__ void roundTrip(int *wrong) {
  __shared__ __align__(16) u16 s[4][256];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int round = 0; round < 3; round++) {
    store4(s[warp] + lane * 8, lane + round);
    __syncwarp();
    u32 r[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(WINDOW(s[warp] + lane * 8)) : "memory");
    for (int b = 0; b < 4; b++) if (r[b] != held(b, lane + round)) atomicAdd(wrong, 1);
    __syncwarp();
  }
}

int main() {
  int *wrong;
  cudaMallocManaged(&wrong, 6 * sizeof(int));
  plain<<<1, 32>>>(wrong);
  inColumns<<<1, 32>>>(wrong + 1);
  spread<<<1, 32>>>();
  transposes<<<1, 32>>>(wrong + 2);
  offsets<<<1, 32>>>(wrong + 3);
  generic<<<1, 32>>>(wrong + 4);
  roundTrip<<<2, 128>>>(wrong + 5);
  cudaDeviceSynchronize();
  printf("x4 %d, x4 in columns %d, x2 transposed %d, x1 with an offset %d, generic %d, round trip %d\n", wrong[0], wrong[1],
         wrong[2], wrong[3], wrong[4], wrong[5]);
}
