// Kernels that launch kernels: children after the parent, recursion, the tail stream, waiting for children, errors.
// levels: nightly
// stdout: child 32 33 63
// stdout: sum of squares 91
// stdout: order parent child child tail
// stdout: waited 7 14 of block 0, 8 16 of block 1
// stdout: too large 9, still 9 and then 0
// stdout: sorted 1
// stdout: static 3
#include <cstdio>
__global__ void child(int *x, int offset) { x[threadIdx.x] += offset; }
__global__ void parent(int *x) {
  if (threadIdx.x == 0) child<<<1, blockDim.x>>>(x, 32);
}
__global__ void tree(int *sum, int depth, int value) {
  atomicAdd(sum, value * value);
  if (depth > 1 && threadIdx.x == 0) {
    tree<<<1, 1>>>(sum, depth - 1, 2 * value + 1);
    tree<<<1, 1>>>(sum, depth - 1, 2 * value + 2);
  }
}
__global__ void note(char *text, int *length, char letter) { text[(*length)++] = letter; }
__global__ void ordered(char *text, int *length) {
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(text, length, 't');
  note<<<1, 1>>>(text, length, 'c');
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  note<<<1, 1, 0, stream>>>(text, length, 'c');
  cudaStreamDestroy(stream);
  text[(*length)++] = 'p';
}
__global__ void twice(int *x) { *x *= 2; }
__global__ void waits(int *x) {
  __shared__ int before[32];
  before[threadIdx.x] = threadIdx.x + 7 + blockIdx.x;
  __syncthreads();
  int kept = before[threadIdx.x];
  if (threadIdx.x == 0) {
    x[2 * blockIdx.x] = kept;
    twice<<<1, 1>>>(x + 2 * blockIdx.x);
    cudaDeviceSynchronize();
    x[2 * blockIdx.x + 1] = x[2 * blockIdx.x];
  }
  __syncthreads();
  if (threadIdx.x == 31 && before[0] == 7 + (int)blockIdx.x) x[2 * blockIdx.x] = before[31] - 31;
}
__global__ void tooLarge(int *error) {
  child<<<1, 4096>>>(error, 1);
  error[0] = cudaPeekAtLastError();
  error[1] = cudaGetLastError();
  error[2] = cudaGetLastError();
}
__device__ void swap(int &a, int &b) { int t = a; a = b; b = t; }
__global__ void quicksort(int *x, int left, int right) {
  int pivot = x[(left + right) / 2], i = left, j = right;
  while (i <= j) {
    while (x[i] < pivot) i++;
    while (x[j] > pivot) j--;
    if (i <= j) swap(x[i++], x[j--]);
  }
  if (left < j) quicksort<<<1, 1>>>(x, left, j);
  if (i < right) quicksort<<<1, 1>>>(x, i, right);
}
static __device__ int hidden = 1;
static __global__ void addHidden() { hidden += 2; }
static __global__ void startHidden() { addHidden<<<1, 1>>>(); }
int main() {
  int *x;
  cudaMallocManaged(&x, 1024);
  for (int i = 0; i < 256; i++) x[i] = i;
  parent<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  printf("child %d %d %d\n", x[0], x[1], x[31]);
  x[0] = 0;
  tree<<<1, 1>>>(x, 3, 0);
  cudaDeviceSynchronize();
  printf("sum of squares %d\n", x[0]);
  char *text;
  cudaMallocManaged(&text, 64);
  x[0] = 0;
  ordered<<<1, 1>>>(text, x);
  cudaDeviceSynchronize();
  printf("order");
  for (int i = 0; i < x[0]; i++) printf(" %s", text[i] == 'p' ? "parent" : text[i] == 'c' ? "child" : "tail");
  waits<<<2, 32>>>(x);
  cudaDeviceSynchronize();
  printf("\nwaited %d %d of block 0, %d %d of block 1\n", x[0], x[1], x[2], x[3]);
  tooLarge<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  printf("too large %d, still %d and then %d\n", x[0], x[1], x[2]);
  for (int i = 0; i < 100; i++) x[i] = i * 37 % 100;
  quicksort<<<1, 1>>>(x, 0, 99);
  cudaDeviceSynchronize();
  bool sorted = true;
  for (int i = 0; i < 100; i++) sorted = sorted && x[i] == i;
  printf("sorted %d\n", sorted);
  startHidden<<<1, 1>>>();
  int value;
  cudaMemcpyFromSymbol(&value, hidden, sizeof value);
  printf("static %d\n", value);
}
