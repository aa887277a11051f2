// setjmp and longjmp of the host program, across functions and twice.
// stdout: first 0
// stdout: back with 3
// stdout: back with 4
// stdout: sum 10
#include <csetjmp>
#include <cstdio>

static jmp_buf place;

__global__ void add(int *to, int value) { *to += value; }

static void leave(int value) { longjmp(place, value); }

int main() {
  int *sum = nullptr;
  cudaMallocManaged(&sum, sizeof(int));
  *sum = 0;
  volatile int rounds = 0;
  const int value = setjmp(place);
  if (value == 0) printf("first %d\n", value);
  else printf("back with %d\n", value);
  rounds = rounds + 1;
  add<<<1, 1>>>(sum, rounds + value);
  cudaDeviceSynchronize();
  if (rounds < 3) leave(rounds + 2);
  printf("sum %d\n", *sum - 3);
  return 0;
}
