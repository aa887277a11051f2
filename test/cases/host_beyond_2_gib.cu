// A host program's memory goes beyond 2 GiB, and a device's: copies go where they say, also where both have the address.
// stdout: 1 1 0
// stdout: 5 text of the file
// stdout: out of memory, out of memory
// stderr: cudaMallocManaged: memory that host and device share lies in the first 2048 MiB of either
// stderr: cudaMemcpy: the destination 0x
// exit: 3
// levels: nightly
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

__global__ void add(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += 1;
}

int main() {
  const int n = 1 << 20;
  volatile char *first = (char *)malloc(1500u << 20);
  char *second = (char *)malloc(1000u << 20);
  first[0] = second[0] = second[(1000u << 20) - 1] = 1;
  float *before = (float *)(second + (900u << 20)), *after = before + n;
  for (int i = 0; i < n; i++) before[i] = 2;
  float *low, *high;
  cudaMalloc(&low, 1800u << 20);
  cudaMalloc(&high, 1500u << 20);
  int wrong = 0;
  for (float *device : {low, high}) {
    cudaMemcpy(device, before, n * sizeof(float), cudaMemcpyHostToDevice);
    add<<<n / 256, 256>>>(device, n);
    cudaMemcpy(after, device, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) wrong += after[i] != 3 || before[i] != 2;
  }
  printf("%d %d %d\n", (unsigned)before > 0x80000000u, (unsigned)high < 0x80000000u, wrong);

  std::string name = std::string("a_file_whose_name_lies_in_the_heap_").append(1, 'x');
  std::ofstream(name) << "text of the file\n";
  char *text = new char[100];
  FILE *file = fopen(name.c_str(), "r");
  printf("%d %s", (int)std::string("heap!").size(), fgets(text, 100, file));
  remove(name.c_str());

  float *pinned, *mapped, *managed;
  cudaMallocHost(&pinned, 4096);
  cudaError_t isMapped = cudaHostGetDevicePointer(&mapped, pinned, 0), isManaged = cudaMallocManaged(&managed, 4096);
  printf("%s, %s\n", cudaGetErrorString(isMapped), cudaGetErrorString(isManaged));
  fflush(stdout);
  cudaMemcpy(after, low, 64, cudaMemcpyDefault);
}
